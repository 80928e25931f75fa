package memnet_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
)

// wantTrips checks that a first call and those after it take so many round trips.
func wantTrips(t *testing.T, first, next int, call func() error) {
	t.Helper()
	for i, trips := range []int{first, next, next} {
		begin := time.Now()
		if err := call(); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		if took, want := time.Since(begin), time.Duration(trips)*trip; took != want {
			t.Errorf("call %d took %v, want %d round trips, %v", i, took, trips, want)
		}
		synctest.Wait() // until the client has its connection back
	}
}

func post(t *testing.T, client *http.Client, url string, major int) func() error {
	return func() error {
		resp, err := client.Post(url, "text/plain", strings.NewReader(strings.Repeat("x", 20<<10)))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.ProtoMajor != major {
			t.Errorf("got HTTP/%d, want HTTP/%d", resp.ProtoMajor, major)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
}

// Dialing takes one, and so does a request.
func TestRoundTripsOfHTTP1(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listenFar(t)
		serve(t, l)
		wantTrips(t, 2, 1, post(t, httpClient(t, nil), "http://"+l.Addr().String(), 1))
	})
}

func TestRoundTripsOfHTTP2(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listenFar(t)
		s := &http.Server{Protocols: new(http.Protocols), Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
		s.Protocols.SetUnencryptedHTTP2(true)
		served := start(func() error { return s.Serve(l) })
		client := httpClient(t, nil)
		tr := client.Transport.(*http.Transport)
		tr.Protocols = new(http.Protocols)
		tr.Protocols.SetUnencryptedHTTP2(true)
		wantTrips(t, 2, 1, post(t, client, "http://"+l.Addr().String(), 2))
		tr.CloseIdleConnections()
		s.Close()
		served()
	})
}

// The handshake of TLS 1.3 takes one more, that of TLS 1.2 two.
func TestRoundTripsOfTLS(t *testing.T) {
	for version, first := range map[uint16]int{tls.VersionTLS12: 4, tls.VersionTLS13: 3} {
		t.Run(tls.VersionName(version), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := listenFar(t)
				cert, pool := certificate(t, l.Addr().(*net.TCPAddr).IP)
				serve(t, tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert}, MaxVersion: version}))
				client := httpClient(t, &tls.Config{RootCAs: pool})
				wantTrips(t, first, 1, post(t, client, "https://"+l.Addr().String(), 1))
			})
		})
	}
}

// grpc-go calls only once the server has spoken, which takes another one.
func TestRoundTripsOfGRPC(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listenFar(t)
		server := grpc.NewServer(grpc.WaitForHandlers(true))
		healthpb.RegisterHealthServer(server, health.NewServer())
		served := start(func() error { return server.Serve(l) })
		conn, err := grpc.NewClient("passthrough:///"+l.Addr().String(),
			grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithContextDialer(memnet.Dial))
		if err != nil {
			t.Fatal(err)
		}
		client := healthpb.NewHealthClient(conn)
		wantTrips(t, 3, 1, func() error {
			_, err := client.Check(context.Background(), &healthpb.HealthCheckRequest{})
			return err
		})
		conn.Close()
		server.Stop()
		if err := served(); err != nil {
			t.Error(err)
		}
	})
}
