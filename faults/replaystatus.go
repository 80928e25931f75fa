package faults

import (
	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/query"
)

// refusalOf is the fault that refuses as a reply did, by the simplest that has
// its status, message and delay.
func refusalOf(r query.Reply) Fault {
	f := Fault{Kind: KindCode, Code: r.Status.Code, Message: r.Status.Message}
	if r.Throttled {
		f = f.RetryIn(r.RetryDelay)
	}
	status := r.Status.HTTP
	if status == 0 || r.Protocol != query.GRPC && status == statusOf(codes.Code(f.Code), f.Retry) {
		return f.simpler()
	}
	f.Kind, f.Code, f.HTTP = KindHTTP, 0, status
	return f
}

// simpler is the fault of its own kind for what a code says.
func (f Fault) simpler() Fault {
	switch code := codes.Code(f.Code); {
	case code == codes.InvalidArgument && !f.Retry:
		return Reject(f.Message)
	case f.Message != "":
	case code == codes.Unavailable && !f.Retry:
		return Unavailable()
	case code == codes.Unavailable:
		return Throttle(f.RetryDelay)
	case code == codes.ResourceExhausted && f.Retry:
		return ResourceExhausted(f.RetryDelay)
	}
	return f
}

// statusOf is the HTTP status that [Code] has, with a delay or without.
func statusOf(code codes.Code, retry bool) int {
	if code == codes.ResourceExhausted && retry {
		return 429
	}
	if status, ok := statuses[code]; ok {
		return status
	}
	return 500
}

var statuses = map[codes.Code]int{
	codes.Canceled: 503, codes.Aborted: 503, codes.OutOfRange: 503, codes.Unavailable: 503, codes.DataLoss: 503,
	codes.DeadlineExceeded: 504, codes.ResourceExhausted: 413, codes.InvalidArgument: 400, codes.FailedPrecondition: 400,
	codes.Unauthenticated: 401, codes.PermissionDenied: 403, codes.NotFound: 404, codes.AlreadyExists: 409,
	codes.Unimplemented: 501,
}
