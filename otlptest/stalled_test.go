package otlptest_test

import (
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"

	"github.com/otlptest/otlptest/otlptest"
)

// deaf is a listener of somebody's who does not end what waits for it.
type deaf struct{ waiting, over chan struct{} }

func (d deaf) Accept() (net.Conn, error) {
	d.waiting <- struct{}{}
	<-d.over
	return nil, net.ErrClosed
}
func (deaf) Close() error   { return nil }
func (deaf) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

func TestCloseNamesAListenerThatDoesNotEnd(t *testing.T) {
	for _, http := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ls := [2]net.Listener{deaf{make(chan struct{}), make(chan struct{})}, nil}
			if http {
				ls[1] = deaf{make(chan struct{}), make(chan struct{})}
			}
			srv, err := otlptest.New(otlptest.WithListeners(ls[0], ls[1]))
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range ls {
				if l, ok := l.(deaf); ok {
					<-l.waiting
					defer close(l.over)
				}
			}
			if err := srv.Close(); err == nil || !strings.HasPrefix(err.Error(), "close: still open after 5s") {
				t.Errorf("got %v, want that something is still open", err)
			}
		})
	}
}

// Clients that say part of what they should, and nothing more.
func TestCloseDoesNotWaitForClientsThatStall(t *testing.T) {
	preface := http2.ClientPreface
	settings := "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	for name, begin := range map[string]string{
		"nothing":              "",
		"part of the preface":  preface[:10],
		"the preface":          preface,
		"part of a frame head": preface + settings[:4],
		"settings":             preface + settings,
		"part of a frame":      preface + settings + "\x00\x00\x10\x01\x04\x00\x00\x00\x01\x82",
		"part of HTTP/1":       "POST /v1/traces HTTP/1.1\r\nHost: x\r\n",
		"part of a hello":      "\x16\x03\x01\x02\x00\x01",
	} {
		for kind, opts := range map[string][]otlptest.Option{"two ports": nil, "one port": {otlptest.WithOnePort()}, "TLS": {otlptest.WithTLS()}, "TLS on one port": {otlptest.WithTLS(), otlptest.WithOnePort()}} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				t.Parallel()
				srv, err := otlptest.New(opts...)
				if err != nil {
					t.Fatal(err)
				}
				_, http, _ := strings.Cut(srv.HTTPEndpoint(), "://")
				for _, addr := range []string{srv.GRPCEndpoint(), http} {
					c, err := net.Dial("tcp", addr)
					if err != nil {
						t.Fatal(err)
					}
					defer c.Close()
					if _, err := c.Write([]byte(begin)); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := srv.Connections().Wait(t.Context(), 2); err != nil {
					t.Fatal(err)
				}
				closed := make(chan error)
				go func() { closed <- srv.Close() }()
				select {
				case err := <-closed:
					if err != nil {
						t.Error(err)
					}
				case <-time.After(30 * time.Second): // grpc-go gives a client two minutes
					t.Error("Close waits for a client")
				}
			})
		}
	}
}
