package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/otlptest/otlptest/httpapi"
	"github.com/otlptest/otlptest/otlptest"
)

// backend is what runs: a server and its API.
type backend struct {
	srv    *otlptest.Server
	api    *http.Server
	at     net.Addr   // of the API
	failed chan error // why the API ended by itself
}

// start serves OTLP on two listeners, of which the second may be nil, and then,
// when the server is ready and prepare has been called, the API on a third: who
// finds it healthy finds everything. After an error all are closed.
func start(ls []net.Listener, opts []otlptest.Option, prepare func(*otlptest.Server) error, api ...httpapi.Option) (*backend, error) {
	srv, err := otlptest.New(append(opts, otlptest.WithListeners(ls[0], ls[1]))...)
	if err != nil {
		closeAll(ls)
		return nil, err
	}
	if err := prepare(srv); err != nil {
		ls[2].Close()
		return nil, errors.Join(err, srv.Close())
	}
	b := &backend{
		srv:    srv,
		api:    &http.Server{Handler: httpapi.New(srv, api...), ReadHeaderTimeout: time.Minute},
		at:     ls[2].Addr(),
		failed: make(chan error, 1),
	}
	go func() { b.failed <- b.api.Serve(ls[2]) }()
	return b, nil
}

// apiLimit is how long requests to the API may take to end.
const apiLimit = 5 * time.Second

// close closes the server first, which ends waits with a diagnosis, and then
// the API once its last answers are out.
func (b *backend) close() error {
	err := b.srv.Close()
	ctx, cancel := context.WithTimeout(context.Background(), apiLimit)
	defer cancel()
	if late := b.api.Shutdown(ctx); late != nil {
		err = errors.Join(err, fmt.Errorf("requests to the API still open after %s", apiLimit), b.api.Close())
	}
	return err
}

// addresses is where clients reach the backend.
type addresses struct {
	GRPC string    `json:"grpc"`          // host:port
	HTTP string    `json:"http"`          // a base URL
	API  string    `json:"api"`           // a base URL
	TLS  *tlsFiles `json:"tls,omitempty"` // nil for plaintext
}

// tlsFiles is where the files are that clients need for TLS.
type tlsFiles struct {
	CA   string `json:"ca"`
	Cert string `json:"cert,omitempty"` // with mutual TLS only, and so is the key
	Key  string `json:"key,omitempty"`
}

func (b *backend) addresses() addresses {
	a := addresses{GRPC: b.srv.GRPCEndpoint(), HTTP: b.srv.HTTPEndpoint(), API: "http://" + reachable(b.at.String())}
	if ca, cert, key := b.srv.TLSFiles(); ca != "" {
		a.TLS = &tlsFiles{ca, cert, key}
	}
	return a
}
