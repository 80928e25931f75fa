// Package violations finds what departs from OTLP in what a server received.
//
// Its checks are in three groups: what one body shows ([Look]), what one
// request shows, and what several requests show together ([All] has these).
// They take bodies as they came, and decode nothing that need not be shown.
//
// The rules have the numbers of the requirements that they check: S for those
// that servers have, C for those that clients have. R is for what other parts
// of the specification ask for:
//
//	R-01  a resource has a service.name (semantic conventions, resource)
//	R-02  a span has a start and an end, in this order (trace.proto), and so has a data point (metrics.proto)
//	R-03  a log record has a time or an observed time (logs.proto)
//	R-04  an attribute's key is not empty (common concepts, attributes)
//	R-05  a span and a metric have a name (trace.proto, metrics data model)
//	R-06  an enumeration's number is known
//
// A violation is an error where the specification says must or calls the data
// invalid, a warning where it says should, and else for information. Two
// requirements that are a must are warnings, since no server can tell whether
// they are broken: who forwards a span copies reserved flags, and only who
// makes a new one has to leave them zero.
//
// In strict mode a violation has consequences: the items concerned are refused
// by a partial success, or the request is refused; or it is reported and
// nothing else, where the specification wants receivers to be lenient or where
// it is not about data. [Judge] decides what becomes of the items. What refuses
// a request the receiver notices by itself, and in strict mode reads JSON
// strictly.
//
//	check                     | rule | level   | strict
//	--------------------------+------+---------+--------
//	trace id                  | S-40 | error   | item
//	span id                   | S-40 | error   | item
//	parent id                 | S-40 | error   | item
//	other ids                 | S-40 | error   | item
//	link without ids          | S-40 | warning | report
//	exemplar of zeros         | S-40 | warning | report
//	log ids                   | S-48 | warning | report
//	log without trace         | S-48 | warning | report
//	span flags                | C-40 | warning | report
//	log flags                 | S-41 | warning | report
//	duplicate key             | S-49 | error   | item
//	empty key                 | R-04 | error   | item
//	string index              | S-50 | warning | report
//	service name              | R-01 | warning | report
//	empty name                | R-05 | warning | report
//	enumeration               | R-06 | info    | report
//	span without time         | R-02 | warning | report
//	span order                | R-02 | warning | report
//	log without time          | R-03 | warning | report
//	point without time        | S-43 | warning | item
//	point order               | R-02 | warning | report
//	temporality               | S-44 | error   | item
//	point without value       | S-44 | error   | item
//	exemplar without value    | S-44 | error   | item
//	buckets                   | S-45 | error   | item
//	bucket sum                | S-45 | error   | item
//	bounds                    | S-45 | error   | item
//	sum of nothing            | S-45 | error   | item
//	exponential sum           | S-46 | error   | item
//	exponential of nothing    | S-46 | error   | item
//	no recorded value         | S-47 | warning | report
//	quantiles                 | S-47 | error   | item
//	summary of nothing        | S-47 | error   | item
//	falling total             | C-42 | error   | report
//	reset                     | C-42 | error   | report
//	overlap                   | C-42 | warning | report
//	empty envelope            | C-23 | warning | report
//	path                      | C-25 | error   | report
//	path twice                | C-26 | error   | report
//	path changed              | C-27 | error   | report
//	other path                | C-25 | warning | report
//	service                   | S-16 | error   | report
//	method                    | S-17 | error   | request
//	content type              | C-16 | error   | request
//	malformed                 | C-16 | error   | request
//	encoding                  | C-17 | error   | request
//	user agent                | C-35 | warning | report
//	library's user agent      | C-35 | info    | report
//	connections               | C-18 | warning | report
//	retry of a code           | C-01 | error   | report
//	retry without delay       | C-03 | warning | report
//	retry of a status         | C-06 | error   | report
//	retry of 400              | C-07 | error   | report
//	retry of a part           | C-12 | error   | report
//	repetition                | C-43 | warning | report
//	early retry               | C-04 | warning | report
//	early retry over HTTP     | C-08 | warning | report
//	JSON id                   | S-32 | error   | request
//	JSON empty id             | S-32 | info    | report
//	JSON enumeration          | S-33 | error   | request
//	JSON key                  | S-35 | error   | request
//	JSON integer              | S-36 | error   | request
//	JSON                      | S-37 | error   | request
//
// Of one export and check the first 100 violations are listed, and the last of
// these says how many more there are.
//
// Some things cannot be seen: what is in a body that is not OTLP (it is not
// kept), whether two such requests are the same one, who closed a connection,
// and what a client would have sent if it had not failed. Where that makes a
// violation uncertain there is none: equal metrics or logs are a repetition
// only if time has passed, and a retry is one only if it comes by the same
// protocol from the same User-Agent.
package violations
