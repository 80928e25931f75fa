package integration_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// Successes by their status, whatever is in them: none may be sent again, since
// the data has arrived.
//
// What the official exporters do today: those over gRPC return an error for
// each answer that is none of gRPC's or cannot be decoded, and those over HTTP
// only for what cannot be decoded, claims to be protobuf and has another type.
// So a login page (faults.HTML) is taken for success over HTTP, and its data is
// lost without a word.
var oddSuccesses = []struct {
	fault      faults.Fault
	grpc, http bool // whether the exporter is content
}{
	{faults.Raw(200, "application/json", `{"ok":true}`), false, true},
	{faults.Raw(200, "application/json", `{}`), false, true},
	{faults.Raw(200, "text/plain", "OK"), false, true},
	{faults.Raw(200, "", "OK"), false, true},
	{faults.Raw(200, "application/x-protobuf", `{"ok":true}`), false, false},
	{faults.Raw(200, "application/x-protobuf", ""), false, true},
	{faults.Raw(200, "application/x-protobuf", "\x0a\x00"), false, true},
	{faults.Raw(201, "text/plain", "created"), false, true},
	{faults.Raw(202, "", ""), false, true},
	{faults.Raw(204, "", ""), false, true},
	{faults.HTML(), false, true},
	{faults.Garbage(), false, false},
	{faults.Truncated(), false, false},
	{faults.Oversized(5 << 20), false, false}, // C-14
	{faults.HalfAnswer(), false, false},
	{faults.Encoded("gzip"), true, true},
	{faults.NewerAnswer(), true, true}, // S-39
}

func oddSuccessesAreNotRetried(t *testing.T) {
	t.Run("or the backend flags it", resendsAfterSuccessAreFlagged)
	for _, odd := range oddSuccesses {
		t.Run(odd.fault.String(), func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) {
				content := odd.http
				if p.grpc() {
					content = odd.grpc
				}
				sentOnce(t, p, odd.fault, content)
			})
			t.Run("http2", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					sentOnce(t, path{query.Traces, query.HTTPProtobuf}, odd.fault, odd.http, otlptest.WithTLS())
				})
			})
		})
	}
}

// sentOnce sends an export to a server that always answers like that.
func sentOnce(t *testing.T, p path, fault faults.Fault, content bool, opts ...otlptest.Option) {
	srv := startInMemory(t, append(opts, otlptest.WithFaults(faults.Always(fault)))...)
	if err := p.configured(t, srv, settings{retries: patient}).export(t.Context()); (err == nil) != content {
		t.Errorf("got error %v, want content %t", err, content)
	}
	verify(t, srv, query.NotRetried(), query.MaxAttempts(1))
	items := 0
	if fault.Stores() {
		items = onlyBatch(t, srv).Items
	}
	if got := stored(srv, p.signal); got != items {
		t.Errorf("got %d items stored, want %d", got, items)
	}
	noViolations(t, srv.Violations())
}

// What the collector did with such an answer, by a client of our own: it sends
// the data again, and the backend flags that.
func resendsAfterSuccessAreFlagged(t *testing.T) {
	for _, odd := range oddSuccesses {
		if odd.fault.Kind == faults.KindOversized {
			continue // it takes long, and is as any other to this client
		}
		t.Run(odd.fault.String(), func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) { resentAfter(t, p, odd.fault) })
		})
	}
}

func resentAfter(t *testing.T, p path, fault faults.Fault) {
	srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(fault)))
	c := newClient(t, srv)
	body := mustMarshal(t, sampleOf(p.signal).data)
	c.send(t.Context(), p, body, false)
	verify(t, srv, query.NotRetried())
	time.Sleep(time.Second)
	c.mustSend(t, p, body)
	wantMention(t, srv.Report().Verify(query.NotRetried()), "NotRetried: got 1 of")
	// No acknowledgement (C-43): without its end, or without a status of gRPC.
	half := fault.Kind == faults.KindHalf || fault.Kind == faults.KindRaw && p.grpc()
	exports := otlptest.Exactly(t, srv.Exports(), 2)
	if exports[0].Acknowledged() == half || (onlyOf(srv.Report()) != nil) != half {
		t.Errorf("want a batch that begins anew: %t:\n%s", !half, srv.Report())
	}
	if p.signal != query.Traces {
		return // only spans prove that it is the same data
	}
	flagged := srv.Violations(where.Rule("C-43")).Len()
	if illegal := srv.Report().Items().IllegalDuplicates; half && illegal+flagged > 0 || !half && (flagged != 1 || (illegal > 0) != fault.Stores()) {
		t.Errorf("got %d violations and %d duplicates:\n%s", flagged, illegal, srv.Report())
	}
}

