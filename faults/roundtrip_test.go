package faults_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// rounds is how many random rules each property is tried with.
const rounds = 1_000

func TestTextRoundTrip(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	for range rounds {
		want := []faults.Rule{g.rule(), g.rule()}
		got, err := faults.Parse(join(want))
		if err != nil {
			t.Fatalf("Parse(%s): %v", join(want), err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n got %#v\nwant %#v", join(want), got, want)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	for range rounds {
		want := g.rule()
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatalf("Marshal(%s): %v", want, err)
		}
		var got faults.Rule
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("Unmarshal(%s): %v", text, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n got %#v\nwant %#v", text, got, want)
		}
	}
}

// The properties above say nothing of a field that is always zero.
func TestRulesOfEveryFieldAreTried(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	seen := map[string]bool{}
	see := func(v any) {
		for i, s := 0, reflect.ValueOf(v); i < s.NumField(); i++ {
			name := s.Type().Field(i).Name
			seen[name] = seen[name] || !s.Field(i).IsZero()
		}
	}
	kinds := map[faults.Kind]bool{}
	for range rounds {
		r := g.rule()
		see(r)
		for _, f := range r.Faults {
			see(f)
			kinds[f.Kind] = true
		}
	}
	for name, ok := range seen {
		if !ok {
			t.Errorf("no rule has a %s", name)
		}
	}
	for _, k := range faults.Kinds() {
		if !kinds[k] {
			t.Errorf("no rule has a fault of kind %q", k)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range texts {
		f.Add(c.text)
	}
	g := generator{rand.New(rand.NewPCG(7, 8))}
	for range 50 {
		f.Add(g.rule().String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := faults.Parse(text)
		if err != nil {
			return
		}
		again, err := faults.Parse(join(rules))
		if err != nil {
			t.Fatalf("Parse(%q) is printed as what cannot be read: %v", text, err)
		}
		// A NaN in a filter is equal to nothing, so that texts stand for rules.
		if join(again) != join(rules) || !strings.Contains(text, "NaN") && !reflect.DeepEqual(again, rules) {
			t.Fatalf("Parse(%q)\n got %#v\nwant %#v", text, again, rules)
		}
	})
}

func FuzzJSON(f *testing.F) {
	for _, c := range texts {
		for _, r := range c.rules {
			text, err := json.Marshal(r)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Add([]byte(`{"faults": ["throttle 30s after 1s", "ok"], "always": false}`))
	g := generator{rand.New(rand.NewPCG(5, 6))}
	for range 50 {
		text, err := json.Marshal(g.rule())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var rule, again faults.Rule
		if err := json.Unmarshal(text, &rule); err != nil {
			return
		}
		written, err := json.Marshal(rule)
		if err != nil {
			t.Fatalf("%s cannot be written: %v", text, err)
		}
		if err := json.Unmarshal(written, &again); err != nil || again.String() != rule.String() {
			t.Fatalf("%s is written as %s and read as %s, %v", text, written, again, err)
		}
	})
}

func join(rules []faults.Rule) string {
	texts := make([]string, len(rules))
	for i, r := range rules {
		texts[i] = r.String()
	}
	return strings.Join(texts, "; ")
}

// generator makes rules that can work, without functions.
type generator struct{ *rand.Rand }

func pick[T any](g generator, from ...T) T { return from[g.IntN(len(from))] }

func (g generator) rule() faults.Rule {
	for {
		r := g.selectors(faults.Rule{Repeat: pick(g, 0, 0, 1, 2, 1000)})
		for range 1 + g.IntN(4) {
			f := g.fault()
			for range pick(g, 1, 1, 2, 5) {
				r.Faults = append(r.Faults, f)
			}
		}
		switch g.IntN(8) {
		case 0, 1:
			r.Faults, r.Forever = r.Faults[:1], true
		case 2:
			r.Faults, r.Forever = r.Faults[:1], true
			r.Chance, r.Seed = pick(g, 1, 0.5, 1e-9, g.Float64()), g.Uint64()
		case 3:
			r.EachBatch = true
		}
		if r.Check() == nil {
			return r
		}
	}
}

func (g generator) selectors(r faults.Rule) faults.Rule {
	r.Signal = pick(g, "", query.Traces, query.Metrics, query.Logs)
	r.Protocol = pick(g, "", query.GRPC, query.HTTPProtobuf, query.HTTPJSON)
	for range pick(g, 0, 0, 1, 2) {
		r = r.OnHeader(pick(g, "x-a", "X-B", "~"), g.headerValue())
	}
	r.Connections, r.Attempts, r.Requests = g.numbers(), g.numbers(), g.numbers()
	if g.IntN(4) == 0 {
		r.From = g.duration()
	}
	if g.IntN(4) == 0 {
		r.Until = g.duration()
	}
	for range pick(g, 0, 0, 1, 3) {
		r.Filters = append(r.Filters, g.filter())
	}
	return r
}

func (g generator) numbers() []int {
	return pick(g, nil, nil, nil, []int{1}, []int{3, 1}, []int{1, 2, math.MaxInt})
}

func (g generator) fault() faults.Fault {
	for {
		f := g.modified(g.kind())
		if f.Check() == nil {
			return f
		}
	}
}

func (g generator) kind() faults.Fault {
	message := func(f faults.Fault) faults.Fault {
		f.Message = g.text()
		return f
	}
	return pick(g,
		faults.Accept(), faults.Unavailable(), faults.Throttle(g.duration()), faults.ResourceExhausted(g.duration()),
		faults.Reject(g.text()), message(faults.Code(codes.Code(1+g.IntN(16)))), message(faults.HTTPStatus(400+g.IntN(200))),
		faults.Redirect(pick(g, 301, 308), pick(g, "", "http://a", "https://[::1]:4318/ü?a=[b],; c#")),
		faults.PartialSuccess(g.Int64(), g.text()), faults.RejectItems(g.text(), g.filter(), g.filter()),
		faults.NewerAnswer(), faults.Garbage(), faults.Truncated(), faults.Oversized(1+g.Int64N(1<<30)), faults.HugeTrailers(1+g.Int64N(1<<24)),
		faults.Encoded(pick(g, "gzip", "x-a", "x2", "after")), faults.Raw(200+g.IntN(400), g.headerValue(), pick(g, "\xff\xfe", g.text())), faults.HTML(),
		faults.Capacity(pick(g, 0, 1000, g.Float64(), g.ExpFloat64()*1e22), pick(g, 0, 1, math.MaxInt)), faults.OldServer(),
		faults.Hang(), faults.HalfAnswer(), faults.Reset(), faults.Close(), faults.Blackhole(),
		faults.ResetStream(g.http2()), faults.GoAway(pick[uint32](g, 0, 1, 7, math.MaxInt32), g.http2()), faults.Outage(g.duration()),
	)
}

// modified is the fault with modifiers that it may not be able to have.
func (g generator) modified(f faults.Fault) faults.Fault {
	for range g.IntN(5) {
		f = pick(g,
			f.After(g.duration()), f.ReadAfter(g.duration()), f.ReadSlowly(1+g.Int64()>>1), f.BeforeReading(), f.Stored(), f.Lost(),
			f.RetryIn(g.duration()), f.AsDate(), f.With(pick(g, "grpc-retry-pushback-ms", "X-A", "x-bin"), g.headerValue()),
			f.WithDetails(g.detail(), g.detail()), g.unknownDetail(f), f.AfterHeaders(), f.ThenClose(),
		)
	}
	return f
}

func (g generator) http2() faults.HTTP2Code { return faults.HTTP2Code(g.IntN(14)) }

func (g generator) headerValue() string {
	return pick(g, "", "why", `"; traces: ok`, "\t größer <&>", "]}", "closing")
}

func (g generator) detail() proto.Message {
	nested, err := anypb.New(&errdetails.RequestInfo{RequestId: g.text()})
	if err != nil {
		panic(err)
	}
	return pick[proto.Message](g,
		&errdetails.QuotaFailure{Violations: []*errdetails.QuotaFailure_Violation{{Subject: g.text()}, {}}},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(g.duration())}, &errdetails.ErrorInfo{Metadata: map[string]string{"b": g.text(), "a": "", "c": "}"}},
		&status.Status{Code: 3, Details: []*anypb.Any{nested, {TypeUrl: "x/my.Own", Value: []byte{1}}}}, durationpb.New(5), nested,
	)
}

// unknownDetail adds a detail whose fields JSON cannot hold.
func (g generator) unknownDetail(f faults.Fault) faults.Fault {
	f.Details = append(f.Details[:len(f.Details):len(f.Details)], pick(g,
		faults.Detail{Type: "my.Own", Value: g.text()},
		faults.Detail{Type: "google.rpc.RequestInfo", Value: "\x0a\x01a\xf8\x3f\x01"}, // with a field 1023
		faults.Detail{Type: "google.rpc.RequestInfo", Value: "\x0a"},
	))
	return f
}

func (g generator) duration() time.Duration {
	return time.Duration(g.Int64N(pick(g, 1, 1000, int64(time.Second), int64(time.Hour), math.MaxInt64)))
}

func (g generator) text() string {
	return pick(g, "", "why", `"; traces: ok`, "]", "[", ", x2", `\`, "line\nline", "größer <&> \u2028", "\x00\x7f", "stored")
}

func (g generator) filter() query.Filter {
	switch g.IntN(8) {
	case 0:
		return where.Not(g.filter())
	case 1:
		return where.Any(g.filter(), g.filter())
	}
	return pick(g,
		where.Name(g.text()), where.Service(g.text()), where.ScopeName(g.text()), where.Root(),
		where.Attr(g.text(), g.text()), where.Attr("n", g.Int64()), where.Attr("f", g.Float64()), where.Attr("b", true),
		where.HasAttr("http.route"), where.ResourceAttr("tenant/x", "]\xff"), where.HasResourceAttr(g.text()),
		where.Kind(query.SpanKind(g.IntN(7))), where.Status(query.StatusError), where.TraceID(query.TraceID{1: 9}),
	)
}
