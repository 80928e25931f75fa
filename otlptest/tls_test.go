package otlptest_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// call exports nothing over gRPC with some credentials.
func call(t testing.TB, srv *otlptest.Server, creds credentials.TransportCredentials) error {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+srv.GRPCEndpoint(), grpc.WithTransportCredentials(creds), grpc.WithContextDialer(srv.DialGRPC))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.Invoke(context.Background(), "/opentelemetry.proto.collector.trace.v1.TraceService/Export", empty{}, empty{}, grpc.ForceCodec(noCodec{}))
}

type empty struct{}

type noCodec struct{}

func (noCodec) Name() string                { return "proto" }
func (noCodec) Marshal(any) ([]byte, error) { return nil, nil }
func (noCodec) Unmarshal([]byte, any) error { return nil }

// everywhere runs a test over TCP, and in memory in a bubble.
func everywhere(t *testing.T, test func(t *testing.T, opts ...otlptest.Option)) {
	t.Run("tcp", func(t *testing.T) { test(t) })
	t.Run("memory", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { test(t, otlptest.WithInMemory()) })
	})
}

func TestClientsThatTrustTheServerReachIt(t *testing.T) {
	for name, option := range map[string]otlptest.Option{"tls": otlptest.WithTLS(), "mutual": otlptest.WithMutualTLS()} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, opts ...otlptest.Option) {
				srv := otlptest.Start(t, append(opts, option)...)
				if !strings.HasPrefix(srv.HTTPEndpoint(), "https://") {
					t.Errorf("got endpoint %s, want https", srv.HTTPEndpoint())
				}
				if err := call(t, srv, credentials.NewTLS(srv.ClientTLS())); err != nil {
					t.Errorf("over gRPC: %v", err)
				}
				if status := send(t, srv, span("charge")); status != 200 {
					t.Errorf("got status %d over HTTP, want 200", status)
				}
				for _, c := range otlptest.Exactly(t, srv.Connections(), 2) {
					if c.TLS != "TLS 1.3" || c.Err != "" || c.Requests != 1 {
						t.Errorf("got connection %+v, want one of TLS 1.3 with a request", c)
					}
				}
			})
		})
	}
}

func TestTheCertificateIsForTheHostsThatAreGiven(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithTLS("backend", "192.0.2.1"))
	for _, host := range []string{"backend", "192.0.2.1", "localhost", "127.0.0.1", "elsewhere"} {
		config := srv.ClientTLS()
		config.ServerName = host
		c, err := tls.Dial("tcp", srv.GRPCEndpoint(), config)
		if err == nil {
			c.Close()
		}
		if stranger := new(x509.HostnameError); errors.As(err, stranger) != (host == "elsewhere") || err != nil && host != "elsewhere" {
			t.Errorf("%s: got %v", host, err)
		}
	}
}

func TestHTTP1AndHTTP2BothReachTheServer(t *testing.T) {
	for _, secure := range []bool{false, true} {
		var opts []otlptest.Option
		if secure {
			opts = append(opts, otlptest.WithTLS())
		}
		srv := otlptest.Start(t, opts...)
		for _, http2 := range []bool{false, true} {
			p := new(http.Protocols)
			p.SetHTTP1(!http2)
			p.SetHTTP2(http2)
			p.SetUnencryptedHTTP2(http2)
			tr := &http.Transport{TLSClientConfig: srv.ClientTLS(), Protocols: p}
			res, err := (&http.Client{Transport: tr}).Do(spanRequest(t, srv))
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != 200 || (res.ProtoMajor == 2) != http2 {
				t.Errorf("got %s and status %d with HTTP/2 %v and TLS %v", res.Proto, res.StatusCode, http2, secure)
			}
			tr.CloseIdleConnections()
		}
		otlptest.Exactly(t, srv.Spans(), 2)
	}
}

// failed is the connections that could not be used.
var failed = where.Func("failed", func(c query.Connection) bool { return c.Err != "" })

