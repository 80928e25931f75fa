package otlptest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
)

// surroundings is what a failure says where nothing has come of a signal, or at
// all where that is empty: the addresses, what in the environment may keep the
// data away, and which other server has got some.
func (s *Server) surroundings(sig query.Signal, connected bool) store.Surroundings {
	around := store.Surroundings{Listening: "listening on " + s.addresses()}
	if !connected {
		around.Hints = append(s.diverted(sig), s.runner.elsewhere()...)
	}
	return around
}

// addresses is where the server listens by now, in words.
func (s *Server) addresses() string {
	text := "grpc " + s.GRPCEndpoint()
	if http := s.httpAddress(); http != "" {
		text += " and " + http
	}
	return text
}

// diverted says which variables of this process keep an exporter that obeys
// them from sending a signal here.
func (s *Server) diverted(sig query.Signal) (hints []string) {
	say := func(name, what string) {
		hints = append(hints, fmt.Sprintf("%s=%s in this process: %s", name, os.Getenv(name), what))
	}
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		say("OTEL_SDK_DISABLED", "the SDK does nothing")
	}
	for _, one := range signalNames(sig) {
		if v := os.Getenv("OTEL_" + one + "_EXPORTER"); v != "" && !strings.Contains(v, "otlp") {
			say("OTEL_"+one+"_EXPORTER", "nothing is exported by OTLP")
		}
		if name := endpointVariable(one); name != "" && !s.isAt(os.Getenv(name)) && !slices.ContainsFunc(hints, func(h string) bool { return strings.HasPrefix(h, name+"=") }) {
			say(name, "an exporter that is configured by it sends elsewhere; srv.Setenv points it here")
		}
		if v := os.Getenv("OTEL_TRACES_SAMPLER"); one == "TRACES" && (strings.HasSuffix(v, "always_off") || strings.HasSuffix(v, "ratio")) {
			say("OTEL_TRACES_SAMPLER", "spans may be dropped before they are exported")
		}
	}
	return hints
}

// signalNames is a signal as variables have it, or all where it is empty.
func signalNames(sig query.Signal) []string {
	if sig == "" {
		return []string{"TRACES", "METRICS", "LOGS"}
	}
	return []string{strings.ToUpper(string(sig))}
}

// endpointVariable is the variable that decides where a signal goes, and empty
// where none is set.
func endpointVariable(signal string) string {
	for _, name := range []string{"OTEL_EXPORTER_OTLP_" + signal + "_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"} {
		if os.Getenv(name) != "" {
			return name
		}
	}
	return ""
}

// isAt says whether an endpoint is one of the server's addresses.
func (s *Server) isAt(endpoint string) bool {
	at := hostPort(endpoint)
	http := s.httpAddress()
	return at == hostPort(s.GRPCEndpoint()) || http != "" && at == hostPort(http)
}

// hostPort is the host and port of an endpoint with or without a scheme, with
// loopback under one name.
func hostPort(endpoint string) string {
	if u, err := url.Parse(endpoint); err == nil && u.Host != "" {
		endpoint = u.Host
	}
	host, port, err := net.SplitHostPort(endpoint)
	if err != nil {
		return endpoint
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
