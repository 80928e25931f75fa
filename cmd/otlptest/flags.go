package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/otlptest/otlptest/encodings"
	"github.com/otlptest/otlptest/otlptest"
)

// backendFlags is what serve and run take about the backend itself.
type backendFlags struct {
	Faults     ruleSet       `placeholder:"RULES" group:"behave" help:"What to answer to which export, as in \"traces: throttle 30s x2, unavailable; metrics: always http 502\"; or a file with a rule a line or with JSON, as @FILE or by its name."`
	Strict     bool          `group:"behave" help:"Refuse what departs from OTLP instead of only reporting it."`
	PathPrefix string        `placeholder:"PATH" group:"behave" help:"A path before /v1/traces and its like."`
	HangLimit  time.Duration `placeholder:"DURATION" default:"10m" group:"behave" help:"When a scripted wait ends by itself."`

	TLS         bool     `name:"tls" group:"secure" help:"Serve over TLS, with a certificate that is made for this run."`
	MutualTLS   bool     `name:"mutual-tls" group:"secure" help:"Serve over TLS, and want the client's certificate that is made for this run."`
	Certificate string   `placeholder:"WRONG" enum:",expired,not-yet-valid,other-name" default:"" group:"secure" help:"Serve over TLS with a certificate that clients must not accept: expired, not-yet-valid or other-name."`
	AuthBearer  []string `placeholder:"TOKEN" sep:"none" group:"secure" help:"Want a bearer token. May be repeated."`
	AuthBasic   []string `placeholder:"USER:PASSWORD" sep:"none" group:"secure" help:"Want a user and a password. May be repeated."`

	MaxRequestSize size   `placeholder:"SIZE" default:"64MiB" group:"limit" help:"How much a request may have, as sent and again once decompressed."`
	MemoryLimit    size   `placeholder:"SIZE" group:"limit" help:"How much is kept of what was received; without it everything is."`
	MemoryPolicy   string `placeholder:"POLICY" enum:"refuse,drop" default:"refuse" group:"limit" help:"What happens beyond the memory limit: refuse exports as a backend that is overloaded does, or drop the oldest data."`
}

// Validate says what kong cannot.
func (f *backendFlags) Validate() error {
	for _, up := range f.AuthBasic {
		if user, _, ok := strings.Cut(up, ":"); !ok || user == "" {
			return fmt.Errorf("--auth-basic: got %q, want USER:PASSWORD", up)
		}
	}
	if f.HangLimit <= 0 {
		return fmt.Errorf("--hang-limit: got %s, want more than 0", f.HangLimit)
	}
	if f.MemoryPolicy == "drop" && f.MemoryLimit == 0 {
		return errors.New("--memory-policy: got drop, want --memory-limit beside it")
	}
	return nil
}

// options is what the flags say to the library.
func (f *backendFlags) options() []otlptest.Option {
	opts := append(encodings.Register(),
		otlptest.WithFaults(f.Faults.rules...),
		otlptest.WithHangLimit(f.HangLimit),
		otlptest.WithMaxRequestSize(int(f.MaxRequestSize)),
	)
	if f.Strict {
		opts = append(opts, otlptest.WithStrict())
	}
	if f.PathPrefix != "" {
		opts = append(opts, otlptest.WithPathPrefix(f.PathPrefix))
	}
	if f.MemoryLimit > 0 {
		opts = append(opts, otlptest.WithMemoryLimit(int(f.MemoryLimit), memoryPolicies[f.MemoryPolicy]))
	}
	return append(opts, f.security()...)
}

// memoryPolicies is those of the library, by what they are called here.
var memoryPolicies = map[string]otlptest.MemoryPolicy{"refuse": otlptest.RefuseExports, "drop": otlptest.DropOldest}

// security is the options of TLS and of authentication.
func (f *backendFlags) security() (opts []otlptest.Option) {
	if f.TLS {
		opts = append(opts, otlptest.WithTLS())
	}
	if f.MutualTLS {
		opts = append(opts, otlptest.WithMutualTLS())
	}
	if f.Certificate != "" {
		opts = append(opts, otlptest.WithCertificate(otlptest.Certificate(strings.ReplaceAll(f.Certificate, "-", " "))))
	}
	for _, token := range f.AuthBearer {
		opts = append(opts, otlptest.WithAuth(otlptest.Bearer(token)))
	}
	for _, up := range f.AuthBasic {
		user, password, _ := strings.Cut(up, ":")
		opts = append(opts, otlptest.WithAuth(otlptest.Basic(user, password)))
	}
	return opts
}
