package integration_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// Calls that no gRPC library would make, and calls of other services, are
// answered and on record too.
func TestCallsThatAreNoExportsAreRefusedAndOnRecord(t *testing.T) {
	export := method(query.Traces)
	body := spanNamed(t, "a")
	for name, test := range map[string]struct {
		method, encoding string
		frame            []byte
		code             codes.Code
		outcome          query.Outcome
	}{
		"whole":                          {export, "", frame(0, body), codes.OK, query.Accepted},
		"compressed without an encoding": {export, "", frame(1, gzipped(body)), codes.Internal, query.Malformed},
		"unknown flags":                  {export, "", frame(2, body), codes.Internal, query.Malformed},
		"not gzip":                       {export, "gzip", frame(1, body), codes.InvalidArgument, query.Malformed},
		"cut off":                        {export, "", frame(0, body)[:8], codes.Internal, query.Malformed},
		"without a message":              {export, "", nil, codes.InvalidArgument, query.Malformed},
		"in an encoding nobody knows":    {export, "x-nobody", frame(1, body), codes.Unimplemented, query.Refused},
		"another method":                 {"/opentelemetry.proto.collector.trace.v1.TraceService/Import", "", frame(0, body), codes.Unimplemented, query.Refused},
		"another service":                {"/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export", "", frame(0, body), codes.Unimplemented, query.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			srv := otlptest.Start(t)
			got, message := call(t, srv, test.method, test.encoding, test.frame)
			if got != test.code {
				t.Errorf("got %s (%s), want %s", got, message, test.code)
			}
			e := otlptest.One(t, srv.Exports())
			if e.Outcome != test.outcome || codes.Code(e.Status.Code) != test.code || e.Status.Message != message {
				t.Errorf("got %q with %s (%s), want %q with what the client got", e.Outcome, e.Status, e.Status.Message, test.outcome)
			}
			if e.Path != test.method || e.Protocol != query.GRPC || e.Conn != 1 || e.Peer == "" {
				t.Errorf("got %+v, want path %s over grpc", e, test.method)
			}
			if test.code != codes.OK {
				wantNothing(t, srv)
			}
		})
	}
}

// A deadline in any of gRPC's units is known and kept: some clients give theirs
// in nanoseconds.
func TestDeadlinesOfEveryUnitAreKept(t *testing.T) {
	for timeout, want := range map[string]time.Duration{
		"49190122n": 49190122 * time.Nanosecond, "4998719u": 4998719 * time.Microsecond, "9981m": 9981 * time.Millisecond, "10S": 10 * time.Second, "1M": time.Minute,
	} {
		synctest.Test(t, func(t *testing.T) {
			srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Hang())))
			req := callRequest(t, srv, method(query.Traces), frame(0, spanNamed(t, "a")))
			req.Header.Set("Grpc-Timeout", timeout)
			transport := bareTransport(srv)
			defer transport.CloseIdleConnections()
			resp, err := transport.RoundTrip(req)
			if err == nil {
				resp.Body.Close()
			}
			synctest.Wait()
			e := otlptest.One(t, srv.Exports())
			if e.Outcome != query.Abandoned || e.Answered.Sub(e.Arrived) != want || !e.Deadline.Equal(e.Arrived.Add(want)) {
				t.Errorf("%s: got %q after %s with a deadline in %s, want it abandoned after %s", timeout, e.Outcome, e.Answered.Sub(e.Arrived), e.Deadline.Sub(e.Arrived), want)
			}
		})
	}
}

// frame is a message as gRPC sends it.
func frame(flags byte, message []byte) []byte {
	return append([]byte{flags, 0, 0, 0, byte(len(message))}, message...)
}

// bareTransport speaks HTTP/2 and nothing of gRPC.
func bareTransport(srv *otlptest.Server) *http.Transport {
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) { return srv.DialGRPC(ctx, addr) },
		Protocols:   new(http.Protocols),
	}
	transport.Protocols.SetUnencryptedHTTP2(true)
	return transport
}

// callRequest is a gRPC call as a request of HTTP/2.
func callRequest(t *testing.T, srv *otlptest.Server, method string, body []byte) *http.Request {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, "http://"+srv.GRPCEndpoint()+method, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/grpc")
	req.Header.Set("TE", "trailers")
	return req
}

// call makes a gRPC call by hand and returns its status.
func call(t *testing.T, srv *otlptest.Server, method, encoding string, body []byte) (codes.Code, string) {
	t.Helper()
	transport := bareTransport(srv)
	defer transport.CloseIdleConnections()
	req := callRequest(t, srv, method, body)
	if encoding != "" {
		req.Header.Set("Grpc-Encoding", encoding)
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := new(bytes.Buffer).ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	status := resp.Trailer
	if resp.Header.Get("Grpc-Status") != "" {
		status = resp.Header
	}
	n, err := strconv.Atoi(status.Get("Grpc-Status"))
	if err != nil {
		t.Fatalf("got no status: %v", err)
	}
	return codes.Code(n), status.Get("Grpc-Message")
}
