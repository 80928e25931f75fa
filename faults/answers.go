package faults

import (
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/query"
)

// Accept stores the export and answers with full success: what happens
// without any fault. In a [Sequence] it lets one export through.
func Accept() Fault { return Fault{} }

// Unavailable refuses the export with the plain retryable error: UNAVAILABLE
// without RetryInfo on gRPC (S-11), 503 without Retry-After on HTTP. (The
// design of 2019 had RetryInfo with a delay of zero instead: Throttle(0).)
func Unavailable() Fault { return Fault{Kind: KindUnavailable} }

// Throttle refuses the export and tells the client to come back after the
// delay: UNAVAILABLE with RetryInfo on gRPC (S-13); 503 with Retry-After on
// HTTP (S-27), which holds whole seconds and is rounded up. A delay of zero is
// sent as such.
func Throttle(delay time.Duration) Fault {
	return Fault{Kind: KindThrottle, RetryDelay: delay}
}

// ResourceExhausted is [Throttle] by the other answer for it: RESOURCE_EXHAUSTED
// with RetryInfo on gRPC (S-13), 429 with Retry-After on HTTP (S-27). Without a
// delay it is final on gRPC (C-03): that is Code(codes.ResourceExhausted).
func ResourceExhausted(delay time.Duration) Fault {
	return Fault{Kind: KindExhausted, RetryDelay: delay}
}

// Reject refuses the export for good: INVALID_ARGUMENT on gRPC (S-12), 400 on
// HTTP (S-26). A client must not send it again (C-01, C-07).
func Reject(message string) Fault { return Fault{Kind: KindReject, Message: message} }

// Code answers with a status code of gRPC. On HTTP it is the status that says
// the same: 503 for those that clients retry (C-02; 504 for
// DEADLINE_EXCEEDED), 413 for RESOURCE_EXHAUSTED, which without a delay is
// final (C-03) and 429 with one, 400, 401, 403, 404, 409 and 501 for those that
// have one, and 500 for the others. Code(codes.OK) is [Accept].
func Code(code codes.Code) Fault {
	if code == codes.OK {
		return Accept()
	}
	return Fault{Kind: KindCode, Code: query.Code(code)}
}

// HTTPStatus answers with an HTTP status, 400 to 599. On gRPC it is the bare
// answer of a proxy that stands in front: that status, text/html, and no status
// of gRPC, of which clients make UNAVAILABLE for 429, 502, 503 and 504,
// UNAUTHENTICATED for 401, PERMISSION_DENIED for 403, UNIMPLEMENTED for 404,
// INTERNAL for 400, and UNKNOWN for the others.
func HTTPStatus(status int) Fault { return Fault{Kind: KindHTTP, HTTP: status} }

// Redirect sends the client to another URL with the status 301, 302, 303, 307
// or 308. Where the URL has no path, the request's own is added; the empty URL
// is the server itself, and so a loop. On gRPC it is the bare answer of a
// proxy, which no client follows.
func Redirect(status int, url string) Fault {
	return Fault{Kind: KindRedirect, HTTP: status, Location: url}
}

// PartialSuccess answers with success and says that n items were refused
// (S-08): the export's first n are not stored, the others are. With n = 0 and
// a message it is a warning (S-10), and without a message an empty one, which
// is full success (S-51). A client must not retry (C-12).
func PartialSuccess(n int64, message string) Fault {
	return Fault{Kind: KindPartial, Rejected: n, Message: message}
}

// RejectItems is the partial success (S-08) that refuses the items which match
// every filter, and stores the others. Where none matches it is full success.
// Without a filter it is PartialSuccess(0, message).
func RejectItems(message string, filters ...query.Filter) Fault {
	return Fault{Kind: KindPartial, Filters: filters, Message: message}
}

// NewerAnswer is full success as a backend of a later version of OTLP may put
// it: with fields that clients of today do not know (S-39).
func NewerAnswer() Fault { return Fault{Kind: KindNewer} }

// Garbage answers with success and a body that is not the message which it
// should be. The data is stored.
func Garbage() Fault { return Fault{Kind: KindGarbage} }

// Truncated answers with success and a message that ends too early. The data
// is stored.
func Truncated() Fault { return Fault{Kind: KindTruncated} }

// Oversized answers with success and a valid message of so many bytes. A
// client must not read more than its limit, which is 4 MiB by default, and must
// not retry (C-14). The data is stored. The most is 1 GiB.
func Oversized(bytes int64) Fault { return Fault{Kind: KindOversized, Size: bytes} }

// HugeTrailers answers with success and so many bytes of trailers, 16 MiB at
// most. The data is stored.
func HugeTrailers(bytes int64) Fault { return Fault{Kind: KindTrailers, Size: bytes} }

// Encoded answers with success in a compression that nobody asked for. With
// gzip the answer is compressed, with any other name it only says so. The data
// is stored.
func Encoded(encoding string) Fault { return Fault{Kind: KindEncoded, Type: encoding} }

// Raw answers with this HTTP status, content type and body, on gRPC as well,
// whose own status is then missing. With a status below 300 the data is stored.
func Raw(status int, contentType, body string) Fault {
	return Fault{Kind: KindRaw, HTTP: status, Type: contentType, Body: body}
}

// HTML is the page with status 200 that a login wall or a misplaced web server
// answers with: a success by its status, and none of OTLP. The data is not
// stored.
func HTML() Fault {
	return Raw(200, "text/html; charset=utf-8", "<!DOCTYPE html><title>Sign in</title>").Lost()
}
