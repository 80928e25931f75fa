package violations

import (
	"fmt"
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// sent is an export of a sequence. It arrives some time after the one before
// was answered, and is answered at once.
type sent struct {
	what  string // equal exports have the same
	after time.Duration
	e     query.Export
	body  proto.Message // a clean span where it is nil
	early bool          // its connection was open from the beginning
}

// sequenceRow is exports with which just one thing is wrong, or nothing.
type sequenceRow struct {
	check *Check
	name  string
	sent  []sent
	want  []string // after the rule and the level
}

func ok() query.Export { return query.Export{Outcome: query.Accepted} }

func refused(code query.Code) query.Export {
	return query.Export{Outcome: query.Refused, Status: query.Status{Code: code}}
}

func http(status int, code query.Code) query.Export {
	return query.Export{Outcome: query.Refused, Protocol: query.HTTPProtobuf, Status: query.Status{HTTP: status, Code: code}}
}

func okHTTP() query.Export {
	return query.Export{Outcome: query.Accepted, Protocol: query.HTTPProtobuf}
}

func throttled(e query.Export, d time.Duration) query.Export {
	e.Throttled, e.RetryDelay = true, d
	return e
}

func by(agent string, conn int, e query.Export) query.Export {
	e.Conn, e.Header = conn, query.Header{}
	if agent != "" {
		e.Header["user-agent"] = []string{agent}
	}
	return e
}

func part(rejected int64, message string) query.Export {
	return query.Export{Outcome: query.Partial, Rejected: rejected, Status: query.Status{Message: message}}
}

// all is the evidence of a sequence, and the report on it.
func (row sequenceRow) all(t *testing.T) ([]Evidence, query.Report) {
	seen := make([]Evidence, len(row.sent))
	exports := make([]query.Export, len(row.sent))
	now := time.Date(2024, 5, 17, 12, 0, 0, 0, time.UTC)
	for i, s := range row.sent {
		e := s.e
		now = now.Add(s.after)
		e.Number, e.Arrived, e.Answered = i+1, now, now
		if e.Outcome == query.Open {
			e.Answered = time.Time{}
		}
		if e.Protocol == query.HTTPProtobuf && e.Header == nil {
			e.Header = query.Header{"user-agent": {"exporter/1"}, "content-type": {protobufType}}
		}
		body := s.body
		if body == nil {
			body = spanWith(func(*tracepb.Span) {})
		}
		seen[i] = evidence(t, e, body)
		if seen[i].Opened = now; s.early {
			seen[i].Opened = now.Add(-time.Hour)
		}
		exports[i] = seen[i].Export
	}
	return seen, query.NewReport(exports, query.Contents{Key: func(i int) string { return row.sent[i].what }})
}

const (
	invalidArgument = 3
	second          = time.Second
	wantDropped     = "want that it is dropped"
	wantNames       = "want the exporter, its language and its version"
	seriesPoint     = aPoint + `.start_time_unix_nano of metric "requests"`
)

// totalOf is a cumulative sum from start to end, in seconds after noon.
func totalOf(start, end uint64, value int64) proto.Message {
	return pointWith(func(p *metricspb.NumberDataPoint) {
		p.StartTimeUnixNano, p.TimeUnixNano, p.Value = noon+start*1e9, noon+end*1e9, integer(value)
	})
}

func deltaOf(start, end uint64, value int64) *metricspb.MetricsData {
	return sumWith(func(s *metricspb.Sum) {
		s.AggregationTemporality = deltaPB
		p := s.DataPoints[0]
		p.StartTimeUnixNano, p.TimeUnixNano, p.Value = noon+start*1e9, noon+end*1e9, integer(value)
	})
}

var sequenceRows = []sequenceRow{
	{retriedCode, "a retry after INVALID_ARGUMENT", []sent{{what: "a", e: refused(invalidArgument)}, {what: "a", after: second, e: ok()}},
		[]string{"export 2: got export 1 again, which was refused with INVALID_ARGUMENT, " + wantDropped}},
	{retriedCode, "a retry of each code that is retryable", []sent{
		{what: "a", e: refused(1)}, {what: "a", after: second, e: refused(4)}, {what: "a", after: second, e: refused(10)},
		{what: "a", after: second, e: refused(11)}, {what: "a", after: second, e: refused(14)}, {what: "a", after: second, e: refused(15)},
		{what: "a", after: second, e: ok()},
	}, nil},
	{retriedCode, "a retry by another client", []sent{{what: "a", e: refused(invalidArgument)}, {what: "a", after: second, e: okHTTP()}}, nil},
	{retriedCode, "an export that overlaps", []sent{{what: "a", e: query.Export{Outcome: query.Open}}, {what: "a", after: second, e: ok()}}, nil},
	{retriedCode, "equal metrics while the clock stands still", []sent{
		{what: "a", e: refused(invalidArgument), body: totalOf(0, 1, 1)}, {what: "a", e: ok(), body: totalOf(0, 1, 1)},
	}, nil},
	{retriedCode, "equal metrics later", []sent{
		{what: "a", e: refused(invalidArgument), body: totalOf(0, 1, 1)}, {what: "a", after: 1, e: ok(), body: totalOf(0, 1, 1)},
	}, []string{"export 2: got export 1 again, which was refused with INVALID_ARGUMENT, " + wantDropped}},
	{retriedCode, "other data after a refusal", []sent{{what: "a", e: refused(invalidArgument)}, {what: "b", after: second, e: ok()}}, nil},
	{retriedQuota, "opentelemetry-go#4661: RESOURCE_EXHAUSTED without RetryInfo", []sent{{what: "a", e: refused(resourceExhausted)}, {what: "a", after: second, e: ok()}},
		[]string{"export 2: got export 1 again, which was refused with RESOURCE_EXHAUSTED without RetryInfo, " + wantDropped}},
	{retriedQuota, "RESOURCE_EXHAUSTED with RetryInfo", []sent{{what: "a", e: throttled(refused(resourceExhausted), second)}, {what: "a", after: second, e: ok()}}, nil},
	{retriedHTTP, "a retry after 500", []sent{{what: "a", e: http(500, 13)}, {what: "a", after: second, e: okHTTP()}},
		[]string{"export 2: got export 1 again, which was refused with 500 INTERNAL, " + wantDropped}},
	{retriedHTTP, "dartastic_opentelemetry#224: a retry of each status that is retryable", []sent{
		{what: "a", e: http(429, 14)}, {what: "a", after: second, e: http(502, 14)}, {what: "a", after: second, e: http(503, 14)},
		{what: "a", after: second, e: http(504, 14)}, {what: "a", after: second, e: http(307, 2)}, {what: "a", after: second, e: okHTTP()},
	}, nil},
	{retried400, "a retry after 400", []sent{{what: "a", e: http(400, 3)}, {what: "a", after: second, e: okHTTP()}},
		[]string{"export 2: got export 1 again, which was refused with 400 INVALID_ARGUMENT, " + wantDropped}},
	{retriedPart, "a retry after a partial success", []sent{{what: "a", e: part(2, "bad")}, {what: "a", after: second, e: ok()}},
		[]string{"export 2: got export 1 again, which was answered with a partial success, 2 rejected, want that it is not sent again"}},
	{retriedPart, "a retry after a warning, of metrics", []sent{{what: "a", e: part(0, "slow down"), body: totalOf(0, 1, 1)}, {what: "a", after: second, e: ok(), body: totalOf(0, 1, 1)}},
		[]string{"export 2: got export 1 again, which was answered with a partial success, 0 rejected, want that it is not sent again"}},
	{repeated, "opentelemetry-collector#8263: the same spans after a success", []sent{{what: "a", e: ok()}, {what: "a", after: second, e: ok()}, {what: "a", after: second, e: ok()}},
		[]string{
			"export 2: got export 1 again, which was answered with success, want each span once",
			"export 3: got export 2 again, which was answered with success, want each span once",
		}},
	{repeated, "the same spans after an empty partial success", []sent{{what: "a", e: part(0, "")}, {what: "a", after: second, e: ok()}},
		[]string{"export 2: got export 1 again, which was answered with success, want each span once"}},
	{repeated, "opentelemetry-collector#11056: the same spans after a lost answer", []sent{{what: "a", e: query.Export{Outcome: query.Cut}}, {what: "a", after: second, e: ok()}}, nil},
	{repeated, "the same metrics after a success", []sent{{what: "a", e: ok(), body: totalOf(0, 1, 1)}, {what: "a", after: second, e: ok(), body: totalOf(0, 1, 1)}}, nil},
	{earlyGRPC, "opentelemetry-rust#3634: a retry before RetryInfo is over", []sent{{what: "a", e: throttled(refused(unavailable), 350*time.Millisecond)}, {what: "a", after: 100 * time.Millisecond, e: ok()}},
		[]string{"export 2: got a retry of export 1 after 100ms, want it after 350ms, as promised"}},
	{earlyGRPC, "a timer that is a little early", []sent{{what: "a", e: throttled(refused(unavailable), second)}, {what: "a", after: second - 5*time.Millisecond, e: ok()}}, nil},
	{earlyHTTP, "opentelemetry-go#8383: Retry-After as nanoseconds", []sent{{what: "a", e: throttled(http(503, 14), 2*second)}, {what: "a", after: 10 * time.Millisecond, e: okHTTP()}},
		[]string{"export 2: got a retry of export 1 after 10ms, want it after 2s, as promised"}},

	{noAgent, "no User-Agent, on two connections", []sent{{what: "a", e: by("", 1, ok())}, {what: "b", e: by("", 1, ok())}, {what: "c", e: by("", 2, ok())}},
		[]string{"export 1: got no User-Agent, " + wantNames, "export 3: got no User-Agent, " + wantNames}},
	{bareAgent, "otel-cli's User-Agent", []sent{{what: "a", e: by("grpc-go/1.62.1", 1, ok())}, {what: "b", e: by("grpc-go/1.62.1", 1, ok())}},
		[]string{`export 1: got "grpc-go/1.62.1", ` + wantNames}},
	{bareAgent, "User-Agents that end in the library's", []sent{
		{what: "a", e: by("OTel OTLP Exporter Go/1.47.0 grpc-go/1.83.2", 1, ok())}, {what: "b", e: by("OTel-OTLP-Exporter-Rust/0.32.0", 2, ok())},
	}, nil},
	{newConn, "a connection for each export", []sent{{what: "a", e: by("x/1", 1, ok())}, {what: "b", e: by("x/1", 2, ok())}, {what: "c", e: by("x/1", 3, ok())}, {what: "d", e: by("x/1", 4, ok())}},
		[]string{"export 3: got 3 exports on 3 connections, want a connection that is kept between exports"}},
	{newConn, "a connection for each of three clients", []sent{{what: "a", e: by("x/1", 1, ok())}, {what: "b", e: by("y/1", 2, ok())}, {what: "c", e: by("z/1", 3, ok())}}, nil},
	{newConn, "a connection for each signal", []sent{
		{what: "a", e: by("x/1", 1, ok())}, {what: "b", e: by("x/1", 2, ok()), body: cleanLogs()}, {what: "c", e: by("x/1", 3, ok()), body: totalOf(0, 1, 1)},
	}, nil},
	{newConn, "connections that were opened before", []sent{{what: "a", e: by("x/1", 1, ok())}, {what: "b", e: by("x/1", 2, ok()), early: true}, {what: "c", e: by("x/1", 3, ok()), early: true}}, nil},
	{newConn, "a connection that is used again later", []sent{{what: "a", e: by("x/1", 1, ok())}, {what: "b", e: by("x/1", 1, ok())}, {what: "c", e: by("x/1", 2, ok())}, {what: "d", e: by("x/1", 3, ok())}}, nil},
	{newConn, "connections that were cut", []sent{
		{what: "a", e: by("x/1", 1, query.Export{Outcome: query.Cut})}, {what: "a", e: by("x/1", 2, query.Export{Outcome: query.Cut})}, {what: "a", e: by("x/1", 3, ok())},
	}, nil},

	{falling, "a total that falls", []sent{{what: "a", e: ok(), body: totalOf(1, 2, 5)}, {what: "b", after: second, e: ok(), body: totalOf(1, 3, 3)}},
		[]string{`export 2 ` + aPoint + ` of metric "requests": got a total of 3 after 5 in export 1, with the same start, want a total that does not fall, or a new start`}},
	{falling, "a total that was refused before it falls", []sent{{what: "a", e: refused(unavailable), body: totalOf(1, 2, 5)}, {what: "b", after: second, e: ok(), body: totalOf(1, 3, 3)}},
		[]string{`export 2 ` + aPoint + ` of metric "requests": got a total of 3 after 5 in export 1, with the same start, want a total that does not fall, or a new start`}},
	{falling, "a total that begins anew", []sent{{what: "a", e: ok(), body: totalOf(1, 2, 5)}, {what: "b", after: second, e: ok(), body: totalOf(2, 3, 3)}}, nil},
	{falling, "totals that arrive in another order", []sent{{what: "a", e: ok(), body: totalOf(1, 3, 5)}, {what: "b", after: second, e: ok(), body: totalOf(1, 2, 3)}}, nil},
	{falling, "totals at the same time", []sent{{what: "a", e: ok(), body: totalOf(1, 1, 5)}, {what: "b", after: second, e: ok(), body: totalOf(1, 1, 3)}}, nil},
	{falling, "a total that may fall", []sent{
		{what: "a", e: ok(), body: upDown(5)}, {what: "b", after: second, e: ok(), body: upDown(3)},
	}, nil},
	{falling, "totals of which the start is not known", []sent{{what: "a", e: ok(), body: noStart(5)}, {what: "b", after: second, e: ok(), body: noStart(3)}}, nil},
	{falling, "a histogram's count", []sent{{what: "a", e: ok(), body: histogramOf(5)}, {what: "b", after: second, e: ok(), body: histogramOf(3)}},
		[]string{`export 2 ` + aHisto + ` of metric "duration": got a total of 3 after 5 in export 1, with the same start, want a total that does not fall, or a new start`}},
	{restart, "a start that moves back", []sent{{what: "a", e: ok(), body: totalOf(1, 2, 5)}, {what: "b", after: second, e: ok(), body: totalOf(0, 3, 6)}},
		[]string{"export 2 " + seriesPoint + ": got a new start of 2024-05-17T12:00:00Z, before the time 2024-05-17T12:00:02Z that export 1 reported, want a start after what was reported"}},
	{restart, "a start within what was reported", []sent{{what: "a", e: ok(), body: totalOf(0, 2, 5)}, {what: "b", after: second, e: ok(), body: totalOf(1, 3, 6)}},
		[]string{"export 2 " + seriesPoint + ": got a new start of 2024-05-17T12:00:01Z, before the time 2024-05-17T12:00:02Z that export 1 reported, want a start after what was reported"}},
	{overlap, "intervals that overlap", []sent{{what: "a", e: ok(), body: deltaOf(0, 2, 5)}, {what: "b", after: second, e: ok(), body: deltaOf(1, 3, 6)}},
		[]string{"export 2 " + seriesPoint + ": got a start of 2024-05-17T12:00:01Z, before the end 2024-05-17T12:00:02Z of the interval in export 1, want intervals that do not overlap"}},
	{overlap, "intervals that touch, and a gap", []sent{{what: "a", e: ok(), body: deltaOf(0, 1, 5)}, {what: "b", after: second, e: ok(), body: deltaOf(1, 2, 6)}, {what: "c", after: second, e: ok(), body: deltaOf(3, 4, 6)}}, nil},
	{overlap, "Effect#7037: an interval that takes a refused one in", []sent{{what: "a", e: refused(unavailable), body: deltaOf(0, 1, 5)}, {what: "b", after: second, e: ok(), body: deltaOf(0, 2, 8)}}, nil},
	{overlap, "an interval that is sent again", []sent{{what: "a", e: query.Export{Outcome: query.Cut}, body: deltaOf(0, 1, 5)}, {what: "a", after: second, e: ok(), body: deltaOf(0, 1, 5)}, {what: "a", after: second, e: ok(), body: deltaOf(0, 1, 5)}}, nil},
	{overlap, "two series", []sent{{what: "a", e: ok(), body: deltaOf(0, 2, 5)}, {what: "b", after: second, e: ok(), body: deltaWith("route")}}, nil},
	{overlap, "intervals of no length", []sent{{what: "a", e: ok(), body: deltaOf(1, 1, 5)}, {what: "b", after: second, e: ok(), body: deltaOf(1, 1, 6)}}, nil},
}

func upDown(value int64) proto.Message {
	return sumWith(func(s *metricspb.Sum) {
		s.IsMonotonic, s.DataPoints[0].TimeUnixNano, s.DataPoints[0].Value = false, noon+uint64(10-value), integer(value)
	})
}

func noStart(value int64) proto.Message {
	return pointWith(func(p *metricspb.NumberDataPoint) {
		p.StartTimeUnixNano, p.TimeUnixNano, p.Value = 0, noon+uint64(10-value), integer(value)
	})
}

func histogramOf(count uint64) proto.Message {
	d := histogramWith(func(p *metricspb.HistogramDataPoint) {
		p.Count, p.BucketCounts, p.ExplicitBounds, p.TimeUnixNano = count, nil, nil, noon+10-count
	})
	d.ResourceMetrics[0].ScopeMetrics[0].Metrics[0].GetHistogram().AggregationTemporality = cumulativePB
	return d
}

func deltaWith(key string) proto.Message {
	return sumWith(func(s *metricspb.Sum) {
		s.AggregationTemporality = deltaPB
		s.DataPoints[0].Attributes = append(s.DataPoints[0].Attributes, kv(key, text("/pay")))
	})
}

func TestEachCheckOfASequence(t *testing.T) {
	for _, row := range sequenceRows {
		t.Run(row.name, func(t *testing.T) {
			seen, report := row.all(t)
			var want []string
			for _, w := range row.want {
				want = append(want, fmt.Sprintf("%s %s  %s", row.check.Rule, row.check.Level, w))
			}
			same(t, texts(All(seen, report)), want...)
			same(t, texts(All(seen, report)), want...) // and asking changes nothing
		})
	}
}
