package faults

import "time"

// Hang does not answer. The request stays open until the client gives up, the
// server is closed, or the server's hang limit is reached, after which the
// answer is that of [Unavailable].
func Hang() Fault { return Fault{Kind: KindHang} }

// HalfAnswer begins a successful answer and breaks off in its middle: the
// connection is closed on HTTP/1.1, the stream is reset on HTTP/2 and gRPC. The
// data is stored.
func HalfAnswer() Fault { return Fault{Kind: KindHalf} }

// Reset resets the connection, as a process that crashes does: the client gets
// ECONNRESET. All that the connection carries ends with it.
func Reset() Fault { return Fault{Kind: KindReset} }

// Close closes the connection without an answer. All that the connection
// carries ends with it. (Where the client is sending meanwhile, TCP makes a
// reset of it.)
func Close() Fault { return Fault{Kind: KindClose} }

// Blackhole makes the connection silent, as a firewall that drops packets: it
// stays open, nothing that the client sends arrives any more, and nothing is
// sent to it, until it closes the connection, the server is closed, or the
// server's hang limit is reached.
func Blackhole() Fault { return Fault{Kind: KindBlackhole} }

// ResetStream ends the request with RST_STREAM and an error code of HTTP/2;
// others on the connection go on. On HTTP/1.1, where a connection carries one
// request at a time, it is [Reset].
func ResetStream(code HTTP2Code) Fault { return Fault{Kind: KindRST, HTTP2: code} }

// GoAway announces the connection's end by GOAWAY, with the last stream that
// was processed and an error code. Requests on later streams get no answer, and
// a client may send them again at once; those on earlier ones are answered if
// the code is NoError, and else the connection is closed at once. On HTTP/1.1 it
// is [Close]. (For the graceful form see [Fault.ThenClose].)
func GoAway(lastStream uint32, code HTTP2Code) Fault {
	return Fault{Kind: KindGoAway, Last: lastStream, HTTP2: code}
}

// Outage takes the whole server down for a while: connections are cut, new ones
// refused, and then it is there again at the same address. The export gets no
// answer.
func Outage(d time.Duration) Fault { return Fault{Kind: KindDown, For: d} }

// Capacity is a backend that can take so many items a second and so many
// requests at a time; a limit of 0 is none. It accepts up to that, with up to a
// second of work waiting, and throttles what is more with the time computed
// until there is room. It is for [Always].
func Capacity(itemsPerSecond float64, maxInFlight int) Fault {
	return Fault{Kind: KindCapacity, ItemsPerSecond: itemsPerSecond, MaxInFlight: maxInFlight}
}

// OldServer is a backend from before there were logs, partial success and JSON:
// logs are UNIMPLEMENTED, or 404 on HTTP, JSON is 415, and all else is accepted.
func OldServer() Fault { return Fault{Kind: KindOld} }
