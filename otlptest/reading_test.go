package otlptest_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// bigBody is an export of more bytes than the windows and buffers of any
// transport hold.
func bigBody(t *testing.T) []byte {
	t.Helper()
	body, err := proto.Marshal(traces(span("a", "filler", strings.Repeat("x", 500_000))))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// transports are the ways in which a bare client can export.
var transports = map[string]func(t *testing.T, srv *otlptest.Server, body []byte) string{
	"grpc": func(t *testing.T, srv *otlptest.Server, body []byte) string {
		return newWire(t, srv).call(exportMethod[query.Traces], body).String()
	},
	"http/1.1": func(t *testing.T, srv *otlptest.Server, body []byte) string {
		return dialBare(t, srv, srv.HTTPEndpoint()).post1(mediaType[query.HTTPProtobuf], body)
	},
	"http/2": func(t *testing.T, srv *otlptest.Server, body []byte) string {
		transport := &http.Transport{Protocols: new(http.Protocols), DialContext: srv.HTTPClient().Transport.(*http.Transport).DialContext}
		transport.Protocols.SetUnencryptedHTTP2(true)
		defer transport.CloseIdleConnections()
		resp, err := (&http.Client{Transport: transport}).Post(srv.HTTPEndpoint()+"/v1/traces", "application/x-protobuf", bytes.NewReader(body))
		if err != nil {
			return err.Error()
		}
		resp.Body.Close()
		return resp.Status
	},
}

func TestReadingTakesItsTime(t *testing.T) {
	body := bigBody(t)
	for _, c := range []struct {
		fault faults.Fault
		takes time.Duration
	}{
		{faults.Accept().ReadAfter(3 * time.Second), 3 * time.Second},
		{faults.Accept().ReadSlowly(100_000), time.Duration(len(body)) * 10 * time.Microsecond},
		{faults.Unavailable().ReadAfter(time.Second).ReadSlowly(100_000).After(time.Second), 2*time.Second + time.Duration(len(body))*10*time.Microsecond},
	} {
		for name, export := range transports {
			t.Run(fmt.Sprint(c.fault, " ", name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(c.fault)))
					start := time.Now()
					answer := export(t, srv, body)
					took := time.Since(start)
					// On gRPC and HTTP/2 frames and what the connection carries besides count too.
					if took < c.takes || took > c.takes+c.takes/50 {
						t.Errorf("got an answer after %s, want it after %s: %s", took, c.takes, answer)
					}
					if e := otlptest.One(t, srv.Exports()); e.BodySize != len(body) {
						t.Errorf("got a body of %d bytes, want %d", e.BodySize, len(body))
					}
				})
			})
		}
	}
}

// Flow control reaches the client: it cannot send what the server does not read.
func TestSlowReadingPushesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Accept().ReadAfter(time.Minute))))
		c := dialBare(t, srv, srv.HTTPEndpoint())
		body := bigBody(t)
		sent := make(chan time.Time, 1)
		go func() {
			c.post1(mediaType[query.HTTPProtobuf], body)
			sent <- time.Now()
		}()
		time.Sleep(59 * time.Second)
		select {
		case <-sent:
			t.Error("the client has sent all before it was read")
		default:
		}
		<-sent
	})
}

// A wait before the body is read ends when the client gives up, on every
// transport. HTTP/1 has to read ahead for that, which it does with so much as a
// system buffers.
func TestWaitsBeforeReadingEndWithTheClient(t *testing.T) {
	body := bigBody(t)
	for _, fault := range []faults.Fault{faults.Accept().ReadAfter(5 * time.Minute), faults.Hang().BeforeReading(), faults.Unavailable().BeforeReading().After(time.Minute)} {
		for _, size := range []int{100, len(body)} {
			for _, via := range protocols {
				if via != query.GRPC {
					size = min(size, 60_000)
				}
				t.Run(fmt.Sprint(fault, " ", size, " ", via), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(fault)))
						start := time.Now()
						ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
						defer cancel()
						giveUp(ctx, t, srv, via, body[:size])
						synctest.Wait()
						e := otlptest.One(t, srv.Exports())
						if took := e.Answered.Sub(start); e.Outcome != query.Abandoned || took != 10*time.Second {
							t.Errorf("got export %s after %s, want that the client gave up after 10s", e, took)
						}
					})
				})
			}
		}
	}
}

func giveUp(ctx context.Context, t *testing.T, srv *otlptest.Server, via query.Protocol, body []byte) {
	t.Helper()
	var err error
	if via == query.GRPC {
		var answer []byte
		err = dial(t, srv).Invoke(ctx, exportMethod[query.Traces], &body, &answer, grpc.ForceCodec(rawCodec{}))
	} else {
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, srv.HTTPEndpoint()+"/v1/traces", bytes.NewReader(body))
		req.Header.Set("Content-Type", mediaType[via])
		_, err = srv.HTTPClient().Do(req)
	}
	if err == nil {
		t.Error("got an answer, want none")
	}
}

// Slow reading lasts no longer than the hang limit, whatever the body's size.
func TestSlowReadingEndsWithTheHangLimit(t *testing.T) {
	body := bigBody(t)
	for name, export := range transports {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithHangLimit(time.Minute),
					otlptest.WithFaults(faults.Sequence(faults.Accept().ReadSlowly(10))))
				start := time.Now()
				export(t, srv, body)
				if took := time.Since(start); took > 2*time.Minute {
					t.Errorf("got an answer after %s, want it soon after the hang limit of a minute", took)
				}
			})
		})
	}
}

// A connection that has fallen silent carries nothing more, of other requests
// neither, and the record says so.
func TestNothingPassesOnASilentConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Accept().After(time.Second), faults.Blackhole())))
		a, b := span("a"), span("b")
		b.SpanId = []byte{9, 9, 9, 9, 9, 9, 9, 9}
		w := newWire(t, srv)
		replies := make(chan codes.Code, 2)
		for _, s := range []*tracepb.TracesData{traces(b), traces(a)} {
			go func() {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				body, answer := encode(t, query.GRPC, s), []byte(nil)
				err := w.conn.Invoke(ctx, exportMethod[query.Traces], &body, &answer, grpc.ForceCodec(rawCodec{}))
				replies <- status.Code(err)
			}()
			synctest.Wait()
		}
		for range 2 {
			if got := <-replies; got != codes.DeadlineExceeded {
				t.Errorf("got %s, want no answer until the deadline", got)
			}
		}
		if e := srv.Exports().Slice()[0]; e.Outcome != query.Cut || e.Stored != 1 {
			t.Errorf("got %s with %d stored, want it stored and cut", e, e.Stored)
		}
		newWire(t, srv).export(query.GRPC, traces(b))
		if err := srv.Report().Verify(query.NoDuplicates()); err != nil {
			t.Errorf("a client is blamed for what it was never told: %v", err)
		}
	})
}

func TestNothingArrivesOnASilentConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Blackhole())))
		c := dialBare(t, srv, srv.HTTPEndpoint()).http2(t)
		for range 2 {
			c.request("/v1/traces", mediaType[query.HTTPProtobuf], encode(t, query.HTTPProtobuf, traces(span("a"))))
			synctest.Wait()
		}
		otlptest.Exactly(t, srv.Exports(), 1)
	})
}
