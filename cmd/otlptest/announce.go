package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/otlptest"
)

// writeTLS copies what clients need to where the flag says.
func (c *serve) writeTLS(srv *otlptest.Server) error {
	if c.TLSDir == "" {
		return nil
	}
	if err := os.MkdirAll(c.TLSDir, 0o755); err != nil {
		return fmt.Errorf("--tls-dir: %w", err)
	}
	ca, cert, key := srv.TLSFiles()
	for _, file := range []string{ca, cert, key} {
		if file == "" {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(c.TLSDir, filepath.Base(file)), content, 0o644); err != nil {
			return fmt.Errorf("--tls-dir: %w", err)
		}
	}
	return nil
}

// addresses is where clients reach the backend, with the files where the flag
// says that they are.
func (c *serve) addresses(b *backend) addresses {
	a := b.addresses()
	if c.TLSDir != "" && a.TLS != nil {
		for _, file := range []*string{&a.TLS.CA, &a.TLS.Cert, &a.TLS.Key} {
			if *file != "" {
				*file = filepath.Join(c.TLSDir, filepath.Base(*file))
			}
		}
	}
	return a
}

// environment is what a program exports by.
func environment(srv *otlptest.Server) string {
	unset := func(kv string) bool { return strings.HasSuffix(kv, "=") }
	return strings.Join(slices.DeleteFunc(srv.Env(otlptest.HTTPProtobuf), unset), " ")
}

// announce says that the backend is ready, and where.
func (c *serve) announce(w io.Writer, log *slog.Logger, b *backend) error {
	a := c.addresses(b)
	log.Info("listening", "grpc", a.GRPC, "http", a.HTTP, "api", a.API)
	if c.JSON {
		return json.NewEncoder(w).Encode(a)
	}
	tls := ""
	if a.TLS != nil {
		tls = "\n  trust      " + a.TLS.CA
		if a.TLS.Cert != "" {
			tls += "\n  show       " + a.TLS.Cert + " and " + a.TLS.Key
		}
	}
	token := ""
	if c.Token != "" {
		token = `-H "Authorization: Bearer $OTLPTEST_TOKEN" `
	}
	_, err := fmt.Fprintf(w, `otlptest is ready.

  OTLP/gRPC  %[1]s
  OTLP/HTTP  %[2]s
  API        %[3]s%[4]s

send       %[5]s your-program
look       curl %[6]s%[3]s/api/v1/spans
           %[3]s in a browser
wait for   curl -sG --fail-with-body %[6]s%[3]s/api/v1/spans -d wait=1 --data-urlencode 'q=name="charge"'
misbehave  curl %[6]s%[3]s/api/v1/faults -d 'traces: throttle 5s, unavailable'
start over curl -X POST %[6]s%[3]s/api/v1/reset

An interrupt (Ctrl-C) stops it.
`, a.GRPC, a.HTTP, a.API, tls, environment(b.srv), token)
	if err != nil {
		return errors.Join(errors.New("say that the backend is ready"), err)
	}
	return nil
}
