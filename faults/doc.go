// Package faults is what a backend can be told to do, as data: a [Fault] says
// how one export is answered, a [Rule] says which exports meet which faults.
//
//	srv.Inject(faults.Sequence(faults.Throttle(30*time.Second), faults.Unavailable()).On(query.Traces))
//
// Faults say the same on every transport: the docs of each tell what a gRPC
// client and what an HTTP client sees. Rules can be compared, printed, sent as
// JSON and written as one line of text.
//
// # Text
//
// [Parse] reads rules from a line of text, which [Rule.String] writes:
//
//	traces: throttle 30s x2, unavailable; metrics grpc: always http 502 after 200ms
//
// Rules stand one after the other with semicolons between them, or each on a
// line of its own. A rule has this form, where what is in brackets may be left
// away:
//
//	[SELECTORS:] [N times] FAULT, FAULT, ...   a sequence, gone through once or N times
//	[SELECTORS:] [N times] always FAULT        every match, or the first N of them
//
// The selectors, in any order with spaces between them, are a signal, a
// protocol, and filters in square brackets, written as package where does:
//
//	traces, metrics, logs
//	grpc, http/protobuf, http/json
//	[name="charge" not kind=client]
//
// A fault is one of
//
//	accept              or ok: let the export through
//	unavailable         the plain retryable error
//	throttle 30s        come back in 30s
//	reject "why"        a final error; the message may be left away, here and below
//	code NOT_FOUND "why"
//	http 502 "why"
//	partial 2 "why"     success, but 2 items were refused
//	hang                no answer
//
// followed by any of
//
//	after 200ms         the time before the answer
//	stored              the data is kept although the client is told otherwise
//	x3                  three of this fault, one after the other
//
// Durations are Go's. Messages have double quotes and Go's escapes.
//
// # JSON
//
// The same as JSON, with durations as text and filters as text; "always",
// "times", "signal", "protocol" and "where" may be left away:
//
//	{"faults": [{"kind": "throttle", "retryDelay": "30s"}, {"kind": "http", "http": 502, "after": "200ms"}],
//	 "times": 2, "signal": "traces", "protocol": "grpc", "where": "name=\"charge\""}
//
// A fault has "kind", "code", "http", "message", "retryDelay", "rejected",
// "after" and "stored", of which "kind" says which are used. In place of the
// object its text may stand: {"faults": ["throttle 30s", "unavailable"]}.
package faults
