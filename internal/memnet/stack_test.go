package memnet_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

// certificate returns a certificate for ip that is its own authority, valid on
// the real clock and on that of a bubble.
func certificate(t *testing.T, ip net.IP) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		NotBefore:             time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:              time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
		IsCA:                  true,
		BasicConstraintsValid: true,
		IPAddresses:           []net.IP{ip},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func serverIP(c net.Conn) net.IP { return c.LocalAddr().(*net.TCPAddr).IP }

func TestTLSHandshake(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		client, server := pair(t)
		cert, pool := certificate(t, serverIP(server))
		s := tls.Server(server, &tls.Config{Certificates: []tls.Certificate{cert}})
		served := start(func() error {
			_, err := io.Copy(s, s)
			s.Close()
			return err
		})
		c := tls.Client(client, &tls.Config{RootCAs: pool, ServerName: serverIP(server).String()})
		if _, err := c.Write([]byte("hello")); err != nil {
			t.Fatal(err)
		}
		if err := c.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(c); string(got) != "hello" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
		if err := served(); err != nil {
			t.Error(err)
		}
	})
}

// A rejected certificate shows as such on both sides, although both sides
// close as soon as they know.
func TestTLSClientRejectsCertificate(t *testing.T) {
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		t.Run(tls.VersionName(version), func(t *testing.T) {
			eachClock(t, func(t *testing.T, _ func()) {
				client, server := pair(t)
				cert, _ := certificate(t, serverIP(server))
				handshake := func(c *tls.Conn) func() error {
					return func() error {
						defer c.Close()
						c.SetDeadline(time.Now().Add(time.Minute))
						return c.Handshake()
					}
				}
				begin := time.Now()
				serverErr := start(handshake(tls.Server(server, &tls.Config{Certificates: []tls.Certificate{cert}})))
				clientErr := handshake(tls.Client(client, &tls.Config{
					RootCAs: x509.NewCertPool(), ServerName: serverIP(server).String(), MaxVersion: version,
				}))()
				var unknown x509.UnknownAuthorityError
				if !errors.As(clientErr, &unknown) {
					t.Errorf("client got %v, want an unknown authority", clientErr)
				}
				if err := serverErr(); err == nil || !strings.Contains(err.Error(), "remote error: tls: bad certificate") {
					t.Errorf("server got %v, want the client's alert", err)
				}
				if took := time.Since(begin); took >= time.Minute {
					t.Errorf("the handshake took %v", took)
				}
			})
		})
	}
}

// The client of TLS 1.3 learns only after its handshake that the server wanted a
// certificate: it may have begun to write.
func TestTLSServerRejectsClientWithoutCertificate(t *testing.T) {
	eachClock(t, func(t *testing.T, settle func()) {
		l := listen(t)
		cert, pool := certificate(t, l.Addr().(*net.TCPAddr).IP)
		serve(t, tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequireAnyClientCert}))
		_, err := httpClient(t, &tls.Config{RootCAs: pool}).Get("https://" + l.Addr().String())
		if err == nil || !strings.Contains(err.Error(), "tls: certificate required") {
			t.Errorf("client got %v, want the server's alert", err)
		}
	})
}

// serve runs an HTTP server that echoes bodies until the test ends.
func serve(t *testing.T, l net.Listener) {
	s := &http.Server{
		ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Peer", r.RemoteAddr)
			w.Write(body)
		}),
	}
	done := start(func() error { return s.Serve(l) })
	t.Cleanup(func() {
		s.Close()
		if err := done(); err != http.ErrServerClosed {
			t.Errorf("serve: %v", err)
		}
	})
}

func httpClient(t *testing.T, config *tls.Config) *http.Client {
	tr := &http.Transport{
		DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			return memnet.Dial(ctx, addr)
		},
		TLSClientConfig:   config,
		ForceAttemptHTTP2: true,
	}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: time.Minute}
}

func TestHTTP(t *testing.T) {
	body := strings.Repeat("0123456789", bufferSize/5)
	eachClock(t, func(t *testing.T, _ func()) {
		l := listen(t)
		serve(t, l)
		client := httpClient(t, nil)
		peers := make(map[string]bool)
		for range 3 {
			resp, err := client.Post("http://"+l.Addr().String(), "text/plain", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(resp.Body)
			if err != nil || string(got) != body {
				t.Errorf("got %d bytes, %v, want the %d sent", len(got), err, len(body))
			}
			resp.Body.Close()
			peers[resp.Header.Get("Peer")] = true
		}
		if len(peers) != 1 {
			t.Errorf("requests came by connections %v, want the same", peers)
		}
	})
}

func TestHTTPClientTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listen(t) // accepts nothing
		begin := time.Now()
		_, err := httpClient(t, nil).Get("http://" + l.Addr().String())
		var netErr net.Error
		if !errors.As(err, &netErr) || !netErr.Timeout() || time.Since(begin) != time.Minute {
			t.Errorf("got %v after %v, want a time-out after 1m", err, time.Since(begin))
		}
	})
}

func TestGRPC(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		host := memnet.NewHost()
		conn, err := grpc.NewClient("passthrough:///"+host.IP().String()+":4317",
			grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithContextDialer(memnet.Dial))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		client := healthpb.NewHealthClient(conn)
		check := func() error {
			_, err := client.Check(t.Context(), &healthpb.HealthCheckRequest{})
			return err
		}
		if err := check(); status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("before the server is up: got %v, want connection refused", err)
		}
		l, err := host.Listen(4317)
		if err != nil {
			t.Fatal(err)
		}
		server := grpc.NewServer(grpc.WaitForHandlers(true))
		healthpb.RegisterHealthServer(server, health.NewServer())
		served := start(func() error { return server.Serve(l) })
		if _, err := client.Check(t.Context(), &healthpb.HealthCheckRequest{}, grpc.WaitForReady(true)); err != nil {
			t.Errorf("once the server is up: %v", err)
		}
		server.Stop()
		if err := served(); err != nil {
			t.Error(err)
		}
		if err := check(); status.Code(err) != codes.Unavailable {
			t.Errorf("after the server went down: got %v, want unavailable", err)
		}
	})
}
