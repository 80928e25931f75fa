package store_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func violations(s *store.Store, where ...query.Filter) query.View[query.Violation] {
	return query.NewView(store.Violations{Source: store.SourceOf(s)}, where...)
}

func rules(v query.View[query.Violation]) string {
	var list []string
	for v := range v.All() {
		list = append(list, fmt.Sprint(v.Export, " ", v.Rule))
	}
	return strings.Join(list, ", ")
}

// spanWithout is a record of a span that has nothing but a name.
func spanWithout(s *store.Store, conn int, p query.Protocol) *store.Record {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{Name: "charge"}}}}}}})
	if err != nil {
		panic(err)
	}
	return s.NewRecord(query.Export{
		Signal: query.Traces, Protocol: p, Conn: conn, Items: 1, BodySize: len(body), Outcome: query.Open,
		Header: query.Header{"user-agent": {"exporter/1"}, "content-type": {"application/json"}},
	}, body)
}

func TestViolationsAreOfEachExport(t *testing.T) {
	s := store.New(time.Second)
	a, b := spanWithout(s, 7, query.GRPC), spanWithout(s, 8, query.HTTPJSON)
	b.Departures([]otlpjson.Departure{{Rule: "S-33", Path: "resourceSpans[0]", Got: "a", Want: "b"}})
	for _, r := range []*store.Record{a, b} {
		r.KeepAll()
		s.Append(r)
	}
	want := "1 R-01, 1 S-40, 1 S-40, 1 R-02, 1 R-02, 2 S-33, 2 R-01, 2 S-40, 2 S-40, 2 R-02, 2 R-02"
	if got := rules(violations(s)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	all := violations(s, where.Rule("S-40")).Slice()
	if len(all) != 4 || all[0].Path != "resource_spans[0].scope_spans[0].spans[0].trace_id" || all[2].Path != "resourceSpans[0].scopeSpans[0].spans[0].traceId" {
		t.Errorf("got %v, want four, the last two in the names of JSON", all)
	}
	for _, v := range all {
		if v.Conn != v.Export+6 || v.Signal != query.Traces || v.Ref.Export().Number != v.Export || v.Doc == "" || v.Item != "charge" {
			t.Errorf("got %+v, want it to lead to its export", v)
		}
	}
}

func TestViolationsAreFiltered(t *testing.T) {
	s := store.New(time.Second)
	s.Append(spanWithout(s, 1, query.GRPC))
	named := where.Func("a start", func(v query.Violation) bool { return strings.HasSuffix(v.Path, ".start_time_unix_nano") })
	for _, c := range []struct {
		filters []query.Filter
		want    string
	}{
		{[]query.Filter{where.Rule("R-02")}, "1 R-02, 1 R-02"},
		{[]query.Filter{named}, "1 R-02"},
		{[]query.Filter{named, where.Rule("S-40")}, ""},
		{[]query.Filter{where.Not(where.Any(where.Rule("S-40"), named))}, "1 R-01, 1 R-02"},
		{[]query.Filter{where.Rule("S-41")}, ""},
	} {
		v := violations(s, c.filters...)
		if got := rules(v); v.Err() != nil || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", v, got, v.Err(), c.want)
		}
	}
	for _, f := range []query.Filter{where.Name("charge"), where.Func("x", func(query.Export) bool { return true })} {
		if err := violations(s, f).Err(); err == nil || !strings.HasSuffix(err.Error(), "not to violations") {
			t.Errorf("%s: got %v, want that it does not apply", f, err)
		}
	}
}

func TestViolationsOfAMalformedBody(t *testing.T) {
	s := store.New(time.Second)
	e := query.Export{Signal: query.Traces, Protocol: query.GRPC, BodySize: 5, Outcome: query.Malformed, Header: query.Header{"user-agent": {"exporter/1"}}}
	received := []byte{0x0a, 0x03, 0x1a, 0x01, 0xff}
	_, why := wire.Validate(query.Traces, received)
	cut := s.NewRecord(e, nil)
	cut.Malformed(received, fmt.Errorf("request is not valid protobuf: %w", why))
	gzip := s.NewRecord(e, nil)
	gzip.Malformed([]byte("\x1f\x8b and much more than is kept"), why)
	for _, r := range []*store.Record{cut, gzip, s.NewRecord(e, nil)} {
		s.Append(r)
	}
	nothing := s.NewRecord(e, nil)
	nothing.Malformed(nil, errors.New("nothing came"))
	s.Append(nothing)
	if got, want := rules(violations(s)), "1 C-16, 2 C-17, 3 C-16, 4 C-16"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := violations(s).Slice()[0].Path; got != "resource_spans[0].schema_url" {
		t.Errorf("got path %q", got)
	}
}

