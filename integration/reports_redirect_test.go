package integration_test

import (
	"net/http"
	"testing"
	"testing/synctest"

	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// 307 and 308 repeat the method, the body and its encoding (C-11): what arrives
// at the other server is what the first one got.
func redirectedBodiesStayAsTheyWere(t *testing.T) {
	for _, status := range []int{http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		for encoding, zipped := range map[string]bool{"identity": false, "gzip": true} {
			t.Run(http.StatusText(status)+" in "+encoding, func(t *testing.T) {
				eachHTTPPath(t, func(t *testing.T, p path) {
					t.Run("tcp", func(t *testing.T) { redirected(t, p, status, zipped) })
					t.Run("in memory", func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) { redirected(t, p, status, zipped, otlptest.WithInMemory()) })
					})
				})
			})
		}
	}
	t.Run("to the same server", redirectedToTheSameServer)
	t.Run("without the body", redirectsThatDropTheBody)
	t.Run("in a loop", redirectLoopsEnd)
	t.Run("of a call", callsAreNotRedirected)
}

func redirected(t *testing.T, p path, status int, zipped bool, opts ...otlptest.Option) {
	other := otlptest.Start(t, opts...)
	srv := otlptest.Start(t, append(opts, otlptest.WithFaults(faults.Sequence(faults.Redirect(status, other.HTTPEndpoint()))))...)
	if err := p.configured(t, srv, settings{gzip: zipped}).export(t.Context()); err != nil {
		t.Errorf("export: %v", err)
	}
	wantNothing(t, srv)
	wantItems(t, other, sampleOf(p.signal))
	first, second := otlptest.One(t, srv.Exports()), otlptest.One(t, other.Exports())
	if first.Outcome != query.Refused || first.Status.HTTP != status || second.Outcome != query.Accepted {
		t.Errorf("got %s, then %s, want %d and success", first, second, status)
	}
	if second.Method != http.MethodPost || second.Path != first.Path || second.Header.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("got %s %s with %v, want what was sent first", second.Method, second.Path, second.Header)
	}
	if want := map[bool]string{true: "gzip"}[zipped]; first.Encoding != want || second.Encoding != want {
		t.Errorf("got encodings %q and %q, want %q twice", first.Encoding, second.Encoding, want)
	}
	if first.WireSize != second.WireSize || first.BodySize != second.BodySize || (first.WireSize < first.BodySize) != zipped {
		t.Errorf("got %d bytes of %d, then %d of %d, want the same twice", first.WireSize, first.BodySize, second.WireSize, second.BodySize)
	}
	noViolations(t, srv.Violations())
	noViolations(t, other.Violations())
}

// On one server the two requests are one batch, which proves that their bytes
// are the same.
func redirectedToTheSameServer(t *testing.T) {
	eachHTTPPath(t, func(t *testing.T, p path) {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Redirect(307, ""), faults.Redirect(308, ""))))
		if err := p.configured(t, srv, settings{gzip: true}).export(t.Context()); err != nil {
			t.Errorf("export: %v", err)
		}
		wantItems(t, srv, sampleOf(p.signal))
		b := onlyBatch(t, srv)
		if len(b.Attempts()) != 3 || b.Deliveries() != 1 {
			t.Errorf("want 3 attempts and 1 delivery:\n%s", srv.Report())
		}
		for _, e := range b.Attempts() {
			if e.Encoding != "gzip" || e.WireSize != b.Attempts()[0].WireSize || !proto.Equal(e.Proto(), sampleOf(p.signal).data) {
				t.Errorf("got %s with %d bytes in %q, want the first one again", e, e.WireSize, e.Encoding)
			}
		}
	})
}

// After 301, 302 and 303 net/http asks with GET and without a body, as HTTP
// allows: nothing arrives, and the exporter says so instead of retrying.
func redirectsThatDropTheBody(t *testing.T) {
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			eachHTTPPath(t, func(t *testing.T, p path) {
				synctest.Test(t, func(t *testing.T) { bodyDropped(t, p, status) })
			})
		})
	}
}

func bodyDropped(t *testing.T, p path, status int) {
	other := startInMemory(t)
	srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(faults.Redirect(status, other.HTTPEndpoint()))))
	err := p.configured(t, srv, settings{retries: patient, gzip: true}).export(t.Context())
	wantMention(t, err, "405")
	first, second := otlptest.One(t, srv.Exports()), otlptest.One(t, other.Exports())
	if first.Status.HTTP != status || second.Method != http.MethodGet || second.Status.HTTP != http.StatusMethodNotAllowed || second.BodySize != 0 {
		t.Errorf("got %s, then %s by %s, want a GET that is refused", first, second, second.Method)
	}
	wantNothing(t, srv)
	wantNothing(t, other)
}

// net/http follows ten redirects, and the exporters do not try again.
func redirectLoopsEnd(t *testing.T) {
	eachHTTPPath(t, func(t *testing.T, p path) {
		synctest.Test(t, func(t *testing.T) { loopEnds(t, p) })
	})
}

func loopEnds(t *testing.T, p path) {
	other := startInMemory(t)
	srv := startInMemory(t, otlptest.WithFaults(faults.Always(faults.Redirect(307, other.HTTPEndpoint()))))
	if err := other.Inject(faults.Always(faults.Redirect(308, srv.HTTPEndpoint()))); err != nil {
		t.Fatal(err)
	}
	wantMention(t, p.configured(t, srv, settings{retries: patient}).export(t.Context()), "10 redirects")
	otlptest.Exactly(t, srv.Exports(), 5)
	otlptest.Exactly(t, other.Exports(), 5)
	wantNothing(t, srv)
	wantNothing(t, other)
}

// On gRPC a redirect is the bare answer of a proxy: a final error, once.
func callsAreNotRedirected(t *testing.T) {
	for _, p := range paths {
		if p.grpc() {
			synctest.Test(t, func(t *testing.T) { notRedirected(t, p) })
		}
	}
}

func notRedirected(t *testing.T, p path) {
	other := startInMemory(t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(faults.Redirect(status, other.HTTPEndpoint()))))
		wantMention(t, p.configured(t, srv, settings{retries: patient}).export(t.Context()), http.StatusText(status))
		verify(t, srv, query.NotRetried())
		wantNothing(t, srv)
	}
	otlptest.Exactly(t, other.Connections(), 0)
}
