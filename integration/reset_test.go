package integration_test

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

func TestAnExportInFlightLandsAfterTheReset(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		srv := startInMemory(t, otlptest.WithFaults(
			faults.Sequence(faults.Accept(), faults.Accept().After(10*time.Second), faults.Unavailable())))
		e := newExporter(t, srv, p, patient)
		if err := e.export(t.Context()); err != nil { // belongs to the old generation
			t.Fatal(err)
		}
		start := time.Now()
		wait := inBackground(func() error { return e.export(t.Context()) })
		synctest.Wait()
		srv.Reset()
		open := otlptest.Exactly(t, srv.Exports(), 1)[0]
		if open.Number != 1 || open.Outcome != query.Open || !open.Answered.IsZero() {
			t.Errorf("after the reset: got %s, answered %s, want number 1, open", open, open.Answered)
		}
		if err := wait(); err != nil {
			t.Errorf("export: %v", err)
		}
		if got := time.Since(start); got != 10*time.Second {
			t.Errorf("the answer took %s, want 10s", got)
		}
		if done := otlptest.Exactly(t, srv.Exports(), 1)[0]; done.Outcome != query.Accepted || !done.Answered.Equal(start.Add(10*time.Second)) {
			t.Errorf("got %s, answered %s, want accepted after 10s", done, done.Answered)
		}
		wantItems(t, srv, sampleOf(p.signal))
		wantNumbersFrom1(t, srv)

		if err := e.export(t.Context()); err != nil { // the reset dropped the last fault
			t.Errorf("export after the reset: %v", err)
		}
		wantNumbersFrom1(t, srv)
	})
}

// wantNumbersFrom1 checks the numbers of exports and items.
func wantNumbersFrom1(t *testing.T, srv *otlptest.Server) {
	t.Helper()
	var refs []query.Ref
	for s := range srv.Spans().All() {
		refs = append(refs, s.Ref)
	}
	for p := range srv.Points().All() {
		refs = append(refs, p.Ref)
	}
	for l := range srv.Logs().All() {
		refs = append(refs, l.Ref)
	}
	for i, ref := range refs {
		if ref.Number() != i+1 {
			t.Errorf("item %d has number %d", i+1, ref.Number())
		}
	}
	for i, e := range srv.Exports().Slice() {
		if e.Number != i+1 {
			t.Errorf("export %d has number %d", i+1, e.Number)
		}
	}
}

func TestARequestBeingSentLandsAfterTheReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := startInMemory(t)
		c := newClient(t, srv)
		body := spanNamed(t, "slow")
		r, w := io.Pipe()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.base+"/v1/traces", r)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-protobuf")
		req.ContentLength = int64(len(body))
		wait := inBackground(func() error {
			answer, err := c.do(req)
			if err != nil {
				return err
			}
			return answer.err()
		})
		w.Write(body[:5])
		synctest.Wait()
		srv.Reset()
		otlptest.Exactly(t, srv.Exports(), 0) // what has not come whole is no export yet
		w.Write(body[5:])
		w.Close()
		if err := wait(); err != nil {
			t.Fatal(err)
		}
		if span := otlptest.One(t, srv.Spans()); span.Name != "slow" || span.Ref.Number() != 1 {
			t.Errorf("got span %q with number %d", span.Name, span.Ref.Number())
		}
	})
}
