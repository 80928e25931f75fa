package receiver

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// paths are the HTTP paths of OTLP (S-18), below the prefix.
var paths = map[string]query.Signal{
	"/v1/traces":  query.Traces,
	"/v1/metrics": query.Metrics,
	"/v1/logs":    query.Logs,
}

// signalOf is the signal that a path is for, and empty for another path.
func (r *Receiver) signalOf(path string) query.Signal {
	below, ok := strings.CutPrefix(path, r.PathPrefix)
	if !ok {
		return ""
	}
	return paths[below]
}

// wrongPath says what a path should be, and what probably went wrong.
func (r *Receiver) wrongPath(req *http.Request) string {
	text := fmt.Sprintf("got path %q, want %[2]s/v1/traces, %[2]s/v1/metrics or %[2]s/v1/logs", req.URL.Path, r.PathPrefix)
	if hint := r.pathHint(req); hint != "" {
		text += ": " + hint
	}
	return text
}

func (r *Receiver) pathHint(req *http.Request) string {
	path := req.URL.Path
	switch sig := signalIn(path); {
	case strings.HasPrefix(req.Header.Get("Content-Type"), "application/grpc"):
		return "this is gRPC on the port of HTTP"
	case path == "/" || path == "":
		return "the exporter takes a signal's URL as it is (C-26), so that has to end in the signal's path"
	case sig == "":
		return ""
	case strings.Contains(path, "//"):
		return "the endpoint's slash at the end and the one of the signal's path are both there"
	case strings.Count(path, "/v1/"+string(sig)) > 1:
		return "the exporter appends the signal's path (C-25), so the endpoint must not have it"
	case strings.HasSuffix(path, "/") && r.signalOf(strings.TrimRight(path, "/")) != "":
		return "there is a slash at the end"
	case r.signalOf(strings.ToLower(path)) != "":
		return "paths are in lower case"
	case strings.HasSuffix(path, "/v1/"+string(sig)):
		return fmt.Sprintf("the server's path prefix is %q, not %q (WithPathPrefix)", r.PathPrefix, strings.TrimSuffix(path, "/v1/"+string(sig)))
	}
	return ""
}

// signalIn is the signal whose name is in a path.
func signalIn(path string) query.Signal {
	for _, sig := range []query.Signal{query.Traces, query.Metrics, query.Logs} {
		if strings.Contains(strings.ToLower(path), string(sig)) {
			return sig
		}
	}
	return ""
}

// recognize reads what a request with another path than OTLP's carried. It is
// the signal that the path names, or else the first as which the body makes
// sense; none if there is no such.
func (r *Receiver) recognize(path string, m message) (query.Signal, int, message) {
	candidates := []query.Signal{query.Traces, query.Metrics, query.Logs}
	named := signalIn(path)
	if named != "" {
		candidates = []query.Signal{named}
	}
	for _, sig := range candidates {
		try := m
		body, _, err := r.protobuf(sig, &try, otlpjson.Lenient)
		if err != nil {
			continue
		}
		items, err := wire.Validate(sig, body)
		if err == nil && items > 0 && (named != "" || plausible(sig, body)) {
			m.body = body
			return sig, items, m
		}
	}
	m.body = nil
	return named, 0, m
}

// plausible says whether a body is of a signal, and not one of another that
// happens to have the same form on the wire.
func plausible(sig query.Signal, body []byte) bool {
	for it := range wire.Items(sig, body, nil, 1) {
		switch sig {
		case query.Traces:
			return !it.Span().TraceID.IsZero()
		case query.Metrics:
			return it.Point().Name != ""
		}
		return !it.Log().Time.IsZero() || !it.Log().ObservedTime.IsZero() || !it.Log().Body.IsEmpty()
	}
	return false
}
