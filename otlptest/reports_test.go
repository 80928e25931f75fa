package otlptest_test

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// report is what went wrong for somebody else: a repository and the number of
// an issue or a pull request there.
type report struct {
	number, symptom string
	test            func(t *testing.T)
}

// What a backend has to get right for each of these. The module integration
// has more of them, with the official exporters.
func TestPublicReports(t *testing.T) {
	for _, r := range slices.Concat(requestReports, jsonReports, dataReports) {
		t.Run(r.number, func(t *testing.T) {
			t.Log(r.symptom)
			r.test(t)
		})
	}
}

var requestReports = []report{
	{"open-telemetry/opentelemetry-go#3438", "an empty partial success was an error", emptyPartialSuccessIsSuccess},
	{"MindfulSoftwareLLC/dartastic_opentelemetry#226", "a partial success was never read", func(t *testing.T) { partialSuccessIs(t, 2, "two of them") }},
	{"open-telemetry/opentelemetry-collector#11056", "retries duplicate spans", lostAnswersDuplicateLegally},
	{"open-telemetry/opentelemetry-go#8185", "a redirect lost the body's encoding", compressedBodiesAreOnRecord},
	{"open-telemetry/opentelemetry-collector#7452", "application/json; charset=utf-8 was refused", mediaTypesHaveNoCase},
	{"agentevals-dev/agentevals#171", "bad bodies were 500, or a success", badBodiesAreTheClientsFault},
	{"open-telemetry/opentelemetry-go#4266", "calls over 4 MiB were dropped", largeRequestsAreAccepted},
	{"open-telemetry/opentelemetry-go#2338", "a signal's endpoint without a path went nowhere", otherPathsAreOnRecordWithTheirData},
	{"equinix-labs/otel-cli#200", "a base path lost its suffix", basePathsAreKept},
	{"open-telemetry/opentelemetry-go#5623", "header keys were percent-decoded", headersAreOnRecordAsTheyCame},
	{"open-telemetry/opentelemetry-python#1851", "Authorization is illegal as metadata", authorizationHasNoCase},
}

// The client cannot know that its data was kept, and sends it again: that is
// legal (C-43), and the ledger tells it from a loss.
func lostAnswersDuplicateLegally(t *testing.T) {
	for _, sig := range signals {
		for _, via := range protocols {
			srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Hang().Stored(), faults.Unavailable().Stored())))
			w := newWire(t, srv)
			w.giveUp(via, sample(sig, 2))
			w.export(via, sample(sig, 2))
			w.export(via, sample(sig, 2))
			if n := stored(srv, sig); n != 6 {
				t.Errorf("got %d items, want 2 three times", n)
			}
			if r := srv.Report(); len(r.Batches) != 1 || r.Batches[0].Deliveries() != 3 || !r.Batches[0].Acknowledged() || r.Batches[0].RepeatOf() != nil {
				t.Errorf("got the report\n%swant one batch that was delivered three times", r)
			}
			conforms(t, srv)
		}
	}
}

// giveUp exports and ends the request once the server has it.
func (w *wire) giveUp(via query.Protocol, m proto.Message) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.t.Context())
	defer cancel()
	body := encode(w.t, via, m)
	done := make(chan error)
	go func() {
		if via == query.GRPC {
			done <- w.conn.Invoke(ctx, exportMethod[signalOf(m)], &body, new([]byte), grpc.ForceCodec(rawCodec{}))
			return
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.srv.HTTPEndpoint()+"/v1/"+string(signalOf(m)), bytes.NewReader(body))
		if err == nil {
			req.Header.Set("Content-Type", mediaType[via])
			_, err = w.srv.HTTPClient().Do(req)
		}
		done <- err
	}()
	otlptest.Await(w.t, w.srv.Exports(), 1)
	cancel()
	if err := <-done; err == nil {
		w.t.Error("the server answered, want it to hang")
	}
	gaveUp := func(e query.Export) bool { return e.Outcome == query.Abandoned && e.Stored > 0 }
	otlptest.Await(w.t, w.srv.Exports(where.Func("given up", gaveUp)), 1)
}

func compressedBodiesAreOnRecord(t *testing.T) {
	eachPath(t, nil, func(t *testing.T, w *wire, sig query.Signal, via query.Protocol) {
		m := full(sig)
		body := encode(t, via, m)
		if got := w.send(via, sig, body, true).String(); got != success(via) {
			t.Errorf("got %s, want %s", got, success(via))
		}
		e := otlptest.One(t, w.srv.Exports())
		if e.Encoding != "gzip" || e.WireSize == e.BodySize || e.BodySize != len(body) || !proto.Equal(m, e.Proto()) {
			t.Errorf("got %+v with %v, want %d bytes in gzip that are %v", e, e.Proto(), len(body), m)
		}
		if via != query.GRPC && (e.Header.Get("content-encoding") != "gzip" || e.WireSize != len(zip(body))) {
			t.Errorf("got %d bytes and header %v, want %d bytes in gzip", e.WireSize, e.Header, len(zip(body)))
		}
	})
}

