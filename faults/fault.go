package faults

import (
	"fmt"
	"time"
	"unicode/utf8"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/query"
)

// Kind says what a fault does. The zero Kind accepts.
type Kind string

// The kinds of fault, by the names that they have in text and JSON.
const (
	KindAccept      Kind = "" // "accept" in text and JSON
	KindUnavailable Kind = "unavailable"
	KindThrottle    Kind = "throttle"
	KindReject      Kind = "reject"
	KindCode        Kind = "code"
	KindHTTP        Kind = "http"
	KindPartial     Kind = "partial"
	KindHang        Kind = "hang"
)

// Fault is how the backend answers one export. It is plain data: two Faults
// can be compared with ==, and the zero Fault accepts. Fields that the Kind
// does not use are zero.
type Fault struct {
	Kind       Kind
	Code       query.Code    // of KindCode
	HTTP       int           // of KindHTTP: the status, 400 to 599
	Message    string        // of KindReject, KindCode, KindHTTP and KindPartial; may be empty, and is shortened in an answer over 4 MiB (S-05)
	RetryDelay time.Duration // of KindThrottle: what the client is told to wait
	Rejected   int64         // of KindPartial: how many items the answer says were refused
	Delay      time.Duration // how long the backend takes before it answers
	Keep       bool          // the data is stored although the client is told otherwise
}

// Accept stores the export and answers with full success: what happens
// without any fault. In a [Sequence] it lets one export through.
func Accept() Fault { return Fault{} }

// Unavailable refuses the export with the plain retryable error: UNAVAILABLE
// without RetryInfo on gRPC (S-11), 503 without Retry-After on HTTP.
func Unavailable() Fault { return Fault{Kind: KindUnavailable} }

// Throttle refuses the export and tells the client to come back after the
// delay: UNAVAILABLE with RetryInfo on gRPC (S-13); 503 with Retry-After on
// HTTP (S-27), which holds whole seconds and is rounded up. A delay of zero is
// sent as such.
func Throttle(delay time.Duration) Fault {
	return Fault{Kind: KindThrottle, RetryDelay: delay}
}

// Reject refuses the export for good: INVALID_ARGUMENT on gRPC (S-12), 400 on
// HTTP (S-26). A client must not send it again (C-01, C-07).
func Reject(message string) Fault { return Fault{Kind: KindReject, Message: message} }

// Code answers with a status code of gRPC. On HTTP it is the status that says
// the same: 503 for those that clients retry (C-02; 504 for
// DEADLINE_EXCEEDED), 413 for RESOURCE_EXHAUSTED, which without a delay is
// final (C-03), 400, 401, 403, 404, 409 and 501 for those that have one, and
// 500 for the others. Code(codes.OK) is [Accept].
func Code(code codes.Code) Fault {
	if code == codes.OK {
		return Accept()
	}
	return Fault{Kind: KindCode, Code: query.Code(code)}
}

// HTTPStatus answers with an HTTP status, 400 to 599. On gRPC it is the code
// that gRPC clients make of a bare answer with that status: UNAVAILABLE for
// 429, 502, 503 and 504, UNAUTHENTICATED for 401, PERMISSION_DENIED for 403,
// UNIMPLEMENTED for 404, INTERNAL for 400, and UNKNOWN for the others.
func HTTPStatus(status int) Fault { return Fault{Kind: KindHTTP, HTTP: status} }

// PartialSuccess answers with success and says that n items were refused
// (S-08): the export's first n are not stored, the others are. With n = 0 and
// a message it is a warning (S-10). A client must not retry (C-12).
func PartialSuccess(n int64, message string) Fault {
	return Fault{Kind: KindPartial, Rejected: n, Message: message}
}

// Hang does not answer. The request stays open until the client gives up, the
// server is closed, or the server's hang limit is reached, after which the
// answer is that of [Unavailable].
func Hang() Fault { return Fault{Kind: KindHang} }

// After is the fault with a delay before the answer: the time that the server
// takes. The data is stored before the delay. It ends early when the client
// gives up or the server is closed.
func (f Fault) After(delay time.Duration) Fault {
	f.Delay = delay
	return f
}

// Stored is the fault with the data kept although the client is told
// otherwise: an acknowledgement that got lost.
func (f Fault) Stored() Fault {
	f.Keep = true
	return f
}

// Accepts says whether the fault answers with success, partial or full.
func (f Fault) Accepts() bool { return f.Kind == KindAccept || f.Kind == KindPartial }

// Check says why the fault cannot work, or nil.
func (f Fault) Check() error {
	unused := f
	unused.Kind, unused.Delay = "", 0
	switch f.Kind {
	case KindAccept:
		// Keep says nothing here: accepted data is stored anyway.
	case KindUnavailable, KindHang:
		unused.Keep = false
	case KindThrottle:
		if f.RetryDelay < 0 {
			return fmt.Errorf("throttle: got a retry delay of %s, want 0 or more", f.RetryDelay)
		}
		unused.RetryDelay, unused.Keep = 0, false
	case KindReject:
		unused.Message, unused.Keep = "", false
	case KindCode:
		if f.Code == 0 || f.Code > query.Code(codes.Unauthenticated) {
			return fmt.Errorf("code: got %s, want one of the codes 1 (CANCELLED) to 16 (UNAUTHENTICATED)", f.Code)
		}
		unused.Code, unused.Message, unused.Keep = 0, "", false
	case KindHTTP:
		if f.HTTP < 400 || f.HTTP > 599 {
			return fmt.Errorf("http: got status %d, want 400 to 599", f.HTTP)
		}
		unused.HTTP, unused.Message, unused.Keep = 0, "", false
	case KindPartial:
		if f.Rejected < 0 {
			return fmt.Errorf("partial: got %d rejected items, want 0 or more", f.Rejected)
		}
		unused.Rejected, unused.Message = 0, ""
	default:
		return fmt.Errorf("got fault %q, want one of accept, unavailable, throttle, reject, code, http, partial, hang", string(f.Kind))
	}
	if f.Delay < 0 {
		return fmt.Errorf("%s: got a delay of %s before the answer, want 0 or more", f.name(), f.Delay)
	}
	if unused != (Fault{}) {
		return fmt.Errorf("%s: does not use %s", f.name(), unused.fields())
	}
	if !utf8.ValidString(f.Message) {
		return fmt.Errorf("%s: got message %q, want valid UTF-8", f.name(), f.Message)
	}
	return nil
}

// fields names the fields that are set, beside Kind and Delay.
func (f Fault) fields() string {
	switch {
	case f.Code != 0:
		return "a code"
	case f.HTTP != 0:
		return "an HTTP status"
	case f.Message != "":
		return "a message"
	case f.RetryDelay != 0:
		return "a retry delay"
	case f.Rejected != 0:
		return "a number of rejected items"
	}
	return "stored"
}

func (f Fault) name() string {
	if f.Kind == KindAccept {
		return "accept"
	}
	return string(f.Kind)
}
