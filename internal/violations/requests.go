package violations

import (
	"bytes"
	"errors"
	"strings"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// Broken is what is known of a body that is not OTLP. The body itself is not
// kept.
type Broken struct {
	Head []byte // its first bytes, at least two if it has them
	Err  error  // why it is not OTLP
}

// The statuses of HTTP that mean something to a check.
const (
	badRequest         = 400
	notFound           = 404
	methodNotAllowed   = 405
	tooManyRequests    = 429
	badGateway         = 502
	serviceUnavailable = 503
	gatewayTimeout     = 504
)

// requestChecks collects what concerns a request as a whole.
type requestChecks struct {
	query.Export
	list []query.Violation
}

// request is what concerns one request as a whole.
func request(e Evidence) []query.Violation {
	r := requestChecks{Export: e.Export}
	if r.Protocol == query.GRPC {
		r.checkService()
	} else {
		r.checkHTTP()
	}
	scripted := r.Fault != query.FaultRef{}
	switch fit := r.Outcome == query.Open || r.Acknowledged() || scripted; {
	case r.Outcome == query.Malformed:
		r.checkBody(e.Broken)
	case fit && !e.Found.looked && r.Signal != "":
		r.report(envelope, "an empty request", "something in it") // no bytes at all
	}
	return r.list
}

func (r *requestChecks) report(c *Check, got, want string) {
	r.list = append(r.list, finding(c, got, want))
}

// refused says whether the server itself, not a script, answered with a status
// of HTTP.
func (r *requestChecks) refused(status int) bool {
	return r.Outcome == query.Refused && r.Status.HTTP == status && r.Fault == query.FaultRef{}
}

// checkService looks at a call whose service or method the server does not
// have. Profiles are OTLP, too.
func (r *requestChecks) checkService() {
	if r.Signal == "" && strings.HasPrefix(r.Path, "/opentelemetry.") && !strings.Contains(r.Path, ".profiles.") {
		r.report(service, quote(r.Path), "Export of the TraceService, MetricsService or LogsService, each of version v1")
	}
}

// checkHTTP looks at the first thing that is wrong with a request's head.
func (r *requestChecks) checkHTTP() {
	switch {
	case r.refused(notFound):
		r.checkPath()
	case r.refused(methodNotAllowed):
		got := r.Method
		if got == "" {
			got = "another method"
		}
		r.report(method, got, "POST")
	case r.Signal != "":
		r.checkContentType()
	}
}

func (r *requestChecks) checkContentType() {
	const want = "application/x-protobuf or application/json"
	text := r.Header.Get("content-type")
	media, _, _ := strings.Cut(text, ";") // S-31
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "application/x-protobuf", "application/json":
	case "":
		r.report(contentType, "none", want)
	default:
		r.report(contentType, quote(text), want)
	}
}

// checkBody says why a body is not OTLP.
func (r *requestChecks) checkBody(b *Broken) {
	if b == nil {
		b = &Broken{Err: errors.New(r.Status.Message)}
	}
	var j *otlpjson.Error
	switch {
	case r.Encoding == "" && bytes.HasPrefix(b.Head, []byte("\x1f\x8b")):
		r.report(encoding, "a gzip body without Content-Encoding", "Content-Encoding: gzip")
	case r.Encoding != "" && r.BodySize == 0:
		r.report(encoding, "a body that is not "+r.Encoding, "one that is, as the request says")
	case errors.As(b.Err, &j):
		r.list = append(r.list, jsonFinding(j.Rule, j.Path, j.Got, j.Want, false))
	default:
		r.checkProtobuf(b.Err)
	}
}

func (r *requestChecks) checkProtobuf(err error) {
	v := finding(malformed, "a malformed body", "valid protobuf")
	if r.Protocol == query.HTTPJSON {
		v.Want = "valid JSON"
	}
	v.Path = wire.Place(err)
	if text := strings.TrimPrefix(innermost(err).Error(), v.Path+": "); text != "" {
		v.Got = "a malformed body: " + text
	}
	r.list = append(r.list, v)
}

// innermost is the error in a chain that says what is wrong.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil || next == wire.ErrMalformed {
			return err
		}
		err = next
	}
}
