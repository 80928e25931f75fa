package receiver

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/internal/script"
	"github.com/otlptest/otlptest/internal/store"
)

func TestNoConnectionIsLetInAfterStop(t *testing.T) {
	for range 2000 {
		r := New(Config{})
		began, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			close(began)
			for !r.stopped.Load() {
				r.Up()
			}
			r.Up()
		}()
		<-began
		r.Stop()
		<-done
		if r.conns.add(new(conn)) {
			t.Fatal("a connection was let in: Up came beside Stop")
		}
	}
}

// Close of a server counts on it.
func TestNoRequestBeginsAfterStop(t *testing.T) {
	s := store.New(time.Second)
	r := New(Config{Store: s, Script: script.New(), MaxRequestSize: 1 << 20, HangLimit: time.Second})
	post := func() (panicked any) {
		defer func() { panicked = recover() }()
		req := httptest.NewRequest(http.MethodPost, "/v1/traces", strings.NewReader("\x0a\x00"))
		req.Header.Set("Content-Type", protobufType)
		r.HTTP().Handler.ServeHTTP(httptest.NewRecorder(), req)
		return nil
	}
	if got := post(); got != nil {
		t.Fatalf("got panic %v before Stop, want none", got)
	}
	r.Stop()
	if got := post(); got != http.ErrAbortHandler {
		t.Errorf("got panic %v after Stop, want the request aborted", got)
	}
	if open, _ := s.Quiet(); open != 0 || s.Total() != 1 {
		t.Errorf("got %d requests open and %d exports, want none open and that of before", open, s.Total())
	}
}
