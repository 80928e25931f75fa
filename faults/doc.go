// Package faults is what a backend can be told to do, as data: a [Fault] says
// how one export is answered, a [Rule] says which exports meet which faults.
//
//	srv.Inject(faults.Sequence(faults.Throttle(30*time.Second), faults.Unavailable()).On(query.Traces))
//
// Faults say the same on every transport: the docs of each tell what a gRPC
// client and what an HTTP client sees. Rules can be compared, printed, sent as
// JSON and written as one line of text. [Replay] makes them of what happened.
//
// # Text
//
// [Parse] reads rules from a line of text, which [Rule.String] writes:
//
//	traces: throttle 30s x2, unavailable; metrics grpc: always http 502 after 200ms
//
// Rules stand one after the other with semicolons between them, or each on a
// line of its own. A rule has one of these forms, where what is in brackets may
// be left away:
//
//	[SELECTORS:] [N times] FAULT, FAULT, ...          a sequence, gone through once or N times
//	[SELECTORS:] [N times] always FAULT               every match, or the first N of them
//	[SELECTORS:] [N times] rate SHARE [seed N] FAULT  a share of the matches, more than 0, up to 1
//
// The selectors stand in any order with spaces between them. Headers and filters
// may be there several times; all selectors must hold:
//
//	traces, metrics, logs
//	grpc, http/protobuf, http/json
//	[name="charge" not kind=client]   filters, as package where writes them
//	header x-tenant                   the request has this header field
//	header x-tenant="a"               ... with this value
//	connection 1|3                    on the first or third connection
//	from 10s                          10s or more after the start
//	until 1m                          less than a minute after the start
//	attempt 1|2                       the first or second time that a batch is sent
//	request 5                         the fifth of those for which all else holds
//	per batch                         every batch goes through the sequence by itself, an attempt a fault
//
// A fault is one of these. All that is in quotes and all that is in brackets may
// be left away, but for the type and body of raw:
//
//	accept                            or ok: let the export through
//	unavailable                       the plain retryable error
//	throttle 30s                      come back in 30s
//	exhausted 30s                     the same by RESOURCE_EXHAUSTED and 429
//	reject "why"                      a final error
//	code NOT_FOUND "why"              a code of gRPC
//	http 502 "why"                    an HTTP status, 400 to 599
//	redirect 307 "http://other:4318"  301, 302, 303, 307 or 308; without a URL to itself
//	partial 2 "why"                   success, but 2 items were refused
//	partial [name="x"] "why"          success, but the items that match the filters were refused
//	newer                             success with fields of a later version
//	garbage                           success with a body that is no message
//	truncated                         success with a message that ends too early
//	oversized 5000000                 success with a message of so many bytes, up to 1 GiB
//	trailers 20000                    success with so many bytes of trailers, up to 16 MiB
//	encoded gzip                      success in a compression that nobody asked for
//	raw 200 "text/html" "<p>Sign in"  any status from 200, content type and body
//	capacity 1000/s 4 open            throttle what is more, by one limit or both; with always or rate
//	old                               no logs, no JSON
//	hang                              no answer
//	half                              half an answer
//	reset                             the connection is reset
//	close                             the connection is closed
//	blackhole                         the connection falls silent
//	rst REFUSED_STREAM                RST_STREAM with an error code of HTTP/2
//	goaway 3 [ENHANCE_YOUR_CALM]      GOAWAY with the last stream, 0 or odd, and an error code or NO_ERROR
//	down 5s                           the whole server is gone for so long
//
// followed by any of these, in any order and each once, with and detail as often
// as wanted:
//
//	retry 30s                         code and http: come back in 30s
//	dated                             Retry-After is a date
//	with x-reason "full"              a header field in the answer, or a trailer
//	detail {"@type": ..., ...}        a message in the details of the status, as JSON
//	unread                            it happens before the body is read
//	read-after 1s                     the time before the body is read
//	read-rate 1000                    bytes of the body that are read in a second
//	after 200ms                       the time before the answer
//	headers-first                     the status of gRPC follows headers
//	closing                           the connection ends after the answer
//	stored                            the data is kept although the client is told otherwise
//	lost                              the data is dropped although the client is told otherwise
//	x3                                three of this fault, one after the other
//
// Which fault can have which, the error says; all can be delayed, and all but a
// capacity of items a second can be read slowly. Names of codes are read in any case. Durations are Go's. Texts have
// double quotes and Go's escapes, by which a body can hold any bytes. Numbers of
// bytes are plain numbers.
//
// A detail is the JSON of a google.protobuf.Any: "@type", such as
// "type.googleapis.com/google.rpc.QuotaFailure", beside the message's own
// fields. Where the program does not link the type, or a message has what JSON
// does not, it is "@type" beside "@value", the message's bytes in base64.
//
// # JSON
//
// The same as JSON, with durations as text and filters as text; all but "faults"
// may be left away:
//
//	{"faults": [{"kind": "throttle", "retryDelay": "30s"}, {"kind": "http", "http": 502, "after": "200ms"}],
//	 "times": 2, "signal": "traces", "protocol": "grpc", "where": "name=\"charge\""}
//
// A rule has
//
//	"faults"                                  a list of faults
//	"always", "perBatch"                      true or false
//	"times", "chance", "seed"                 numbers; a chance, for rate, says always, too
//	"signal", "protocol", "where"             texts
//	"headers"                                 a list of {"name": ..., "value": ...}, the value for any left away
//	"connections", "attempts", "requests"     lists of numbers
//	"from", "until"                           durations
//
// A fault has "kind", the first word of its text, and of these those that the
// kind uses, which are what stands behind the word in the text and what can
// follow it:
//
//	"code", "http2"                           names
//	"http", "rejected", "size", "last"        numbers
//	"itemsPerSecond", "maxInFlight"           numbers, of capacity
//	"message", "location", "where"            texts
//	"type"                                    a content type, or the encoding of encoded
//	"body"                                    a text, or "bodyBase64" for bytes that are no UTF-8
//	"retryDelay", "for"                       durations; with code and http "retryDelay" is retry
//	"readAfter", "readRate", "after"          durations, and a number of bytes a second
//	"headers"                                 a list of {"name": ..., "value": ...}, for with
//	"details"                                 a list of objects, for detail
//	"dated", "unread", "headersFirst", "closing", "stored", "lost"   true or false
//
// In place of the object its text may stand: {"faults": ["throttle 30s", "unavailable"]}.
package faults
