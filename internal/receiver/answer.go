package receiver

import (
	"net/http"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
)

// answer is what a client is told, whatever the transport.
type answer struct {
	outcome   query.Outcome
	code      codes.Code
	http      int // the HTTP status where it does not follow from the code
	message   string
	throttled bool // the client is told to wait
	delay     time.Duration
	rejected  int64  // of a partial success
	challenge string // of a 401: what WWW-Authenticate asks for
	field     string // where a malformed request is not what it should be
}

// none says whether the client gets no answer at all.
func (a answer) none() bool { return a.outcome == query.Abandoned || a.outcome == query.Cut }

// answerTo is the answer that a fault gives, once its waits are over.
func answerTo(f faults.Fault) answer {
	a := answer{outcome: query.Refused, code: codes.Unavailable, message: f.Message}
	switch f.Kind {
	case faults.KindAccept:
		return answer{outcome: query.Accepted}
	case faults.KindPartial:
		return answer{outcome: query.Partial, message: f.Message, rejected: f.Rejected}
	case faults.KindUnavailable:
		a.message = "unavailable, as scripted"
	case faults.KindHang:
		a.message = "the hang limit of the test server is over"
	case faults.KindThrottle:
		a.throttled, a.delay = true, f.RetryDelay
		a.message = "overloaded, as scripted: retry after " + f.RetryDelay.String()
	case faults.KindReject:
		a.code = codes.InvalidArgument
	case faults.KindCode:
		a.code = codes.Code(f.Code)
	case faults.KindHTTP:
		a.code, a.http = codeOf(f.HTTP), f.HTTP
	}
	if a.message == "" {
		a.message = "refused, as scripted: " + f.String()
	}
	return a
}

// record is the change that the answer makes to the record of its export.
func (a answer) record(p query.Protocol) func(*query.Export) {
	return func(e *query.Export) {
		e.Answered = time.Now()
		e.Outcome = a.outcome
		if a.none() {
			return
		}
		e.Status = query.Status{Code: query.Code(a.code), Message: a.message}
		if p != query.GRPC {
			e.Status.HTTP = a.httpStatus()
		}
		e.Throttled, e.Rejected = a.throttled, a.rejected
		if a.throttled {
			e.RetryDelay = a.delay
			if p != query.GRPC {
				e.RetryDelay = time.Duration(a.retryAfter()) * time.Second
			}
		}
	}
}

// retryAfter is the delay in the whole seconds that Retry-After holds, rounded
// up so that it promises no less than was meant.
func (a answer) retryAfter() int64 {
	return int64((a.delay + time.Second - 1) / time.Second)
}

// httpStatus is the HTTP status that says what the code does.
func (a answer) httpStatus() int {
	if a.http != 0 {
		return a.http
	}
	switch a.code {
	case codes.OK:
		return http.StatusOK
	case codes.Unavailable, codes.Canceled, codes.Aborted, codes.OutOfRange, codes.DataLoss:
		return http.StatusServiceUnavailable
	case codes.DeadlineExceeded:
		return http.StatusGatewayTimeout
	case codes.InvalidArgument, codes.FailedPrecondition:
		return http.StatusBadRequest
	case codes.Unauthenticated:
		return http.StatusUnauthorized
	case codes.PermissionDenied:
		return http.StatusForbidden
	case codes.NotFound:
		return http.StatusNotFound
	case codes.AlreadyExists:
		return http.StatusConflict
	case codes.ResourceExhausted:
		return http.StatusRequestEntityTooLarge
	case codes.Unimplemented:
		return http.StatusNotImplemented
	}
	return http.StatusInternalServerError
}

// codeOf is the code that gRPC clients make of a bare HTTP status
// (grpc/doc/http-grpc-status-mapping.md).
func codeOf(status int) codes.Code {
	switch status {
	case http.StatusBadRequest:
		return codes.Internal
	case http.StatusUnauthorized:
		return codes.Unauthenticated
	case http.StatusForbidden:
		return codes.PermissionDenied
	case http.StatusNotFound:
		return codes.Unimplemented
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return codes.Unavailable
	}
	return codes.Unknown
}
