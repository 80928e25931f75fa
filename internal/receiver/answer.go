package receiver

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

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
	rejected  int64         // of a partial success
	challenge string        // of a 401: what WWW-Authenticate asks for
	field     string        // where a malformed request is not what it should be
	scripted  *faults.Fault // what shapes the answer beside all that; nil for nothing
	at        time.Time     // when it is given
}

// fault is what shapes the answer. It is never nil, and read-only.
func (a answer) fault() *faults.Fault { return faultOr(a.scripted) }

var noFault faults.Fault

// faultOr is f, or the fault that accepts where there is none.
func faultOr(f *faults.Fault) *faults.Fault {
	if f == nil {
		return &noFault
	}
	return f
}

// none says whether the client gets no answer at all.
func (a answer) none() bool {
	return (a.outcome == query.Abandoned || a.outcome == query.Cut) && a.fault().Kind != faults.KindHalf
}

// by is the answer shaped by a fault.
func (a answer) by(f *faults.Fault) answer {
	a.scripted = f
	return a
}

// answerTo is the answer that a fault gives, once its waits are over.
func answerTo(f *faults.Fault) answer {
	switch f.Kind {
	case faults.KindAccept, faults.KindNewer, faults.KindGarbage, faults.KindTruncated, faults.KindOversized,
		faults.KindTrailers, faults.KindEncoded:
		return answer{outcome: query.Accepted, scripted: f}
	case faults.KindPartial:
		if f.Rejected == 0 && len(f.Filters) > 0 {
			return answer{outcome: query.Accepted, scripted: f} // none matched
		}
		return answer{outcome: query.Partial, message: f.Message, rejected: f.Rejected, scripted: f}
	case faults.KindHalf, faults.KindReset, faults.KindClose, faults.KindBlackhole, faults.KindRST, faults.KindGoAway, faults.KindDown:
		return answer{outcome: query.Cut, scripted: f}
	}
	return refusalBy(f).detailed(f.Details)
}

// refusalBy is the answer of a fault that has a status.
func refusalBy(f *faults.Fault) answer {
	a := answer{outcome: query.Refused, code: codes.Unavailable, message: f.Message, scripted: f}
	switch f.Kind {
	case faults.KindUnavailable:
		a.message = "unavailable, as scripted"
	case faults.KindHang:
		a.message = "the hang limit of the test server is over"
	case faults.KindThrottle, faults.KindExhausted:
		a.throttled, a.delay = true, f.RetryDelay
		a.message = "overloaded, as scripted: retry after " + f.RetryDelay.String()
		if f.Kind == faults.KindExhausted {
			a.code = codes.ResourceExhausted
		}
	case faults.KindReject:
		a.code = codes.InvalidArgument
	case faults.KindCode:
		a.code, a.throttled, a.delay = codes.Code(f.Code), f.Retry, f.RetryDelay
	case faults.KindHTTP, faults.KindRedirect, faults.KindRaw:
		a.code, a.http, a.throttled, a.delay = codeOf(f.HTTP), f.HTTP, f.Retry, f.RetryDelay
		if f.HTTP < http.StatusMultipleChoices {
			a.outcome, a.code = query.Accepted, codes.OK
		}
	}
	if a.message == "" && a.outcome == query.Refused {
		a.message = "refused, as scripted: " + essence(f).String()
	}
	return a
}

// essence is the fault without what it says of time and data, so that a client
// is told the same whenever it is refused the same.
func essence(f *faults.Fault) faults.Fault {
	return faults.Fault{Kind: f.Kind, Code: f.Code, HTTP: f.HTTP, Retry: f.Retry, RetryDelay: f.RetryDelay, Location: f.Location}
}

// detailed is the answer with the delay that one of the details may name.
func (a answer) detailed(details []faults.Detail) answer {
	for _, d := range details {
		var info errdetails.RetryInfo
		if d.Type == string(info.ProtoReflect().Descriptor().FullName()) && proto.Unmarshal([]byte(d.Value), &info) == nil {
			a.throttled, a.delay = true, info.GetRetryDelay().AsDuration()
		}
	}
	return a
}

// record makes the change to an export that the answer is.
func (a answer) record(e *query.Export) {
	e.Answered = a.at
	e.Outcome = a.outcome
	if a.none() {
		return
	}
	e.Status = query.Status{Code: query.Code(a.code), Message: a.message}
	e.Status.HTTP = a.http // a bare answer, on gRPC too
	if e.Protocol == query.GRPC && a.fault().Kind == faults.KindRaw && a.outcome == query.Accepted {
		e.Outcome, e.Status.Code = query.Refused, query.Code(codes.Unknown) // without a status of gRPC
	}
	e.Throttled, e.Rejected, e.RetryDelay = a.throttled, a.rejected, a.delay
	if e.Protocol != query.GRPC {
		e.Status.HTTP = a.httpStatus()
		if a.throttled {
			e.RetryDelay = a.promise()
		}
	}
}

// promise is the delay that Retry-After tells, which has whole seconds: rounded
// up, so that it promises no less than was meant.
func (a answer) promise() time.Duration {
	if a.fault().Dated {
		return a.until().Sub(a.at)
	}
	return a.roundUp().Truncate(time.Second)
}

// until is the date that Retry-After tells.
func (a answer) until() time.Time {
	return a.at.Add(a.roundUp()).Truncate(time.Second)
}

// roundUp is the delay that has the next whole second when it is truncated.
func (a answer) roundUp() time.Duration {
	return min(a.delay, math.MaxInt64-time.Second) + time.Second - 1
}

// retryAfter is the header field.
func (a answer) retryAfter() string {
	if a.fault().Dated {
		return a.until().UTC().Format(http.TimeFormat)
	}
	return strconv.FormatInt(int64(a.promise()/time.Second), 10)
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
		if a.throttled {
			return http.StatusTooManyRequests
		}
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
