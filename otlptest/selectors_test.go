package otlptest_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// became sends messages one after the other over a protocol, and returns the
// HTTP status or the code of each answer.
func became(t *testing.T, srv *otlptest.Server, via query.Protocol, batches ...*tracepb.TracesData) (answers []string) {
	t.Helper()
	w := newWire(t, srv)
	for _, b := range batches {
		w.export(via, b)
	}
	for e := range srv.Exports().All() {
		answers = append(answers, string(e.Outcome))
	}
	return answers
}

func TestEveryBatchMeetsTheFaultsByItself(t *testing.T) {
	a, b := traces(span("a")), traces(span("b"))
	for _, via := range protocols {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Unavailable(), faults.Reject("no")).PerBatch()))
		got := became(t, srv, via, a, b, a, b, a, b, a)
		// After the acknowledgement the same is a new batch, whose first attempt meets the first fault again.
		want := []string{"refused", "refused", "refused", "refused", "accepted", "accepted", "refused"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", via, diff)
		}
	}
}

// An attempt is counted whatever way it comes, as the report counts it.
func TestAttemptsCountOverAllTransports(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(
		faults.Sequence(faults.Reject("the second")).OnAttempt(2),
		faults.Sequence(faults.Reject("the third")).OnAttempt(3),
		faults.Sequence(faults.Unavailable(), faults.Unavailable())))
	w := newWire(t, srv)
	var got []string
	for _, via := range []query.Protocol{query.GRPC, query.HTTPJSON, query.HTTPProtobuf, query.GRPC, query.HTTPJSON} {
		got = append(got, w.export(via, traces(span("a"))).Message)
	}
	want := []string{"unavailable, as scripted", "the second", "the third", "unavailable, as scripted", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := len(srv.Report().Batches); n != 1 {
		t.Errorf("got %d batches, want 1", n)
	}
}

func TestRulesSelectByHeaderConnectionAndRequest(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(
		faults.Always(faults.Reject("tenant")).OnHeader("X-Tenant", "b"),
		faults.Always(faults.Reject("connection")).OnConnection(2),
		faults.Sequence(faults.Reject("request")).OnRequest(2)))
	post := func(c *http.Client, tenant string) string {
		req, err := http.NewRequest(http.MethodPost, srv.HTTPEndpoint()+"/v1/traces", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Content-Type": {"application/json"}, "X-Tenant": {tenant}}
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		e := srv.Exports().Slice()
		return e[len(e)-1].Status.Message
	}
	other := &http.Client{Transport: &http.Transport{}}
	defer other.CloseIdleConnections()
	got := []string{post(srv.HTTPClient(), "b"), post(other, "a"), post(srv.HTTPClient(), "a"), post(srv.HTTPClient(), "a"), post(srv.HTTPClient(), "a")}
	want := []string{"tenant", "connection", "", "request", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRulesSelectByTimeSinceTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(
			faults.Always(faults.Unavailable()).Between(10*time.Second, 20*time.Second)))
		var got []int
		for range 4 {
			got = append(got, send(t, srv, span("a")))
			time.Sleep(8 * time.Second)
		}
		if diff := cmp.Diff([]int{200, 200, 503, 200}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// S-08: the items that a partial success refuses are those that match, and the
// number is right.
func TestItemsAreRejectedByFilter(t *testing.T) {
	for _, sig := range signals {
		for _, via := range protocols {
			filter := where.Attr("n", 2)
			srv := otlptest.Start(t, otlptest.WithFaults(
				faults.Sequence(faults.RejectItems("no", filter), faults.RejectItems("no", where.HasAttr("none"))).On(sig)))
			w := newWire(t, srv)
			all := numbered(sig, 4)
			w.export(via, all)
			if got := stored(srv, sig); got != 3 {
				t.Errorf("%s %s: got %d stored, want 3", sig, via, got)
			}
			w.export(via, all)
			exports := otlptest.Exactly(t, srv.Exports(), 2)
			if e := exports[0]; e.Outcome != query.Partial || e.Rejected != 1 || e.Stored != 3 {
				t.Errorf("%s %s: got %s with %d rejected, want a partial success with 1", sig, via, e, e.Rejected)
			}
			if e := exports[1]; e.Outcome != query.Accepted || e.Stored != 4 {
				t.Errorf("%s %s: got %s, want full success where nothing matches", sig, via, e)
			}
		}
	}
}

// A run becomes rules that make a second server answer the same.
func TestTranscriptsCanBeReplayed(t *testing.T) {
	run := func(rules []faults.Rule) []query.Reply {
		var replies []query.Reply
		synctest.Test(t, func(t *testing.T) {
			srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(rules...), otlptest.WithUnusedFaultsAllowed())
			w := newWire(t, srv)
			for range 9 {
				w.export(query.HTTPProtobuf, traces(span("a")))
				w.export(query.GRPC, traces(span("a")))
			}
			replies = srv.Report().Transcript()
		})
		return replies
	}
	rules, err := faults.Parse(`per batch: throttle 3s after 1s, reject "no" stored;
		request 2|3: partial 1 "half", exhausted 2s;
		rate 0.5 seed 3 http 502`)
	if err != nil {
		t.Fatal(err)
	}
	first := run(rules)
	again, err := faults.Replay(first)
	if err != nil {
		t.Fatal(err)
	}
	text := cmp.Transformer("", func(r query.Reply) query.Reply {
		r.Fault = "" // by another rule
		return r
	})
	if diff := cmp.Diff(first, run(again), text); diff != "" {
		t.Errorf("replayed by %v (-first +again):\n%s", again, diff)
	}
}

// numbered is a sample whose items have their number as an attribute.
func numbered(sig query.Signal, n int) proto.Message {
	m := sample(sig, n)
	for i := range n {
		number := attr("n", i)
		switch m := m.(type) {
		case *tracepb.TracesData:
			s := m.ResourceSpans[0].ScopeSpans[0].Spans[i]
			s.Attributes = append(s.Attributes, number)
		case *metricspb.MetricsData:
			p := m.ResourceMetrics[0].ScopeMetrics[0].Metrics[0].GetGauge().DataPoints[i]
			p.Attributes = append(p.Attributes, number)
		case *logspb.LogsData:
			r := m.ResourceLogs[0].ScopeLogs[0].LogRecords[i]
			r.Attributes = append(r.Attributes, number)
		}
	}
	return m
}

// C-43: what was acknowledged once must not come again, whatever came between.
func TestWhatComesAgainAfterItsAcknowledgementIsADuplicate(t *testing.T) {
	rules, err := faults.Parse("accept, unavailable")
	if err != nil {
		t.Fatal(err)
	}
	srv := otlptest.Start(t, otlptest.WithFaults(rules...))
	for range 3 {
		send(t, srv, span("a"))
	}
	if n := srv.Report().Items(); n.IllegalDuplicates != 1 || n.LegalDuplicates != 0 {
		t.Errorf("got %+v, want 1 duplicate that is not legal\n%s", n, srv.Report())
	}
	if err := srv.Report().Verify(query.NoDuplicates()); err == nil {
		t.Error("NoDuplicates is content")
	}
}
