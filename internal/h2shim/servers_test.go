package h2shim_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/otlptest/otlptest/internal/certs"
	"github.com/otlptest/otlptest/internal/h2shim"
)

// call is a request, as its handler sees it.
type call struct {
	context.Context
	conn   *h2shim.Conn
	stream uint32
	path   string
}

// handler returns whether the call went well.
type handler func(call) bool

// eachServer runs a test beside a server of each kind. What the server answers
// to a call that went well has status 200 and ends the stream at once; what
// went wrong it answers at length, and differently by kind.
func eachServer(t *testing.T, test func(t *testing.T, serve func(handler) *bare)) {
	for name, serve := range map[string]func(*testing.T, net.Conn, handler){"grpc-go": serveGRPC, "net/http": serveHTTP} {
		t.Run(name+" in memory", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test(t, func(h handler) *bare {
					client, server := memPair(t)
					serve(t, server, h)
					return newBare(t, client)
				})
			})
		})
		t.Run(name+" by TCP", func(t *testing.T) {
			test(t, func(h handler) *bare {
				client, server := tcpPair(t)
				serve(t, server, h)
				return newBare(t, client)
			})
		})
		t.Run(name+" by TLS", func(t *testing.T) {
			test(t, func(h handler) *bare {
				client, server := tlsPair(t)
				serve(t, server, h)
				return newBare(t, client)
			})
		})
	}
}

// tlsPair returns both ends of a connection on which h2 was negotiated.
func tlsPair(t *testing.T) (client, server net.Conn) {
	t.Helper()
	c, s := tcpPair(t)
	set, err := certs.New()
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{set.Server}, NextProtos: []string{"h2"}}
	secure := tls.Client(c, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
	done := make(chan error, 1)
	server = tls.Server(s, config)
	go func() { done <- server.(*tls.Conn).Handshake() }()
	if err := errors.Join(secure.Handshake(), <-done); err != nil {
		t.Fatal(err)
	}
	return secure, server
}

// one is a listener that accepts one connection.
type one struct {
	conn  chan net.Conn
	addr  net.Addr
	close sync.Once
}

func oneConn(c net.Conn) *one {
	l := &one{conn: make(chan net.Conn, 1), addr: c.LocalAddr()}
	l.conn <- c
	return l
}

func (l *one) Accept() (net.Conn, error) {
	if c, ok := <-l.conn; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (l *one) Close() error   { l.close.Do(func() { close(l.conn) }); return nil }
func (l *one) Addr() net.Addr { return l.addr }

// shimCreds put the shim below the server's transport.
type shimCreds struct {
	credentials.TransportCredentials
}

type shimInfo struct {
	credentials.CommonAuthInfo
	conn *h2shim.Conn
}

func (shimInfo) AuthType() string { return "shim" }

func (shimCreds) ServerHandshake(c net.Conn) (net.Conn, credentials.AuthInfo, error) {
	shim := h2shim.New(c)
	return shim, shimInfo{credentials.CommonAuthInfo{SecurityLevel: credentials.NoSecurity}, shim}, nil
}

func (shimCreds) Info() credentials.ProtocolInfo            { return credentials.ProtocolInfo{} }
func (c shimCreds) Clone() credentials.TransportCredentials { return c }

func serveGRPC(t *testing.T, c net.Conn, h handler) {
	s := grpc.NewServer(grpc.Creds(shimCreds{}), grpc.WaitForHandlers(true),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: -1, PermitWithoutStream: true}), // tests ping a lot
		grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
			p, _ := peer.FromContext(stream.Context())
			ids := metadata.ValueFromIncomingContext(stream.Context(), h2shim.Header)
			path, _ := grpc.Method(stream.Context())
			if !h(call{stream.Context(), p.AuthInfo.(shimInfo).conn, lastID(ids), path}) {
				stream.SendHeader(metadata.Pairs("some", "thing"))
				return status.Error(codes.DataLoss, "late")
			}
			return nil
		}))
	serve(t, func() { s.Serve(oneConn(c)) }, func() { c.Close(); s.Stop() })
}

type connKey struct{}

func serveHTTP(t *testing.T, c net.Conn, h handler) {
	shim := h2shim.New(c)
	s := &http.Server{
		Protocols:   new(http.Protocols),
		ErrorLog:    log.New(io.Discard, "", 0),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn := r.Context().Value(connKey{}).(*h2shim.Conn)
			ids := r.Header.Values(h2shim.Header)
			if !h(call{r.Context(), conn, lastID(ids), r.URL.Path}) {
				w.WriteHeader(http.StatusInternalServerError)
				io.WriteString(w, "late")
			}
		}),
	}
	s.Protocols.SetHTTP1(true)
	s.Protocols.SetUnencryptedHTTP2(true)
	serve(t, func() { s.Serve(oneConn(shim)) }, func() { c.Close(); s.Close() })
}

// serve runs a server until the test ends.
func serve(t *testing.T, run, stop func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	t.Cleanup(func() { stop(); <-done })
}

func lastID(ids []string) uint32 {
	if len(ids) == 0 {
		return 0
	}
	id, _ := strconv.ParseUint(ids[len(ids)-1], 10, 32)
	return uint32(id)
}
