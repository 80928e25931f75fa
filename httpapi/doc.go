// Package httpapi asks and directs an otlptest server over HTTP, for tests in
// other languages and other processes. [New] makes a handler that any Go
// server can mount; the program otlptest serves it beside the backend. The
// package client asks it from Go. GET /openapi.yaml describes all of it.
//
// # Asking
//
//	GET /api/v1/spans        spans
//	GET /api/v1/points       metric data points
//	GET /api/v1/logs         log records
//	GET /api/v1/traces       traces, put together from the spans
//	GET /api/v1/traces/{id}  one trace, with what determined how long it took, and what brought each span; format=text draws it
//	GET /api/v1/series       metric points by what they measure; q is about points
//	GET /api/v1/exports      every request that reached the backend, whatever became of it
//	GET /api/v1/violations   every departure from OTLP; q=rule="S-40" picks a rule
//	GET /api/v1/connections  every connection, with why one could not be used
//	GET /api/v1/batches      what clients tried to deliver, with what became of it in words
//
// Each but traces/{id} answers {"count":2,"items":[…]} with all items that
// match, in the order in which they were received. Spans, points and log
// records have a number, and the number of the export that brought them.
// Parameters:
//
//	q=FILTERS    only items for which these filters hold, in the grammar of package query/where
//	wait=N       waits until at least N items match
//	timeout=5s   how long; 0s to 5m, 5s where it is left away
//	limit=N      at most N items; where there are more, the answer has a next
//	after=NEXT   only items after those of the answer that had this next
//	order=newest what came last stands first, a next leads to what came before,
//	             and the answer has a total, of all that match
//
// Series take no order, and points=N for only the last N points of each; batches
// take neither wait nor timeout.
//
// A wait that fails is a 409 with the whole diagnosis in its detail: what came
// closest, where it differs, what became of every export. It is not a 408 or
// 504, since HTTP clients repeat a request after these by themselves. From a
// shell:
//
//	curl -sG --fail-with-body $API/api/v1/spans -d wait=1 --data-urlencode 'q=name="charge" status=error'
//
// With after a wait counts what comes after it, so that after=NEXT&wait=1 is
// the next item. A next is good until the next reset.
//
// Spans, points, logs and traces take format=otlp: a message of OTLP JSON that
// can be sent to /v1/traces and its like. A next is then in the Link header.
// With format=protobuf each item is {"number","export","data"}, where data is
// a message of OTLP protobuf in base64 that has only this item: nothing is
// lost of it, whereas flat JSON does not tell an integer from a double, bytes
// from a string, and the second of two equal keys.
//
// Traces and series take format=summary, too: a line about each instead of what
// is in it. Violations take format=groups: those of each rule together, with how
// many there are and the first of them.
//
//	GET /api/v1/spans/{number}            one span; likewise of points and logs
//	GET /api/v1/spans/{number}/assertion  how a Go test asks for it, by the fewest filters that hold for no other;
//	                                      likewise of points and logs
//	GET /api/v1/exports/{number}          one export, with which attempt of which batch it is
//	GET /api/v1/services                  the services of the traces that match q, and who calls whom
//
//	GET /api/v1/report   the ledger: batches, attempts, items, throughput; without batches by format=summary, as text by
//	                     format=text or Accept
//	GET /api/v1/stats    how much there is, and the state of the server and of the API
//	GET /api/v1/keys     keys and values that filters can ask for, of=spans, points or logs, of the last 2000 that came
//	GET /api/v1/grammar  the terms of filters, the faults and the selectors of rules, each with an example
//	GET /api/v1/changes  a version of everything; since=VERSION&timeout=5s waits for another one
//
// # Following
//
//	GET /api/v1/stream?of=exports,spans,points,logs&q=FILTERS
//
// is server-sent events, of exports where of is left away: each export once it
// has been answered or has ended otherwise, and each item as it is stored, from
// now on. Every event has an id; with it as Last-Event-ID, or as after=ID, a
// stream goes on behind that event, and after=start begins with what is there.
//
// The backend never waits for who reads a stream. Of what comes while one is
// not read, the last buffer=1000 items are kept; how many were left out, an
// event "dropped" tells, and stats. A "reset" tells that numbers begin anew, an
// "end" that the backend is closed.
//
// # Directing
//
//	GET    /api/v1/faults             the rules that can still be met, each as far as it is not used up
//	POST   /api/v1/faults             adds rules behind those that are there
//	DELETE /api/v1/faults             drops all rules
//	POST   /api/v1/down, up           an outage, and its end; addresses stay
//	POST   /api/v1/refuse, restart    new connections are refused until up; all connections are closed once
//	POST   /api/v1/hold               keeps back the answers to exports that match the body or q: {"id":"1"}
//	GET    /api/v1/hold               the holds that there are
//	GET    /api/v1/hold/{id}          the exports held so far; wait=N waits for N
//	POST   /api/v1/hold/{id}/release  lets the answer with index=N go, counted from 0, or all that are held
//	DELETE /api/v1/hold/{id}          lets all go, and holds no more
//	POST   /api/v1/produced           adds to how many items clients say that they made: {"traces":9,"metrics":0,"logs":0}
//	POST   /api/v1/reset              drops all data, rules and holds, and what was produced
//
// GET and POST of faults answer {"count":1,"rules":[{"text":"traces: throttle 30s","rule":{…}}]}
// with the rules that are there then, in both forms of package faults. The
// rule is missing where a Go function filters it, which only text can name.
//
// POST takes the text form as text/plain, and as application/json a rule or an
// array of rules, in place of each of which its text may stand. The type that
// curl -d sends, or none, is JSON if the body is, and text otherwise:
//
//	curl -s $API/api/v1/faults -d 'traces: throttle 30s x2, unavailable'
//
// Where one rule cannot work, none is added.
//
// The backend cannot know what never reached it. Only with what was produced
// does a report say what is lost; without, it says that this is not known.
//
// # Health and errors
//
//	GET /healthz  200 as long as the process serves
//	GET /readyz   200 while the backend takes exports, as far as the API knows; 503 otherwise
//
// Errors are problem details (RFC 9457, application/problem+json). Their
// detail names the parameter, field or term, what was there, and what is
// allowed. A parameter that does not exist is an error too: a misspelt q must
// not match everything.
//
// # Looking
//
// GET / is a page for people: what arrived, and a panel that directs the backend.
// It is served without a token, and asks for it; all that it shows it asks the API.
//
// # Who may ask
//
// Whoever reaches the API can change what the backend does. A web page cannot:
// requests for another host than a loopback one ([WithHosts] allows more), and
// from another origin, are a 403. [WithToken] asks for a bearer token.
package httpapi
