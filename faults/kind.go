package faults

// Kind says what a fault does. The zero Kind accepts.
type Kind string

// The kinds of fault, by the names that they have in text and JSON. The
// constructors say what each does.
const (
	KindAccept Kind = "" // "accept" in text and JSON

	// Refusals.
	KindUnavailable Kind = "unavailable"
	KindThrottle    Kind = "throttle"
	KindExhausted   Kind = "exhausted"
	KindReject      Kind = "reject"
	KindCode        Kind = "code"
	KindHTTP        Kind = "http"
	KindRedirect    Kind = "redirect"

	// Successes, or what looks like one.
	KindPartial   Kind = "partial"
	KindNewer     Kind = "newer"
	KindGarbage   Kind = "garbage"
	KindTruncated Kind = "truncated"
	KindOversized Kind = "oversized"
	KindTrailers  Kind = "trailers"
	KindEncoded   Kind = "encoded"
	KindRaw       Kind = "raw"

	// Backends.
	KindCapacity Kind = "capacity"
	KindOld      Kind = "old"

	// No answer, or half of one.
	KindHang      Kind = "hang"
	KindHalf      Kind = "half"
	KindReset     Kind = "reset"
	KindClose     Kind = "close"
	KindBlackhole Kind = "blackhole"
	KindRST       Kind = "rst"
	KindGoAway    Kind = "goaway"
	KindDown      Kind = "down"
)

// Kinds is all of them.
func Kinds() []Kind {
	kinds := make([]Kind, len(rows))
	for i, r := range rows {
		kinds[i] = r.kind
	}
	return kinds
}
