package otlptest_test

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// S-29.
func TestOnePortServesEveryProtocol(t *testing.T) {
	for _, secure := range []bool{false, true} {
		everywhere(t, func(t *testing.T, opts ...otlptest.Option) {
			opts = append(opts, otlptest.WithOnePort())
			creds := insecure.NewCredentials()
			if secure {
				opts = append(opts, otlptest.WithTLS())
			}
			srv := otlptest.Start(t, opts...)
			if secure {
				creds = credentials.NewTLS(srv.ClientTLS())
			}
			if _, endpoint, _ := strings.Cut(srv.HTTPEndpoint(), "://"); endpoint != srv.GRPCEndpoint() {
				t.Errorf("got the endpoints %s and %s, want one port", srv.GRPCEndpoint(), srv.HTTPEndpoint())
			}
			for range 2 {
				if err := call(t, srv, creds); err != nil {
					t.Errorf("over gRPC: %v", err)
				}
			}
			for _, http2 := range []bool{false, true} {
				p := new(http.Protocols)
				p.SetHTTP1(!http2)
				p.SetHTTP2(http2)
				p.SetUnencryptedHTTP2(http2)
				tr := &http.Transport{TLSClientConfig: srv.ClientTLS(), Protocols: p, DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) { return srv.DialGRPC(ctx, addr) }}
				for range 2 {
					res, err := (&http.Client{Transport: tr}).Do(spanRequest(t, srv))
					if err != nil {
						t.Fatalf("over HTTP, HTTP/2 %v: %v", http2, err)
					}
					if res.Body.Close(); res.StatusCode != 200 || (res.ProtoMajor == 2) != http2 {
						t.Errorf("got %s and status %d with HTTP/2 %v", res.Proto, res.StatusCode, http2)
					}
				}
				tr.CloseIdleConnections()
			}
			var got []query.Protocol
			for e := range srv.Exports().All() {
				got = append(got, e.Protocol)
				if e.Conn == 0 || e.Outcome != query.Accepted {
					t.Errorf("got export %v by connection %d, want it accepted and its connection known", e, e.Conn)
				}
			}
			want := []query.Protocol{query.GRPC, query.GRPC, query.HTTPProtobuf, query.HTTPProtobuf, query.HTTPProtobuf, query.HTTPProtobuf}
			if !slices.Equal(got, want) {
				t.Errorf("got the protocols %v, want %v", got, want)
			}
		})
	}
}

// A client that connects and says nothing, or pings, waits as long as it wants.
func TestOnePortWaitsForTheFirstRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithOnePort())
		c, err := srv.DialGRPC(t.Context(), srv.GRPCEndpoint())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		time.Sleep(time.Hour)
		c.Write([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x08\x06\x00\x00\x00\x00\x00pingpong"))
		c.SetReadDeadline(time.Now().Add(time.Minute))
		got := make([]byte, 9+17)
		for n := 0; n < len(got); {
			k, err := c.Read(got[n:])
			if err != nil {
				t.Fatal(err)
			}
			n += k
		}
		if want := "\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x08\x06\x01\x00\x00\x00\x00pingpong"; string(got) != want {
			t.Errorf("got %q, want settings and the answer to the ping, %q", got, want)
		}
		time.Sleep(time.Hour)
		if c := otlptest.One(t, srv.Connections()); !c.Closed.IsZero() || c.Err != "" {
			t.Errorf("got %+v, want it open", c)
		}
	})
}