func TestViolationsFollowWhatBecomesOfAnExport(t *testing.T) {
	s := store.New(time.Second)
	r := spanWithout(s, 1, query.GRPC)
	s.Append(r)
	count := violations(s).Len()
	s.Finish(r, func(e *query.Export) {
		e.Outcome, e.Status.Code, e.Answered = query.Refused, 3, time.Now()
	})
	again := spanWithout(s, 1, query.GRPC)
	s.Append(again)
	s.Finish(again, func(e *query.Export) { e.Arrived = time.Now() })
	if got := violations(s, where.Rule("C-01")).Len(); got != 1 {
		t.Errorf("got %d retries, want 1 beside %d", got, count)
	}
	s.Reset()
	if got := violations(s).Slice(); len(got) == 0 || got[0].Export != 1 {
		t.Errorf("got %v after Reset, want those of the export that is open, as number 1", got)
	}
}

func TestViolationsExplainThemselves(t *testing.T) {
	s := store.New(time.Second)
	if got, want := violations(s).Source().Explain(nil), "  exports  none has come, and no client has connected\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for range 5 {
		s.Append(spanWithout(s, 1, query.GRPC))
	}
	got := violations(s, where.Rule("R-01")).Explain(5, 0, "exactly 1")
	const head = `got 5 violations, want exactly 1 where rule="R-01"
  seen     R-01 warning  export 1 resource_spans[0].resource.attributes: got no service.name, want
             the name of the service (match)
           S-40 error  export 1 resource_spans[0].scope_spans[0].spans[0].trace_id of span "charge":
             got none, want 16 bytes that are not all zero
`
	const tail = `
           … and 5 more
  exports  1 traces grpc 1 span open | `
	if !strings.HasPrefix(got, head) || !strings.Contains(got, tail) {
		t.Errorf("got %s\nwant it to begin with\n%s\nand to have\n%s", got, head, tail)
	}
}

func TestRefusedItemsAreNotStored(t *testing.T) {
	s := store.New(time.Second)
	a, b, c := record(s, "a", "b", "c", "d", "e"), record(s, "f", "g"), record(s, "h", "i")
	var refused wire.Set
	refused.Add(1)
	refused.Add(3)
	a.KeepExcept(refused)
	b.KeepExcept(wire.First(2))
	c.KeepAll()
	for _, r := range []*store.Record{a, b, c} {
		s.Append(r)
	}
	var got string
	for sp := range spans(s).All() {
		got += fmt.Sprint(sp.Ref.Number(), sp.Name, " ")
	}
	if want := "1a 2c 3e 4h 5i "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if a.Export().Stored != 3 || b.Export().Stored != 0 || c.Export().Stored != 2 {
		t.Errorf("got %d, %d and %d stored, want 3, 0 and 2", a.Export().Stored, b.Export().Stored, c.Export().Stored)
	}
	text := spans(s).Source().Explain([]query.Filter{where.Any(where.Name("b"), where.Name("c"), where.Name("g"))})
	if !strings.Contains(text, "1 traces 5 spans open (held 1 span that would match)") || !strings.Contains(text, "2 traces 2 spans open (held 1 span that would match)") {
		t.Errorf("got %s\nwant that two exports held what was refused", text)
	}
}

// Asking for violations and receiving do not disturb each other; run it with
// -race.
func TestViolationsWhileReceiving(t *testing.T) {
	s := store.New(time.Second)
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for w := range 4 {
		writers.Go(func() {
			for i := range 60 {
				r := spanWithout(s, w+1, query.GRPC)
				r.Departures([]otlpjson.Departure{{Rule: "S-33"}})
				r.Keep(0)
				s.Append(r)
				finish(s, r)
				if w == 0 && i%20 == 19 {
					s.Reset()
				}
			}
		})
	}
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				last := 0
				for v := range violations(s).All() {
					if v.Export < last || v.Export == 0 {
						t.Errorf("got a violation of export %d after one of %d", v.Export, last)
					}
					last = v.Export
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
}
