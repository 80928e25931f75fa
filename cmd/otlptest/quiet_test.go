package main

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
)

// sent is a connection on which a request was sent that nobody has answered yet.
func sent(t *testing.T, srv *otlptest.Server) net.Conn {
	t.Helper()
	addr := srv.HTTPEndpoint()[len("http://"):]
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	body := `{"resourceSpans":[]}`
	fmt.Fprintf(c, "POST /v1/traces HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", addr, len(body), body)
	return c
}

func TestWhatACommandSentBeforeItEndedHasCome(t *testing.T) {
	for range 10 {
		srv := otlptest.Start(t)
		sent(t, srv).Close()
		if open := settled(srv, time.Minute); open != 0 || srv.Exports().Len() != 1 {
			t.Errorf("got %d open and %d exports, want 0 and 1", open, srv.Exports().Len())
		}
	}
}

func TestConnectionsThatOutliveTheCommandAreNotWaitedForLong(t *testing.T) {
	srv := otlptest.Start(t)
	sent(t, srv)
	if open := settled(srv, time.Minute); open != 0 || srv.Exports().Len() != 1 {
		t.Errorf("got %d open and %d exports, want 0 and 1", open, srv.Exports().Len())
	}
}

func TestRequestsThatHangAreWaitedForUpToTheLimit(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Hang())))
	sent(t, srv)
	if open := settled(srv, 100*time.Millisecond); open != 1 {
		t.Errorf("got %d open, want 1", open)
	}
}
