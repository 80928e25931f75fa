package violations

import (
	"strings"

	"github.com/otlptest/otlptest/query"
)

// checkPath looks at a path that the server does not have.
func (r *requestChecks) checkPath() {
	if !r.telemetry() {
		return
	}
	path, tail := r.Path, "/v1/"+string(signalIn(r.Path))
	switch {
	case tail == "/v1/":
		r.checkOther()
	case strings.Contains(path, "//"):
		r.report(basePath, quote(path), quote(single(path)))
	case strings.Count(path, tail) > 1:
		before, _, _ := strings.Cut(path, tail)
		r.report(signalPath, quote(path), quote(before+tail))
	case strings.HasSuffix(path, tail+"/"):
		r.report(changedPath, quote(path), quote(strings.TrimSuffix(path, "/")))
	default:
		r.checkOther()
	}
}

// telemetry says whether a request on another path than OTLP's was probably
// meant as an export, and was not a browser or a probe.
func (r *requestChecks) telemetry() bool {
	post := r.Method == "" || r.Method == "POST"
	return post && (r.Signal != "" || r.Protocol != "" || signalIn(r.Path) != "" || r.overGRPC())
}

func (r *requestChecks) overGRPC() bool {
	return strings.HasPrefix(r.Header.Get("content-type"), "application/grpc")
}

// checkOther looks at a path of which it is not known what it should be.
func (r *requestChecks) checkOther() {
	want := "a path that the server has, such as /v1/traces"
	switch {
	case r.overGRPC():
		want = "gRPC on the port of gRPC"
	case r.Path == "/" || r.Path == "":
		want = "the path of a signal, which has to be in a URL that is given for one signal"
	}
	r.report(otherPath, quote(r.Path), want)
}

// single is a path in which no slash follows another one.
func single(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}

// signalIn is the signal whose path is in another one, and empty for none.
func signalIn(path string) query.Signal {
	for _, sig := range []query.Signal{query.Traces, query.Metrics, query.Logs} {
		if strings.Contains(path, "/v1/"+string(sig)) {
			return sig
		}
	}
	return ""
}
