package httpapi

import (
	"net/http"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// grammar is the answer of grammar: what filters, faults and the selectors of
// rules can be, for completion.
type grammar struct {
	Filters   []filterTerm `json:"filters"`
	Faults    []faultTerm  `json:"faults"`
	Selectors []example    `json:"selectors"`
}

// example is a term with what it does.
type example struct {
	Term    string `json:"term"`
	Example string `json:"example"`
	Doc     string `json:"doc"`
}

// filterTerm is a term of package where.
type filterTerm struct {
	example
	Of []string `json:"of"` // the lists that can be asked so
}

// faultTerm is a kind of fault.
type faultTerm struct {
	Kind    string `json:"kind"`
	Example string `json:"example"` // a rule
	Doc     string `json:"doc"`
}

// grammar is the endpoint for what can be asked and ordered.
func (a *api) grammar(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	g := grammar{Faults: faultTerms, Selectors: selectorTerms}
	for _, t := range filterTerms {
		fs, err := where.Parse(t.Example)
		if err != nil {
			return nil, err
		}
		g.Filters = append(g.Filters, filterTerm{t, a.takenBy(fs)})
	}
	return g, nil
}

// takenBy is the lists that can be asked with filters.
func (a *api) takenBy(fs []query.Filter) []string {
	taken := []string{}
	for _, of := range []struct {
		list string
		err  error
	}{
		{"spans", a.srv.Spans(fs...).Err()}, {"points", a.srv.Points(fs...).Err()}, {"logs", a.srv.Logs(fs...).Err()},
		{"traces", a.srv.Traces(fs...).Err()}, {"exports", a.srv.Exports(fs...).Err()}, {"violations", a.srv.Violations(fs...).Err()},
	} {
		if of.err == nil {
			taken = append(taken, of.list)
		}
	}
	return taken
}

// filterTerms is the grammar of package where.
var filterTerms = []example{
	{"name", `name="charge"`, "the span's or the metric's name"},
	{"service", `service="shop"`, "the resource's service.name"},
	{"scope", `scope="net/http"`, "the instrumentation scope's name"},
	{"attr.KEY", `attr.http.route="/pay"`, "an attribute of the item; without a value, that it has it"},
	{"resource.KEY", `resource.tenant="b"`, "an attribute of the resource; without a value, that it has it"},
	{"during", "during=2026-01-02T15:04:05Z/2026-01-02T15:05:00Z", "a span overlaps the window of time, a point's or record's time lies in it"},

	{"kind", "kind=server", "unspecified, internal, server, client, producer, consumer"},
	{"status", "status=error", "unset, ok, error"},
	{"trace", "trace=0af7651916cd43dd8448eb211c80319c", "spans and log records of that trace"},
	{"span", "span=b7ad6b7169203331", "the span with that id, and log records that were written in it"},
	{"root", "root", "it has no parent"},
	{"duration", "duration>=1s", "how long it lasted"},
	{"has_event", `has_event="exception"`, "it has an event of that name"},
	{"has_link", "has_link=0af7651916cd43dd8448eb211c80319c", "it has a link into that trace"},
	{"child(", `child(name="a" kind=server)`, "its parent matches all of the terms, whichever export brought it"},
	{"descendant(", `descendant(name="a")`, "one of its ancestors matches all of the terms"},

	{"unit", `unit="ms"`, "the metric's unit"},
	{"type", "type=sum", "gauge, sum, histogram, exponential_histogram, summary"},
	{"temporality", "temporality=delta", "unspecified, delta, cumulative"},
	{"monotonic", "monotonic", "of a monotonic sum"},

	{"severity", "severity>=error", "trace, debug, info, warn, error, fatal, each a range of four; error2; or a number, 0 to 24"},
	{"body", `body="paid"`, "the body"},
	{"event", `event="checkout"`, "the event's name"},

	{"protocol", "protocol=grpc", "grpc, http/protobuf, http/json"},
	{"header.NAME", `header.x-tenant="b"`, "a header field of the request, or metadata; without a value, that it had it"},
	{"export", "export=3", "the number of the export"},
	{"since", "since=12", "it came after that mark of the server"},
	{"outcome", "outcome=refused", "open, accepted, partial, refused, malformed, abandoned, cut"},
	{"attempt", "attempt=2", "which attempt of its batch it is, from 1"},

	{"complete", "complete", "it has one root, and of every other span the parent"},
	{"spans", "spans>=3", "how many spans it has"},
	{"rule", `rule="S-40"`, "the number of the rule that is broken"},

	{"not", `not name="charge"`, "the term behind it does not hold"},
	{"(", `(name="charge" or name="refund")`, "at least one of the terms holds"},
}

// faultTerms is every kind of fault, as package faults writes it.
var faultTerms = []faultTerm{
	{"accept", "accept", "let the export through"},
	{"unavailable", "unavailable", "the plain retryable error"},
	{"throttle", "throttle 30s", "come back in 30s"},
	{"exhausted", "exhausted 30s", "the same by RESOURCE_EXHAUSTED and 429"},
	{"reject", `reject "why"`, "a final error"},
	{"code", `code NOT_FOUND "why"`, "a code of gRPC"},
	{"http", `http 502 "why"`, "an HTTP status, 400 to 599"},
	{"redirect", `redirect 307 "http://other:4318"`, "301, 302, 303, 307 or 308; without a URL to itself"},
	{"partial", `partial 2 "why"`, "success, but 2 items were refused"},
	{"partial", `partial [name="x"] "why"`, "success, but the items that match the filters were refused"},
	{"newer", "newer", "success with fields of a later version"},
	{"garbage", "garbage", "success with a body that is no message"},
	{"truncated", "truncated", "success with a message that ends too early"},
	{"oversized", "oversized 5000000", "success with a message of so many bytes, up to 1 GiB"},
	{"trailers", "trailers 20000", "success with so many bytes of trailers, up to 16 MiB"},
	{"encoded", "encoded gzip", "success in a compression that nobody asked for"},
	{"raw", `raw 200 "text/html" "<p>Sign in"`, "any status from 200, content type and body"},
	{"capacity", "always capacity 1000/s 4 open", "throttle what is more, by one limit or both; with always or rate"},
	{"old", "old", "no logs, no JSON"},
	{"hang", "hang", "no answer"},
	{"half", "half", "half an answer"},
	{"reset", "reset", "the connection is reset"},
	{"close", "close", "the connection is closed"},
	{"blackhole", "blackhole", "the connection falls silent"},
	{"rst", "rst REFUSED_STREAM", "RST_STREAM with an error code of HTTP/2"},
	{"goaway", "goaway 3 ENHANCE_YOUR_CALM", "GOAWAY with the last stream, 0 or odd, and an error code or NO_ERROR"},
	{"down", "down 5s", "the whole server is gone for so long"},
}

// selectorTerms is what can stand before the colon of a rule.
var selectorTerms = []example{
	{"traces", "traces", "only exports of spans"},
	{"metrics", "metrics", "only exports of metrics"},
	{"logs", "logs", "only exports of log records"},
	{"grpc", "grpc", "only exports over gRPC"},
	{"http/protobuf", "http/protobuf", "only exports over HTTP in protobuf"},
	{"http/json", "http/json", "only exports over HTTP in JSON"},
	{"header", `header x-tenant="a"`, "the request has this header field; without a value, whatever it is"},
	{"connection", "connection 1|3", "on the first or third connection"},
	{"from", "from 10s", "10s or more after the start"},
	{"until", "until 1m", "less than a minute after the start"},
	{"attempt", "attempt 1|2", "the first or second time that a batch is sent"},
	{"request", "request 5", "the fifth of those for which all else holds"},
	{"per batch", "per batch", "every batch goes through the sequence by itself, an attempt a fault"},
	{"[", `[name="charge" not kind=client]`, "filters, as package where writes them"},
}
