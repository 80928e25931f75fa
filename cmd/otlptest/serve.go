package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/otlptest/otlptest/encodings"
	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/httpapi"
	"github.com/otlptest/otlptest/otlptest"
)

// serve is the command that runs the backend.
type serve struct {
	GRPC   string `name:"grpc" placeholder:"HOST:PORT" default:"127.0.0.1:4317" help:"Where OTLP over gRPC is received (${default}). Port 0 is any free one, here and below."`
	HTTP   string `name:"http" placeholder:"HOST:PORT" default:"127.0.0.1:4318" help:"Where OTLP over HTTP is received (${default})."`
	API    string `name:"api" placeholder:"HOST:PORT" default:"127.0.0.1:4319" help:"Where the HTTP API answers (${default}). Whoever reaches it can change what the backend does."`
	Faults string `placeholder:"TEXT" help:"What to answer to which export, as in \"traces: throttle 30s x2, unavailable; metrics: always http 502\"."`
	JSON   bool   `name:"json" help:"When ready, print the addresses as one line of JSON."`

	rules []faults.Rule
}

// Validate reads what kong cannot check.
func (c *serve) Validate() (err error) {
	if c.rules, err = faults.Parse(c.Faults); err != nil {
		return fmt.Errorf("--faults: %w", err)
	}
	return nil
}

// Run serves until an interrupt, a SIGTERM, or the end of ctx.
func (c *serve) Run(ctx context.Context, stdout io.Writer) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	b, err := c.start()
	if err != nil {
		return err
	}
	if err := c.announce(stdout, b.addresses()); err != nil {
		return errors.Join(err, b.close())
	}
	select {
	case <-ctx.Done():
	case err = <-b.failed:
	}
	stop() // a second signal ends the program at once
	return errors.Join(err, b.close())
}

// backend is what runs.
type backend struct {
	srv    *otlptest.Server
	api    *http.Server
	at     net.Addr
	failed chan error // why the API ended by itself
}

func (c *serve) start() (*backend, error) {
	ls, err := listen([]address{{"--grpc", c.GRPC}, {"--http", c.HTTP}, {"--api", c.API}})
	if err != nil {
		return nil, err
	}
	opts := append(encodings.Register(), otlptest.WithListeners(ls[0], ls[1]), otlptest.WithFaults(c.rules...))
	srv, err := otlptest.New(opts...)
	if err != nil {
		closeAll(ls)
		return nil, err
	}
	b := &backend{
		srv:    srv,
		api:    &http.Server{Handler: httpapi.New(srv), ReadHeaderTimeout: time.Minute},
		at:     ls[2].Addr(),
		failed: make(chan error, 1),
	}
	go func() { b.failed <- b.api.Serve(ls[2]) }()
	return b, nil
}

// drainLimit is how long requests to the API may take to end.
const drainLimit = 5 * time.Second

// close closes the backend first, which ends waits with a diagnosis, and then
// the API once its last answers are out.
func (b *backend) close() error {
	err := b.srv.Close()
	ctx, cancel := context.WithTimeout(context.Background(), drainLimit)
	defer cancel()
	if late := b.api.Shutdown(ctx); late != nil {
		err = errors.Join(err, fmt.Errorf("requests to the API still open after %s", drainLimit), b.api.Close())
	}
	return err
}

// address is where a flag says to listen.
type address struct{ flag, addr string }

// listen opens all listeners or none.
func listen(addrs []address) ([]net.Listener, error) {
	var ls []net.Listener
	for _, a := range addrs {
		l, err := net.Listen("tcp", a.addr)
		if err != nil {
			closeAll(ls)
			return nil, a.explain(err)
		}
		ls = append(ls, l)
	}
	return ls, nil
}

func closeAll(ls []net.Listener) {
	for _, l := range ls {
		l.Close()
	}
}

func (a address) explain(err error) error {
	var bad *net.AddrError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%s %s: the address is in use, by a Collector perhaps: stop what listens there, or choose another port (0 is any free one)", a.flag, a.addr)
	case errors.As(err, &bad):
		return fmt.Errorf("%s %s: %s, want HOST:PORT, such as 127.0.0.1:0", a.flag, a.addr, bad.Err)
	}
	return fmt.Errorf("%s %s: %w", a.flag, a.addr, err)
}

// addresses is where clients reach the backend.
type addresses struct {
	GRPC string `json:"grpc"` // host:port
	HTTP string `json:"http"` // a base URL
	API  string `json:"api"`  // a base URL
}

func (b *backend) addresses() addresses {
	return addresses{
		GRPC: reachable(b.srv.GRPCEndpoint()),
		HTTP: "http://" + reachable(b.srv.HTTPEndpoint()[len("http://"):]),
		API:  "http://" + reachable(b.at.String()),
	}
}

// reachable is an address that clients on this machine can use: one that
// stands for every interface is none.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

// announce says that the backend is ready, and where.
func (c *serve) announce(w io.Writer, a addresses) error {
	if c.JSON {
		return json.NewEncoder(w).Encode(a)
	}
	_, err := fmt.Fprintf(w, `otlptest is ready.

  OTLP/gRPC  %[1]s
  OTLP/HTTP  %[2]s
  API        %[3]s

send       OTEL_EXPORTER_OTLP_ENDPOINT=%[2]s OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf your-program
look       curl %[3]s/api/v1/spans
wait for   curl -sG --fail-with-body %[3]s/api/v1/spans -d wait=1 --data-urlencode 'q=name="charge"'
misbehave  curl %[3]s/api/v1/faults -d 'traces: throttle 5s, unavailable'
start over curl -X POST %[3]s/api/v1/reset

An interrupt (Ctrl-C) stops it.
`, a.GRPC, a.HTTP, a.API)
	return err
}
