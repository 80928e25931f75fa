package server

import (
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"sync/atomic"

	"github.com/otlptest/otlptest/benchmarks/internal/easy"
	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// maxRequest is more than any request here.
const maxRequest = 64 << 20

// serveEasyproto serves gRPC and HTTP on a plain net/http server that takes
// cleartext HTTP/2, with the framing of gRPC and the decoding by hand. It keeps
// nothing.
func serveEasyproto([]string) (running, error) {
	l, err := listen()
	if err != nil {
		return running{}, err
	}
	var spans atomic.Int64
	s := &http.Server{Protocols: new(http.Protocols), Handler: easyHandler(func(b []byte) error {
		var r easy.Request
		err := r.Unmarshal(b)
		spans.Add(int64(r.SpanCount()))
		return err
	})}
	s.Protocols.SetHTTP1(true)
	s.Protocols.SetUnencryptedHTTP2(true)
	go s.Serve(l)
	addr := l.Addr().String()
	return running{Addresses: Addresses{GRPC: addr, HTTP: addr}, count: func() int { return int(spans.Load()) }}, nil
}

func easyHandler(take func(request []byte) error) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+payload.Spans.Method(), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set("Trailer", "Grpc-Status, Grpc-Message")
		b, err := readGRPC(r.Body)
		if err == nil {
			err = take(b)
		}
		if err != nil {
			w.Header().Set("Grpc-Status", "3") // INVALID_ARGUMENT
			w.Header().Set("Grpc-Message", err.Error())
			return
		}
		w.Write(make([]byte, 5)) // an empty response
		w.Header().Set("Grpc-Status", "0")
	})
	mux.HandleFunc("POST "+payload.Spans.Path(), func(w http.ResponseWriter, r *http.Request) {
		b, err := readHTTP(r)
		if err == nil {
			err = take(b)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	})
	return mux
}

func readGRPC(body io.Reader) ([]byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(body, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if head[0] != 0 || n > maxRequest {
		return nil, errors.New("compressed or too large")
	}
	b := make([]byte, n)
	_, err := io.ReadFull(body, b)
	return b, err
}

func readHTTP(r *http.Request) ([]byte, error) {
	if r.ContentLength < 0 || r.ContentLength > maxRequest || r.Header.Get("Content-Encoding") != "" {
		return nil, errors.New("compressed, too large or of unknown length")
	}
	b := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, b)
	return b, err
}
