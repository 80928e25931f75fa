package integration_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// A GOAWAY whose last stream is before the request says that the request was
// not processed: the transports send it again by themselves, on another
// connection, as long as they can read the body once more. The exporters' own
// retries are off.
func goAwayIsReplayed(t *testing.T) {
	for encoding, zipped := range map[string]bool{"identity": false, "gzip": true} {
		t.Run("in "+encoding, func(t *testing.T) {
			onNetworks(t, func(t *testing.T, p path, opts ...otlptest.Option) { replayed(t, p, zipped, opts...) })
		})
	}
	for name, fault := range map[string]faults.Fault{
		"on a later stream": faults.GoAway(1, faults.NoError),
		"before the body":   faults.GoAway(1, faults.NoError).BeforeReading(),
	} {
		t.Run(name, func(t *testing.T) {
			onNetworks(t, func(t *testing.T, p path, opts ...otlptest.Option) { replayedLater(t, p, fault, opts...) })
		})
	}
	t.Run("on the first stream", firstStreamsAreReplayed)
	t.Run("of a body that is gone", aBodyThatIsGoneIsNotReplayed)
}

// onNetworks runs f for every path, on TCP and in memory. All of them speak
// HTTP/2: HTTP does over TLS.
func onNetworks(t *testing.T, f func(t *testing.T, p path, opts ...otlptest.Option)) {
	t.Helper()
	eachPath(t, func(t *testing.T, p path) {
		t.Run("tcp", func(t *testing.T) { f(t, p, otlptest.WithTLS()) })
		t.Run("in memory", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { f(t, p, otlptest.WithTLS(), otlptest.WithInMemory()) })
		})
	})
}

// warm makes the connection that HTTP/2 goes by, whose next stream is 3 then,
// and injects a fault for what comes now.
func warm(t *testing.T, srv *otlptest.Server, fault faults.Fault) {
	t.Helper()
	newClient(t, srv).mustSend(t, path{query.Traces, query.HTTPProtobuf}, nil)
	srv.Reset()
	if err := srv.Inject(faults.Sequence(fault)); err != nil {
		t.Fatal(err)
	}
}

func replayed(t *testing.T, p path, zipped bool, opts ...otlptest.Option) {
	srv := otlptest.Start(t, opts...)
	warm(t, srv, faults.GoAway(0, faults.NoError))
	if err := p.configured(t, srv, settings{gzip: zipped}).export(t.Context()); err != nil {
		t.Errorf("export: %v", err)
	}
	wantItems(t, srv, sampleOf(p.signal))
	verify(t, srv, query.AllDelivered(), query.DeliveredOnce())
	exports := otlptest.Exactly(t, srv.Exports(), 2)
	first, second := exports[0], exports[1]
	if first.Outcome != query.Cut || first.Stored != 0 || second.Outcome != query.Accepted || first.Conn == second.Conn {
		t.Errorf("want it cut, and accepted on another connection:\n%s", srv.Report())
	}
	if want := map[bool]string{true: "gzip"}[zipped]; first.Encoding != want || second.Encoding != want {
		t.Errorf("got encodings %q and %q, want %q", first.Encoding, second.Encoding, want)
	}
	if first.WireSize != second.WireSize || !proto.Equal(first.Proto(), second.Proto()) {
		t.Errorf("got %d and %d bytes, want the same twice", first.WireSize, second.WireSize)
	}
}

// The fault may be there before the server has settled the connection.
func firstStreamsAreReplayed(t *testing.T) {
	for _, fault := range []faults.Fault{faults.GoAway(0, faults.NoError), faults.GoAway(0, faults.NoError).BeforeReading()} {
		for range runs(100) {
			synctest.Test(t, func(t *testing.T) {
				srv := startInMemory(t, otlptest.WithTLS(), otlptest.WithFaults(faults.Sequence(fault)))
				if err := (path{query.Traces, query.HTTPProtobuf}).configured(t, srv, settings{}).export(t.Context()); err != nil {
					t.Errorf("%s: export: %v", fault, err)
				}
				otlptest.Exactly(t, srv.Exports(), 2)
			})
		}
	}
}

// The connection has carried the stream 1 before, which was answered.
func replayedLater(t *testing.T, p path, fault faults.Fault, opts ...otlptest.Option) {
	srv := otlptest.Start(t, append(opts, otlptest.WithFaults(faults.Sequence(faults.Accept(), fault)))...)
	e := p.configured(t, srv, settings{})
	for range 2 {
		if err := e.export(t.Context()); err != nil {
			t.Errorf("export: %v", err)
		}
	}
	exports := otlptest.Exactly(t, srv.Exports(), 3)
	if exports[1].Outcome != query.Cut || exports[1].Conn != exports[0].Conn || exports[2].Conn == exports[0].Conn {
		t.Errorf("want the second export cut, and the third on another connection:\n%s", srv.Report())
	}
	if got, want := stored(srv, p.signal), 2*exports[0].Items; got != want {
		t.Errorf("got %d items stored, want %d", got, want)
	}
}

