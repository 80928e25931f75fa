package h2shim_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/h2shim"
)

func TestClientOfTheStandardLibraryExchangesLargeBodies(t *testing.T) {
	for _, version := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			client, server := memPair(t)
			transport := &http.Transport{
				Protocols:   new(http.Protocols),
				DialContext: func(context.Context, string, string) (net.Conn, error) { return client, nil },
			}
			transport.Protocols.SetHTTP1(version == 1)
			transport.Protocols.SetUnencryptedHTTP2(version == 2)
			echo := &http.Server{Protocols: new(http.Protocols), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				w.Header().Set("ID", strings.Join(r.Header.Values(h2shim.Header), ","))
				w.Write(body)
			})}
			echo.Protocols.SetHTTP1(true)
			echo.Protocols.SetUnencryptedHTTP2(true)
			serve(t, func() { echo.Serve(oneConn(h2shim.New(server))) }, func() { client.Close(); echo.Close() })
			for _, id := range []string{"1", "3", "5"} {
				body := bytes.Repeat([]byte(id), 1<<20)
				resp, err := (&http.Client{Transport: transport}).Post("http://test/", "text/plain", bytes.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(resp.Body)
				if err != nil || !bytes.Equal(got, body) {
					t.Errorf("got %d bytes, %v, want the %d that were sent", len(got), err, len(body))
				}
				if got := resp.Header.Get("ID"); resp.ProtoMajor != version || version == 2 && got != id || version == 1 && got != "" {
					t.Errorf("HTTP/%d had stream %q, want HTTP/%d and %s", resp.ProtoMajor, got, version, id)
				}
			}
			transport.CloseIdleConnections()
		})
	}
}

func TestServersTimeoutForRequestHeads(t *testing.T) {
	for _, sent := range []string{"", "GET / HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n"} {
		synctest.Test(t, func(t *testing.T) {
			client, server := memPair(t)
			s := &http.Server{Protocols: new(http.Protocols), ReadHeaderTimeout: time.Minute}
			s.Protocols.SetHTTP1(true)
			s.Protocols.SetUnencryptedHTTP2(true)
			serve(t, func() { s.Serve(oneConn(h2shim.New(server))) }, func() { client.Close(); s.Close() })
			begin := time.Now()
			io.WriteString(client, sent)
			io.ReadAll(client)
			if took := time.Since(begin).Truncate(time.Second); took != time.Minute {
				t.Errorf("after %q the server hung up in %v, want 1m", sent, took)
			}
		})
	}
}
