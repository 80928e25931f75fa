package main

import (
	"github.com/otlptest/otlptest/benchmarks/internal/load"
	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// contender is a server that tables compare.
type contender struct {
	name  string
	kind  string // of the process
	args  []string
	ask   bool
	query bool
}

var (
	otlptest  = contender{name: "otlptest", kind: "otlptest"}
	asked     = contender{name: "otlptest, violations and ledger asked for", kind: "otlptest", ask: true}
	strict    = contender{name: "otlptest, WithStrict", kind: "otlptest", args: []string{"strict"}}
	grpcGo    = contender{name: "grpc-go, requests stored", kind: "grpc-go"}
	collector = contender{name: "Collector's receiver, sink", kind: "collector"}
	easyproto = contender{name: "net/http h2c, easyproto, nothing kept", kind: "easyproto"}
	tcp       = contender{name: "TCP sink, bytes kept", kind: "tcp"}
)

// can is whether it serves such requests.
func (c contender) can(s load.Setting) bool {
	switch c.kind {
	case "grpc-go":
		return s.Transport == load.GRPC && s.Encoding != load.Zstd
	case "easyproto":
		return s.Kind == payload.Spans && s.Transport != load.JSON && s.Encoding == load.Identity
	case "tcp":
		return s.Kind == payload.Spans && s.Transport != load.JSON && s.Encoding == load.Identity
	}
	return true
}

// run sends it the messages of a setting.
func (c contender) run(s load.Setting, m *load.Messages) (load.Cost, error) {
	args := append([]string{c.kind}, c.args...)
	if c.kind == "otlptest" && s.Encoding == load.Zstd {
		args = append(args, "encodings")
	}
	if c.kind == "tcp" {
		s.Transport = load.TCP
	}
	return load.Run(load.Server{Name: c.name, Args: args, Ask: c.ask, Query: c.query}, s, m)
}