func TestConnectionsThatFailAreRecordedAndExplained(t *testing.T) {
	tests := []struct {
		name   string
		option otlptest.Option
		client func(*otlptest.Server) *tls.Config // nil for plaintext
		want   string
	}{
		{"plaintext on a port of TLS", otlptest.WithTLS(), nil, "plaintext on a port of TLS"},
		{"TLS on a port of plaintext", nil, func(*otlptest.Server) *tls.Config { return &tls.Config{InsecureSkipVerify: true} }, "a TLS handshake on a port of plaintext"},
		{"a client that does not trust the server", otlptest.WithTLS(), func(*otlptest.Server) *tls.Config { return &tls.Config{RootCAs: x509.NewCertPool()} }, "TLS handshake: remote error: tls: bad certificate"},
		{"a client that asks for another name", otlptest.WithTLS(), func(s *otlptest.Server) *tls.Config {
			c := s.ClientTLS()
			c.ServerName = "collector"
			return c
		}, "TLS handshake: remote error: tls: bad certificate"},
		{"a client without a certificate", otlptest.WithMutualTLS(), func(s *otlptest.Server) *tls.Config {
			c := s.ClientTLS()
			c.Certificates = nil
			return c
		}, "TLS handshake: tls: client didn't provide a certificate"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, opts ...otlptest.Option) {
				if test.option != nil {
					opts = append(opts, test.option)
				}
				srv := otlptest.Start(t, opts...)
				creds, scheme := insecure.NewCredentials(), "http://"
				var config *tls.Config
				if test.client != nil {
					config = test.client(srv)
					creds, scheme = credentials.NewTLS(config), "https://"
				}
				if err := call(t, srv, creds); err == nil {
					t.Error("the call over gRPC succeeded")
				}
				tr := &http.Transport{TLSClientConfig: config, DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) { return srv.DialGRPC(ctx, addr) }}
				defer tr.CloseIdleConnections()
				req := spanRequest(t, srv)
				req.URL.Scheme = strings.TrimSuffix(scheme, "://")
				if res, err := (&http.Client{Transport: tr}).Do(req); err == nil {
					if res.Body.Close(); res.StatusCode == 200 {
						t.Error("the request over HTTP succeeded")
					}
				}
				for _, c := range otlptest.Await(t, srv.Connections(failed), 2) {
					if !strings.HasPrefix(c.Err, test.want) || c.Requests != 0 {
						t.Errorf("got %+v, want the error to begin with %q", c, test.want)
					}
				}
				if text := srv.Spans().Explain(0, 0, "1"); !strings.Contains(text, "failed   connection 1 (from ") || !strings.Contains(strings.Join(strings.Fields(text), " "), test.want) {
					t.Errorf("got the diagnosis\n%s\nwant it to say %q", text, test.want)
				}
			})
		})
	}
}

func TestHTTPOnThePortOfGRPCIsRecordedAndExplained(t *testing.T) {
	srv := otlptest.Start(t)
	c, err := srv.DialGRPC(t.Context(), srv.GRPCEndpoint())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST /v1/traces HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if c := otlptest.One(t, srv.Connections(failed)); !strings.HasPrefix(c.Err, "no HTTP/2 on the port of gRPC") {
		t.Errorf("got %+v, want it to say what is wrong", c)
	}
}

// C-30.
func TestFilesOfTheCertificatesAreInTheEnvironment(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithMutualTLS())
	ca, cert, key := srv.TLSFiles()
	env := srv.Env(otlptest.GRPC)
	for _, want := range []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=https://" + srv.GRPCEndpoint(), "OTEL_EXPORTER_OTLP_CERTIFICATE=" + ca,
		"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE=" + cert, "OTEL_EXPORTER_OTLP_CLIENT_KEY=" + key,
	} {
		if !slices.Contains(env, want) {
			t.Errorf("%q is missing from %q", want, env)
		}
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if pem, err := os.ReadFile(ca); err != nil || !pool.AppendCertsFromPEM(pem) {
		t.Fatalf("the file of the authority cannot be used: %v", err)
	}
	if err := call(t, srv, credentials.NewTLS(&tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}})); err != nil {
		t.Error(err)
	}
}

func TestCloseRemovesTheFilesOfAServerWithoutATest(t *testing.T) {
	srv, err := otlptest.New(otlptest.WithTLS())
	if err != nil {
		t.Fatal(err)
	}
	ca, cert, _ := srv.TLSFiles()
	if _, err := os.Stat(ca); err != nil || cert != "" {
		t.Errorf("got the files %q and %q, want the first to exist and no second", ca, cert)
	}
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(ca)); !os.IsNotExist(err) {
		t.Errorf("got %v for the directory of the files after Close, want it gone", err)
	}
}

func TestServersWithoutTLSHaveNone(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithInMemory())
	ca, cert, key := srv.TLSFiles()
	if srv.ClientTLS() != nil || ca+cert+key != "" {
		t.Errorf("got %v and the files %q %q %q without TLS, want none", srv.ClientTLS(), ca, cert, key)
	}
}

func TestResetDropsConnectionsThatAreClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		call(t, srv, insecure.NewCredentials())
		send(t, srv, span("charge"))
		synctest.Wait()
		srv.Reset()
		if c := otlptest.One(t, srv.Connections()); c.Number != 2 || c.Protocol != query.HTTPProtobuf {
			t.Errorf("got %+v after Reset, want the one that is kept open", c)
		}
		srv.HTTPClient().CloseIdleConnections()
	})
}
