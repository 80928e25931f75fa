// Package where makes the filters that views, fault rules and the HTTP API
// take:
//
//	srv.Spans(where.Name("charge"), where.Attr("http.route", "/pay"))
//
// Several filters hold together: all of them must. Each has one text form,
// which [Parse] reads back and which failure texts, URLs and the command line
// use too. A filter that cannot apply to what a view is of, and a value that
// cannot be, are errors of the view.
//
// # Grammar
//
// Terms stand side by side with spaces between them, and all of them must
// hold:
//
//	name="charge" attr.http.route~"^/pay" attr.status>=500 resource.tenant="b" duration>1s not kind=client
//
// They can be combined:
//
//	not TERM                     TERM does not hold
//	(TERM or TERM ...)           at least one of them holds
//
// Terms for spans, data points and log records:
//
//	name="charge"                the span's or the metric's name
//	service="shop"               the resource's service.name
//	scope="net/http"             the instrumentation scope's name
//	attr.http.route="/pay"       an attribute of the item
//	attr.http.route              it has such an attribute, whatever the value
//	resource.tenant="b"          an attribute of the resource
//	resource.tenant              it has such an attribute
//	during=FROM/TO               a span overlaps the window of time, a point's or record's time lies in it,
//	                             as in during=2026-01-02T15:04:05Z/2026-01-02T15:05:00Z
//
// for spans:
//
//	kind=server                  unspecified, internal, server, client, producer, consumer
//	status=error                 unset, ok, error
//	trace=0af7651916cd43dd8448eb211c80319c   also for log records
//	span=b7ad6b7169203331        its own id; also for log records that were written in it
//	root                         it has no parent
//	duration>=1s                 how long it lasted
//	has_event="exception"        it has an event of that name
//	has_link=0af7651916cd43dd8448eb211c80319c   it has a link into that trace
//	child(name="a" kind=server)  its parent matches all of the terms, whichever export brought it
//	descendant(name="a")         one of its ancestors does
//
// for data points:
//
//	unit="ms"                    the metric's unit
//	type=sum                     gauge, sum, histogram, exponential_histogram, summary
//	temporality=delta            unspecified, delta, cumulative
//	monotonic                    of a monotonic sum
//
// for log records:
//
//	severity>=error              trace, debug, info, warn, error, fatal, each a range of four; error2; or a number, 0 to 24
//	body="paid"                  the body
//	event="checkout"             the event's name
//
// for exports, and for items by the export that brought them:
//
//	protocol=grpc                grpc, http/protobuf, http/json
//	header.x-tenant="b"          a header field of the request, or metadata
//	header.x-tenant              it had such a field
//	export=3                     its number
//	since=12                     it came after that mark of the server
//
// for exports only:
//
//	outcome=refused              open, accepted, partial, refused, malformed, abandoned, cut
//	attempt=2                    which attempt of its batch it is, from 1
//
// A filter for items holds for an export if one item in it matches all filters
// for items. In the selectors of a fault rule export, outcome, child and
// descendant are errors, since nobody knows them before the answer.
//
// For traces, beside terms for spans:
//
//	complete                     it has one root, and of every other span the parent
//	spans>=3                     how many spans it has
//
// For violations:
//
//	rule="S-40"                  the number of the rule that is broken
//
// # Comparisons
//
//	attr.n=500  attr.n="x"       equal
//	attr.n=(200,201,"x")         equal to one of them
//	attr.n>=500                  also <, <= and >
//	attr.http.route~"^/pay"      a regular expression of Go matches somewhere in it
//	body*="refused"              it contains the text
//
// A value in double quotes is a string, with Go's escapes. A bare one is a
// number, true or false, or a duration or a word where the field has such.
// Numbers compare by value, integers and doubles alike, and never with strings.
// Attributes and bodies take every comparison; other strings (name, service,
// scope, has_event, unit, event, header) =, ~ and *=; numbers, severities and
// durations =, <, <=, >= and >; words and ids only =. A severity's name stands
// for its whole range: severity=error is 17 to 20, severity>error is fatal.
//
// A key with other characters than letters, digits and . _ - + / : @ $ is
// quoted: attr."my key"=1.
package where