func badBodiesAreTheClientsFault(t *testing.T) {
	eachPath(t, nil, func(t *testing.T, w *wire, sig query.Signal, via query.Protocol) {
		good := encode(t, via, sample(sig, 3))
		n := 0
		for name, body := range map[string][]byte{
			"garbage": []byte("\xff\xfe\x00garbage"), "cut off": good[:len(good)-3], "of the other encoding": encode(t, otherEncoding(via), sample(sig, 3)),
			"text": []byte("hello"), "a page": []byte("<html></html>"), "more behind it": append(bytes.Clone(good), 0x07, '}'),
		} {
			for _, zipped := range []bool{false, true} {
				n++
				r := w.send(via, sig, body, zipped)
				if want := refusal(via, codes.InvalidArgument, 400); !strings.HasPrefix(r.String(), want+` "`) {
					t.Errorf("got %s for %s, gzip %t, want %s and a message", r, name, zipped, want)
				}
				if e := otlptest.Exactly(t, w.srv.Exports(), n)[n-1]; e.Outcome != query.Malformed || e.Acknowledged() || e.Stored != 0 {
					t.Errorf("got %s on record for %s, want it malformed", e, name)
				}
			}
		}
		if via != query.GRPC {
			for name, body := range map[string][]byte{"plain": good, "cut off": zip(good)[:20], "empty": nil} {
				r := w.post("/v1/"+string(sig), http.Header{"Content-Type": {mediaType[via]}, "Content-Encoding": {"gzip"}}, body)
				if r.HTTP != 400 || r.Code != codes.InvalidArgument || r.Message == "" {
					t.Errorf("got %s for %s bytes as gzip, want 400", r, name)
				}
			}
		}
		if n := stored(w.srv, sig); n != 0 {
			t.Errorf("got %d items stored of what was refused", n)
		}
	})
}

func otherEncoding(via query.Protocol) query.Protocol {
	if via == query.HTTPJSON {
		return query.HTTPProtobuf
	}
	return query.HTTPJSON
}

func largeRequestsAreAccepted(t *testing.T) {
	for _, sig := range signals {
		srv := otlptest.Start(t)
		limited := otlptest.Start(t, otlptest.WithMaxRequestSize(1<<20))
		for _, via := range protocols {
			m := large(sig, 4<<20+1)
			if got := newWire(t, srv).export(via, m).String(); got != success(via) {
				t.Errorf("got %s for %s of %d bytes, want %s", got, sig, proto.Size(m), success(via))
			}
			r := newWire(t, limited).export(via, m)
			if want := refusal(via, codes.ResourceExhausted, 413); !strings.HasPrefix(r.String(), want+` "`) || len(r.Details) > 0 {
				t.Errorf("got %s over the limit, want %s without RetryInfo", r, want)
			}
		}
		if n := stored(srv, sig); n != 3 {
			t.Errorf("got %d items stored of %s, want 3", n, sig)
		}
		for _, e := range otlptest.Await(t, limited.Exports(), 3) {
			if e.Outcome != query.Refused || e.Status.Code != query.Code(codes.ResourceExhausted) || e.Stored != 0 {
				t.Errorf("got %s on record, want it refused", e)
			}
		}
	}
}

// large is an item of a signal with a long text in it.
func large(sig query.Signal, size int) proto.Message {
	text := strings.Repeat("x", size)
	switch sig {
	case query.Traces:
		s := goodSpan()
		s.Name = text
		return traces(s)
	case query.Metrics:
		return metrics(gauge(text, intPoint(1)))
	}
	r := goodRecord()
	r.Body = stringValue(text)
	return logs(r)
}

func otherPathsAreOnRecordWithTheirData(t *testing.T) {
	for _, path := range []string{"", "/", "/traces", "/v1/logs/v1/logs", "/v1/metrics/", "/otlp/v1/traces", "/API"} {
		for _, via := range overHTTP {
			for _, sig := range signals {
				if named := strings.Contains(path, "s"); named && !strings.Contains(path, string(sig)) {
					continue
				}
				srv := otlptest.Start(t)
				m := sample(sig, 2)
				r := newWire(t, srv).post(path, http.Header{"Content-Type": {mediaType[via]}}, encode(t, via, m))
				if r.HTTP != 404 || r.Message == "" {
					t.Errorf("got %s for path %q, want 404 and why", r, path)
				}
				e := otlptest.One(t, srv.Exports())
				if want := "/" + strings.TrimPrefix(path, "/"); e.Path != want || e.Signal != sig || e.Items != 2 || e.Stored != 0 || !proto.Equal(m, e.Proto()) {
					t.Errorf("got %s with %v, want two items of %s in %s", e, e.Proto(), sig, want)
				}
				if n := stored(srv, sig); n != 0 {
					t.Errorf("got %d items stored of what was refused", n)
				}
				if v := srv.Violations(where.Any(where.Rule("C-25"), where.Rule("C-26"), where.Rule("C-27"))).Slice(); len(v) != 1 {
					t.Errorf("got violations %v for path %q, want one", v, path)
				}
			}
		}
	}
}

