package receiver

import (
	"net/http"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"

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
	success   []byte // the response message, of an outcome that is a success
	rejected  int64
}

// none says whether the client gets no answer at all.
func (a answer) none() bool { return a.outcome == query.Abandoned || a.outcome == query.Cut }

// answerTo is the answer that a fault gives, once its waits are over.
func answerTo(f faults.Fault, sig query.Signal) answer {
	a := answer{outcome: query.Refused, code: codes.Unavailable, message: f.Message}
	switch f.Kind {
	case faults.KindAccept:
		return answer{outcome: query.Accepted}
	case faults.KindPartial:
		return answer{outcome: query.Partial, message: f.Message, rejected: f.Rejected, success: partialSuccess(f)}
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

// partialSuccess is an Export…ServiceResponse with a partial success. Its
// fields have the same numbers for every signal.
func partialSuccess(f faults.Fault) []byte {
	var p []byte
	if f.Rejected != 0 {
		p = protowire.AppendVarint(protowire.AppendTag(p, 1, protowire.VarintType), uint64(f.Rejected))
	}
	if f.Message != "" {
		p = protowire.AppendString(protowire.AppendTag(p, 2, protowire.BytesType), f.Message)
	}
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), p)
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

// status is the message that carries an error on both transports.
func (a answer) status() *spb.Status {
	s := &spb.Status{Code: int32(a.code), Message: a.message}
	if a.throttled {
		// A RetryInfo always fits into an Any.
		info, err := anypb.New(&errdetails.RetryInfo{RetryDelay: durationpb.New(a.delay)})
		if err == nil {
			s.Details = append(s.Details, info)
		}
	}
	return s
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

// writeHTTP encodes the answer as protobuf (S-20, S-22, S-23).
func (a answer) writeHTTP(w http.ResponseWriter) {
	w.Header().Set("Content-Type", protobufType)
	body := a.success
	if a.outcome == query.Refused || a.outcome == query.Malformed {
		var err error
		if body, err = proto.Marshal(a.status()); err != nil {
			body = nil // the message is not UTF-8: the HTTP status has to do
		}
		if a.throttled {
			w.Header().Set("Retry-After", strconv.FormatInt(a.retryAfter(), 10))
		}
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.httpStatus())
	w.Write(body)
}
