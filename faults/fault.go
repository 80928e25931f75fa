package faults

import (
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/query"
)

// Fault is how the backend answers one export, or fails to. It is plain data:
// two Faults are equal where their texts are, and the zero Fault accepts.
// Fields that the Kind does not use are zero.
type Fault struct {
	Kind Kind

	// What is answered.
	Code       query.Code     // of KindCode
	HTTP       int            // of KindHTTP, KindRedirect and KindRaw: the status
	Message    string         // of an error or a partial success; may be empty, and is shortened in an answer over 4 MiB (S-05)
	Retry      bool           // of KindCode and KindHTTP: the answer names RetryDelay
	RetryDelay time.Duration  // what the client is told to wait
	Dated      bool           // Retry-After is a date, not a number of seconds; nothing on gRPC
	Rejected   int64          // of KindPartial: how many items the answer says were refused
	Filters    []query.Filter // of KindPartial: the items that match all of these are the ones
	Details    []Detail       // of an error: what its status carries beside a message
	Header     []Field        // added to the answer: header fields on HTTP, trailers on gRPC
	Type       string         // of KindRaw: the content type; of KindEncoded: the encoding
	Body       string         // of KindRaw: the bytes
	Location   string         // of KindRedirect: a URL
	Size       int64          // of KindOversized and KindTrailers: bytes

	// What happens instead.
	HTTP2 HTTP2Code     // of KindRST and KindGoAway: the error code
	Last  uint32        // of KindGoAway: the last stream that was processed
	For   time.Duration // of KindDown: how long

	// What the backend can take.
	ItemsPerSecond float64 // of KindCapacity: 0 for any number
	MaxInFlight    int     // of KindCapacity: 0 for any number

	// When and how.
	ReadDelay    time.Duration // before the body is read
	ReadRate     int64         // bytes of the body that are read in a second; 0 for as fast as they come
	Unread       bool          // it happens before the body is read
	Delay        time.Duration // how long the backend takes before it answers
	HeadersFirst bool          // of an error on gRPC: headers are sent before the trailers with the status
	Closing      bool          // the connection ends after the answer

	// What becomes of the data.
	Keep bool // it is stored although the client is told otherwise
	Drop bool // it is lost although the client is told otherwise
}

// Field is a header field.
type Field struct{ Name, Value string }

// Detail is a message in the details of a status (google.rpc.Status), as
// google.protobuf.Any has it.
type Detail struct {
	Type  string // the message's full name, such as google.rpc.QuotaFailure
	Value string // its bytes
}

// After is the fault with a delay before the answer: the time that the server
// takes. The data is stored before the delay. It ends early when the client
// gives up or the server is closed.
func (f Fault) After(delay time.Duration) Fault {
	f.Delay = delay
	return f
}

// ReadAfter is the fault with a delay before the body is read. Over HTTP/1.1 a
// client that gives up meanwhile, with more than 64 KiB of its body still to be
// sent, is noticed only at the delay's end.
func (f Fault) ReadAfter(delay time.Duration) Fault {
	f.ReadDelay = delay
	return f
}

// ReadSlowly is the fault with a body that is read at so many bytes a second,
// so that flow control pushes back on a client that sends more, up to the
// server's hang limit. On gRPC that holds for all that the connection carries
// meanwhile, and a client that gives up is noticed only behind what it has sent.
func (f Fault) ReadSlowly(bytesPerSecond int64) Fault {
	f.ReadRate = bytesPerSecond
	return f
}

// BeforeReading is the fault as soon as the request's head has come: the body
// is not read, and nothing is stored. It is for faults that refuse and for
// those without an answer.
func (f Fault) BeforeReading() Fault {
	f.Unread = true
	return f
}

// Stored is the fault with the data kept although the client is told
// otherwise: an acknowledgement that got lost.
func (f Fault) Stored() Fault {
	f.Keep = true
	return f
}

// Lost is the fault with the data dropped although the client is told that it
// arrived: a backend that lies.
func (f Fault) Lost() Fault {
	f.Drop = true
	return f
}

// RetryIn is a [Code] or an [HTTPStatus] that tells the client to come back
// after a delay: by RetryInfo on gRPC, by Retry-After on HTTP.
func (f Fault) RetryIn(delay time.Duration) Fault {
	f.Retry, f.RetryDelay = true, delay
	return f
}

// AsDate is the fault with its Retry-After as a date (S-27), which has whole
// seconds and is rounded up. It changes nothing on gRPC.
func (f Fault) AsDate() Fault {
	f.Dated = true
	return f
}

// With is the fault with a header field in its answer, or a trailer on gRPC,
// such as grpc-retry-pushback-ms. Fields that the transport or the answer sets
// by itself, such as Connection, Content-Type and grpc-status, are refused by
// [Fault.Check].
func (f Fault) With(name, value string) Fault {
	f.Header = append(f.Header[:len(f.Header):len(f.Header)], Field{name, value})
	return f
}

// WithDetails is the fault with messages in the details of its status, such as
// a google.rpc.QuotaFailure. A message that cannot be encoded is left away.
func (f Fault) WithDetails(messages ...proto.Message) Fault {
	details := f.Details[:len(f.Details):len(f.Details)]
	for _, m := range messages {
		if b, err := (proto.MarshalOptions{Deterministic: true}).Marshal(m); err == nil {
			details = append(details, Detail{string(m.ProtoReflect().Descriptor().FullName()), string(b)})
		}
	}
	f.Details = details
	return f
}

// AfterHeaders is the fault with its gRPC status in trailers that follow
// headers, instead of alone (Trailers-Only). It changes nothing on HTTP.
func (f Fault) AfterHeaders() Fault {
	f.HeadersFirst = true
	return f
}

// ThenClose is the fault on a connection that ends with its answer: by
// Connection: close on HTTP/1.1, and by a graceful GOAWAY on HTTP/2 and gRPC,
// which lets what is under way be answered.
func (f Fault) ThenClose() Fault {
	f.Closing = true
	return f
}

// Equal says whether both do the same: whether their texts are equal.
func (f Fault) Equal(g Fault) bool { return f.String() == g.String() }

// Accepts says whether the data is stored where neither [Fault.Stored] nor
// [Fault.Lost] says otherwise: for answers that say success, and for those that
// are damaged after it.
func (f Fault) Accepts() bool {
	switch f.Kind {
	case KindAccept, KindPartial, KindNewer, KindGarbage, KindTruncated, KindOversized, KindTrailers, KindEncoded,
		KindCapacity, KindOld, KindHalf:
		return true
	case KindRaw:
		return f.HTTP < 300
	}
	return false
}

// Stores says whether the data is stored.
func (f Fault) Stores() bool { return f.Keep || f.Accepts() && !f.Drop }

// Early says whether the fault begins before the body is read, so that it is
// chosen when the request's head has come.
func (f Fault) Early() bool { return f.Unread || f.ReadDelay > 0 || f.ReadRate > 0 }

func (f Fault) name() string {
	if f.Kind == KindAccept {
		return "accept"
	}
	return string(f.Kind)
}