func basePathsAreKept(t *testing.T) {
	for _, prefix := range []string{"/mycollector/", "mycollector", "/a/b/c"} {
		srv := otlptest.Start(t, otlptest.WithPathPrefix(prefix))
		w := newWire(t, srv)
		for _, via := range overHTTP {
			for _, sig := range signals {
				if got := w.export(via, sample(sig, 1)).String(); got != success(via) {
					t.Errorf("got %s for %s below %s, want %s", got, sig, prefix, success(via))
				}
			}
		}
		for _, e := range otlptest.Exactly(t, srv.Exports(), 6) {
			if want := "/" + strings.Trim(prefix, "/") + "/v1/" + string(e.Signal); e.Path != want {
				t.Errorf("got path %s on record, want %s", e.Path, want)
			}
		}
	}
}

func headersAreOnRecordAsTheyCame(t *testing.T) {
	want := map[string][]string{"a%20b": {"1"}, "c": {"x y", "z"}, "d": {"a=b,c;d"}, "e": {"x%20y"}}
	for _, via := range protocols {
		srv := otlptest.Start(t)
		w := newWire(t, srv)
		body := encode(t, via, sample(query.Traces, 1))
		if via == query.GRPC {
			ctx := metadata.NewOutgoingContext(t.Context(), metadata.Pairs("c", "x y", "c", "z", "D", "a=b,c;d", "e", "x%20y"))
			if err := w.conn.Invoke(ctx, exportMethod[query.Traces], &body, new([]byte), grpc.ForceCodec(rawCodec{})); err != nil {
				t.Fatal(err)
			}
		} else {
			w.post("/v1/traces", http.Header{"Content-Type": {mediaType[via]}, "A%20b": want["a%20b"], "C": want["c"], "D": want["d"], "E": want["e"]}, body)
		}
		h := otlptest.One(t, srv.Exports()).Header
		for name, values := range want {
			if via == query.GRPC && strings.Contains(name, "%") {
				continue // gRPC has no such names
			}
			if diff := cmp.Diff(values, h[name]); diff != "" || h.Get(strings.ToUpper(name)) != values[0] {
				t.Errorf("header %s over %s (-want +got):\n%s", name, via, diff)
			}
		}
	}
}

func authorizationHasNoCase(t *testing.T) {
	for _, name := range []string{"authorization", "Authorization", "AUTHORIZATION"} {
		srv := otlptest.Start(t, otlptest.WithAuth(otlptest.Bearer("secret")))
		w := newWire(t, srv)
		for i, via := range protocols {
			body := encode(t, via, sample(query.Logs, 1))
			refused := w.export(via, sample(query.Logs, 1))
			if want := refusal(via, codes.Unauthenticated, 401); !strings.HasPrefix(refused.String(), want+` "`) {
				t.Errorf("got %s without a header, want %s", refused, want)
			}
			if via == query.GRPC {
				ctx := metadata.NewOutgoingContext(t.Context(), metadata.Pairs(name, "Bearer secret"))
				if err := w.conn.Invoke(ctx, exportMethod[query.Logs], &body, new([]byte), grpc.ForceCodec(rawCodec{})); err != nil {
					t.Errorf("with %s: %v", name, err)
				}
			} else if got := w.post("/v1/logs", http.Header{"Content-Type": {mediaType[via]}, name: {"Bearer secret"}}, body).String(); got != success(via) {
				t.Errorf("got %s with %s, want %s", got, name, success(via))
			}
			exports := otlptest.Exactly(t, srv.Exports(), 2*i+2)[2*i:]
			if exports[0].Acknowledged() || exports[1].Header.Get(name) != "Bearer secret" {
				t.Errorf("got %s and %s on record, want one refused, and one with its header", exports[0], exports[1])
			}
		}
		otlptest.Exactly(t, srv.Logs(), len(protocols))
	}
}

// dumpOf is what a server has stored of a signal, as JSON.
func dumpOf(t *testing.T, srv *otlptest.Server, sig query.Signal) string {
	t.Helper()
	var b strings.Builder
	if err := srv.WriteJSONL(&b, sig); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sameOver sends a message by every protocol to one server and checks that
// items are stored that are all equal. It returns the first ones.
func sameOver[T any](t *testing.T, m proto.Message, view func(*otlptest.Server) query.View[T]) []T {
	t.Helper()
	var first []T
	for _, via := range protocols {
		srv := otlptest.Start(t)
		if got := newWire(t, srv).export(via, m).String(); got != success(via) {
			t.Errorf("got %s, want %s", got, success(via))
		}
		items := otlptest.Await(t, view(srv), 1)
		if first == nil {
			first = items
		}
		if diff := cmp.Diff(first, items); diff != "" {
			t.Errorf("%s (-%s +%[1]s):\n%s", via, protocols[0], diff)
		}
	}
	return first
}

func spansOf(srv *otlptest.Server) query.View[query.Span]   { return srv.Spans() }
func pointsOf(srv *otlptest.Server) query.View[query.Point] { return srv.Points() }
func logsOf(srv *otlptest.Server) query.View[query.Log]     { return srv.Logs() }