// onlyOf is the one batch of a report, or nil if there are others.
func onlyOf(r query.Report) *query.Batch {
	if len(r.Batches) != 1 {
		return nil
	}
	return &r.Batches[0]
}

// S-08, C-12: a provider's flush says how many of its items were refused, and
// the others are there.
func twoOfFiveAreRefused(t *testing.T) {
	first := where.Any(where.Attr("item", 0), where.Attr("item", 1))
	for name, rules := range map[string][]faults.Rule{
		"the first two": {faults.Always(faults.PartialSuccess(2, "too long"))},
		"by filters": {
			faults.Always(faults.RejectItems("too long", where.Any(where.Name("item 0"), where.Name("item 1")))).On(query.Traces),
			faults.Always(faults.RejectItems("too long", first)).On(query.Metrics),
			faults.Always(faults.RejectItems("too long", first)).On(query.Logs),
		},
	} {
		for _, protocol := range protocols {
			t.Run(name+" "+string(protocol), func(t *testing.T) { twoRefused(t, protocol, rules) })
		}
	}
}

func twoRefused(t *testing.T, protocol query.Protocol, rules []faults.Rule) {
	srv := otlptest.Start(t, otlptest.WithFaults(rules...))
	p := newPipelines(t, srv, protocol)
	defer p.shutdown(t)
	for i := range 5 {
		p.record(fmt.Sprint("item ", i), i)
	}
	for _, flush := range []func(context.Context) error{p.traces.ForceFlush, p.metrics.ForceFlush, p.logs.ForceFlush} {
		err := flush(t.Context())
		wantMention(t, err, "too long")
		wantMention(t, err, "(2 ")
	}
	for _, e := range otlptest.Exactly(t, srv.Exports(), 3) {
		if e.Outcome != query.Partial || e.Rejected != 2 || e.Items != 5 || e.Stored != 3 || stored(srv, e.Signal) != 3 {
			t.Errorf("got %s with %d of %d stored, want 3 of 5", e, e.Stored, e.Items)
		}
	}
	if c := srv.Report().Items(); c.Sent != 15 || c.Delivered != 9 || c.Refused != 6 || c.Lost != 0 {
		t.Errorf("got %+v, want 6 of 15 refused and none lost", c)
	}
	verify(t, srv, query.NotRetried(), query.NoLoss())
	srv.ClearFaults() // metrics are sent once more at the end
}

// The only official exporter with JSON is that of traces. It reads both forms
// of a number.
func answersInJSONAreRead(t *testing.T) {
	for name, test := range map[string]struct {
		fault faults.Fault
		want  string // in the error; empty for none
	}{
		"none":          {faults.Accept(), ""},
		"empty":         {faults.PartialSuccess(0, ""), ""},
		"of text":       {faults.Raw(200, "application/json", `{"partialSuccess":{}}`), ""},
		"null":          {faults.Raw(200, "application/json", `{"partialSuccess":null}`), ""},
		"a newer field": {faults.NewerAnswer(), ""},
		"a warning":     {faults.PartialSuccess(0, "deprecated"), "deprecated (0 "},
		"some":          {faults.PartialSuccess(1, "too long"), "too long (1 "},
		"a number":      {faults.Raw(200, "application/json", `{"partialSuccess":{"rejectedSpans":2,"errorMessage":"no"}}`), "no (2 "},
		"a string":      {faults.Raw(200, "application/json", `{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}`), "no (2 "},
	} {
		t.Run(name, func(t *testing.T) {
			srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(test.fault)))
			e, err := otlptracehttp.New(t.Context(), otlptracehttp.WithEndpointURL(srv.HTTPEndpoint()+"/v1/traces"),
				otlptracehttp.WithHTTPClient(srv.HTTPClient()), otlptracehttp.WithEncoding(otlptracehttp.EncodingJSON))
			if err != nil {
				t.Fatal(err)
			}
			err = e.ExportSpans(t.Context(), sampleSpans())
			if test.want != "" {
				wantMention(t, err, test.want)
			} else if err != nil {
				t.Errorf("got %v, want success", err)
			}
			if got := otlptest.One(t, srv.Exports()); got.Protocol != query.HTTPJSON {
				t.Errorf("got %s, want JSON", got)
			}
			verify(t, srv, query.NotRetried())
		})
	}
}