// The report itself: a client that has no GetBody cannot replay.
func aBodyThatIsGoneIsNotReplayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := startInMemory(t, otlptest.WithTLS())
		warm(t, srv, faults.GoAway(0, faults.NoError))
		body := io.MultiReader(bytes.NewReader(spanNamed(t, "a"))) // of a type that cannot be read again
		req, err := http.NewRequest(http.MethodPost, srv.HTTPEndpoint()+"/v1/traces", body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-protobuf")
		resp, err := srv.HTTPClient().Do(req)
		if err == nil {
			resp.Body.Close()
		}
		wantMention(t, err, "GetBody")
		otlptest.Exactly(t, srv.Exports(), 1)
		wantNothing(t, srv)
	})
}

// How often the official exporters send what got no answer, by transport. C-09
// wants all of it sent again, with backoff.
//
// What they do today: over gRPC they do, but for streams that are reset with a
// code that grpc-go does not map to a retryable one. Over HTTP they give up at
// once, since net/http does not call such an error temporary; what was not
// processed for certain is sent again by net/http itself.
var unanswered = []struct {
	fault             faults.Fault
	grpc, http, http2 int
}{
	{faults.Reset(), 2, 1, 1},
	{faults.Close(), 2, 1, 1},
	{faults.HalfAnswer(), 1, 1, 1},
	{faults.ResetStream(faults.RefusedStream), 2, 1, 2},
	{faults.ResetStream(faults.InternalError), 1, 1, 1},
	{faults.ResetStream(faults.Cancel), 2, 1, 1},
	{faults.ResetStream(faults.EnhanceYourCalm), 1, 1, 1},
	{faults.GoAway(0, faults.EnhanceYourCalm), 2, 1, 2}, // but not on the first stream
	{faults.GoAway(1, faults.InternalError), 2, 1, 1},
	{faults.GoAway(1, faults.NoError), 1, 1, 1}, // answered on HTTP/2
}

// Data that was stored before its acknowledgement was lost comes again, and is
// there twice. Where the exporter does not send it again, the test does.
func lostAnswersDuplicateLegally(t *testing.T) {
	for _, u := range unanswered {
		for _, fault := range []faults.Fault{u.fault, u.fault.Stored()} {
			if fault.Check() != nil {
				continue // it is stored in any case
			}
			t.Run(fault.String(), func(t *testing.T) {
				eachPathInBubble(t, func(t *testing.T, p path) {
					attempts := u.http
					if p.grpc() {
						attempts = u.grpc
					}
					duplicated(t, p, fault, attempts)
				})
				t.Run("http2", func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						fault.Last *= 3 // the stream of the export
						duplicated(t, path{query.Traces, query.HTTPProtobuf}, fault, u.http2, otlptest.WithTLS())
					})
				})
			})
		}
	}
}

func duplicated(t *testing.T, p path, fault faults.Fault, attempts int, opts ...otlptest.Option) {
	srv := startInMemory(t, opts...)
	if srv.ClientTLS() != nil {
		warm(t, srv, fault)
	} else if err := srv.Inject(faults.Sequence(fault)); err != nil {
		t.Fatal(err)
	}
	e := p.configured(t, srv, settings{retries: patient})
	err := e.export(t.Context())
	b := onlyBatch(t, srv)
	if len(b.Attempts()) != attempts || (err == nil) != b.Acknowledged() {
		t.Errorf("got %v, want %d attempts:\n%s", err, attempts, srv.Report())
	}
	first := b.Attempts()[0]
	if err != nil {
		time.Sleep(time.Second)
		if err := e.export(t.Context()); err != nil {
			t.Errorf("the next export: %v", err)
		}
	}
	verify(t, srv, query.AllDelivered())
	noViolations(t, srv.Violations(where.Rule("C-43")))
	b = onlyBatch(t, srv)
	kept := 0
	if first.Stored > 0 && len(b.Attempts()) > 1 {
		kept = b.Items
	}
	got := srv.Report().Items()
	if got.Delivered != b.Items || got.LegalDuplicates != kept || got.IllegalDuplicates != 0 || stored(srv, p.signal) != b.Items+kept {
		t.Errorf("got %+v, want %d items and %d of them twice, legally (C-43):\n%s", got, b.Items, kept, srv.Report())
	}
	if once := srv.Report().Verify(query.DeliveredOnce()); (once == nil) != (kept == 0) {
		t.Errorf("got %v with %d duplicates", once, kept)
	}
}
