package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/otlptest/otlptest/httpapi"
	"github.com/otlptest/otlptest/otlptest"
)

// serve is the command that runs the backend.
type serve struct {
	GRPC    string   `name:"grpc" placeholder:"ADDRESS" default:"127.0.0.1:4317" group:"listen" help:"Where OTLP over gRPC is received: HOST:PORT, where port 0 is any free one, or unix:PATH."`
	HTTP    string   `name:"http" placeholder:"ADDRESS" default:"127.0.0.1:4318" group:"listen" help:"Where OTLP over HTTP is received, likewise."`
	OnePort bool     `group:"listen" help:"Receive both at the address for gRPC; that for HTTP does not count then."`
	API     string   `name:"api" placeholder:"ADDRESS" default:"127.0.0.1:4319" group:"listen" help:"Where the HTTP API answers. Whoever reaches it can change what the backend does: an address that other machines reach needs a token."`
	Token   string   `placeholder:"TOKEN" group:"listen" help:"The bearer token that the API asks for."`
	APIHost []string `name:"api-host" placeholder:"HOST" group:"listen" help:"A host that requests to the API may name, beside loopback ones. Where there is a token and the address is not a loopback one, they may name any."`
	JSON    bool     `name:"json" group:"listen" help:"When ready, print the addresses as one line of JSON."`
	backendFlags
	TLSHost     []string      `name:"tls-host" placeholder:"HOST" group:"secure" help:"A name or address by which clients elsewhere reach the backend, for the certificate, beside localhost and the addresses that it listens on."`
	TLSDir      string        `name:"tls-dir" placeholder:"DIRECTORY" group:"secure" help:"Where the certificates for clients are written: ca.pem, client.pem and client-key.pem. Without it they are in a directory that the addresses name."`
	WaitTimeout time.Duration `placeholder:"DURATION" default:"10s" group:"limit" help:"How long waits of the server's own last."`
	Drain       time.Duration `placeholder:"DURATION" default:"5s" group:"limit" help:"How long requests that are open may take to end, once the backend is told to stop."`
	logFlags
}

// Validate says what kong cannot.
func (c *serve) Validate() error {
	if c.WaitTimeout <= 0 {
		return fmt.Errorf("--wait-timeout: got %s, want more than 0", c.WaitTimeout)
	}
	if c.Token == "" && !loopback(c.API) {
		return fmt.Errorf("--api %s: want --token, or OTLPTEST_TOKEN, beside an address that is not a loopback one: whoever reaches the API can change what the backend does", c.API)
	}
	if len(c.TLSHost) > 0 && !c.TLS && !c.MutualTLS {
		return errors.New("--tls-host: want --tls or --mutual-tls beside it")
	}
	for _, host := range c.TLSHost {
		if net.ParseIP(host) == nil && (host == "" || strings.ContainsAny(host, ":/ ")) {
			return fmt.Errorf("--tls-host: got %q, want a name or an address without a port", host)
		}
	}
	if c.TLSDir != "" && !c.TLS && !c.MutualTLS && c.Certificate == "" {
		return errors.New("--tls-dir: want --tls, --mutual-tls or --certificate beside it")
	}
	return c.backendFlags.Validate()
}

// Run serves until an interrupt, a SIGTERM, or the end of ctx.
func (c *serve) Run(ctx context.Context, con console) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := c.logger(con.stderr)
	b, err := c.start()
	if err != nil {
		return err
	}
	stopLog := follow(b.srv, log)
	err = c.announce(con.stdout, log, b)
	if err == nil {
		select {
		case <-ctx.Done():
		case err = <-b.failed:
		}
	}
	stop() // a second signal ends the program at once
	return errors.Join(err, c.stop(b, log, stopLog))
}

// stop takes no more connections, answers what is open, and closes.
func (c *serve) stop(b *backend, log *slog.Logger, stopLog func()) error {
	log.Info("stopping", "limit", c.Drain.String())
	err := b.srv.Refuse()
	if open := drained(b.srv, c.Drain); open > 0 {
		log.Warn("requests are cut", "open", open, "after", c.Drain.String())
	} else if openConnections(b.srv) > 0 {
		time.Sleep(quietTime) // a request has ended a little before its answer is on the wire
	}
	err = errors.Join(err, b.close())
	stopLog()
	return err
}

func (c *serve) start() (*backend, error) {
	http := c.HTTP
	if c.OnePort {
		http = ""
	}
	ls, err := listen(address{"--grpc", c.GRPC}, address{"--http", http}, address{"--api", c.API})
	if err != nil {
		return nil, err
	}
	opts := append(c.options(), otlptest.WithWaitTimeout(c.WaitTimeout))
	if c.OnePort {
		opts = append(opts, otlptest.WithOnePort())
	}
	if len(c.TLSHost) > 0 {
		opts = append(opts, otlptest.WithTLS(c.TLSHost...))
	}
	return start(ls, opts, c.writeTLS, c.apiOptions()...)
}

// apiOptions says whom the API answers.
func (c *serve) apiOptions() []httpapi.Option {
	hosts := c.APIHost
	if c.Token != "" && !loopback(c.API) {
		hosts = append(hosts, "*")
	}
	return []httpapi.Option{httpapi.WithToken(c.Token), httpapi.WithHosts(hosts...)}
}
