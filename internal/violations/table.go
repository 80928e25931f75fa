package violations

import "github.com/otlptest/otlptest/query"

// Check is one of the things that are looked at. Several can belong to one
// rule.
type Check struct {
	Name   string // what the package comment calls it
	Rule   string
	Level  query.Level
	Strict Action
	Doc    string // what it demands, in one sentence

	index int // in the table
}

// Action is what becomes of a request that fails a check in strict mode.
type Action uint8

// The actions.
const (
	Report        Action = iota // it is reported and nothing else
	RefuseItem                  // the items concerned are refused by a partial success
	RefuseRequest               // the request is refused
)

// String is the action in one word, as the package comment has it.
func (a Action) String() string { return [...]string{"report", "item", "request"}[a] }

// Table is all checks. It is read-only.
func Table() []*Check { return table }

var table []*Check

// add puts a check into the table. Inlined at each place it would be the
// largest function of the module.
//
//go:noinline
func add(name, rule string, level query.Level, strict Action, doc string) *Check {
	c := &Check{name, rule, level, strict, doc, len(table)}
	table = append(table, c)
	return c
}

const (
	bad     = query.LevelError
	warning = query.LevelWarning
	info    = query.LevelInfo
)

// Ids and flags.
var (
	traceID      = add("trace id", "S-40", bad, RefuseItem, "A span has a trace id of 16 bytes that are not all zero.")
	spanOwnID    = add("span id", "S-40", bad, RefuseItem, "A span has an id of 8 bytes that are not all zero.")
	parentID     = add("parent id", "S-40", bad, RefuseItem, "A parent's id has 8 bytes that are not all zero, and a root span has none.")
	foreignID    = add("other ids", "S-40", bad, RefuseItem, "The ids of a link or an exemplar have 16 and 8 bytes.")
	emptyLink    = add("link without ids", "S-40", warning, Report, "A link without valid ids says nothing, unless it has attributes or a trace state.")
	zeroExemplar = add("exemplar of zeros", "S-40", warning, Report, "An exemplar without a span leaves the ids out.")
	logID        = add("log ids", "S-48", warning, Report, "A log record's ids have 16 and 8 bytes that are not all zero, or are left out; otherwise it belongs to no trace.")
	logSpan      = add("log without trace", "S-48", warning, Report, "A log record that names a span names its trace too.")
	spanBits     = add("span flags", "C-40", warning, Report, "A new span or link leaves the bits above the ten that have a meaning zero; who forwards one copies them.")
	logBits      = add("log flags", "S-41", warning, Report, "A log record leaves the bits above the eight that have a meaning zero.")
)

// Names, attributes and enumerations.
var (
	duplicateKey = add("duplicate key", "S-49", bad, RefuseItem, "No two attributes of one list, nor two entries of one map, have the same key.")
	emptyKey     = add("empty key", "R-04", bad, RefuseItem, "An attribute has a key that is not empty.")
	strindex     = add("string index", "S-50", warning, Report, "An index into the string table of profiles has no meaning in other signals.")
	serviceName  = add("service name", "R-01", warning, Report, "A resource names its service in the attribute service.name, a string that is not empty.")
	emptyName    = add("empty name", "R-05", warning, Report, "A span and a metric have a name that is not empty.")
	enumNumber   = add("enumeration", "R-06", info, Report, "An enumeration has a number that the protocol knows.")
)

// Times.
var (
	spanTime   = add("span without time", "R-02", warning, Report, "A span says when it started and when it ended.")
	spanOrder  = add("span order", "R-02", warning, Report, "A span does not end before it starts.")
	logAnyTime = add("log without time", "R-03", warning, Report, "A log record says when it happened or when it was seen.")
	noTime     = add("point without time", "S-43", warning, RefuseItem, "A data point has a time.")
	pointOrder = add("point order", "R-02", warning, Report, "A data point's interval does not end before it starts.")
)

// Metrics.
var (
	noTemporality = add("temporality", "S-44", bad, RefuseItem, "A sum or a histogram says whether it is delta or cumulative.")
	noValue       = add("point without value", "S-44", bad, RefuseItem, "A data point has a value, unless its flags say that none was recorded.")
	noExemplar    = add("exemplar without value", "S-44", bad, RefuseItem, "An exemplar has a value.")
	buckets       = add("buckets", "S-45", bad, RefuseItem, "A histogram has one bucket more than bounds, or neither.")
	bucketSum     = add("bucket sum", "S-45", bad, RefuseItem, "The counts of a histogram's buckets add up to its count.")
	bounds        = add("bounds", "S-45", bad, RefuseItem, "A histogram's bounds rise strictly.")
	emptySum      = add("sum of nothing", "S-45", bad, RefuseItem, "A histogram whose count is 0 has the sum 0, or none.")
	exponential   = add("exponential sum", "S-46", bad, RefuseItem, "The counts of an exponential histogram's buckets and its zero count add up to its count.")
	emptyExpSum   = add("exponential of nothing", "S-46", bad, RefuseItem, "An exponential histogram whose count is 0 has the sum 0, or none.")
	recorded      = add("no recorded value", "S-47", warning, Report, "A data point whose flags say that no value was recorded has none.")
	quantiles     = add("quantiles", "S-47", bad, RefuseItem, "A summary's quantiles lie between 0 and 1 and rise strictly.")
	emptySummary  = add("summary of nothing", "S-47", bad, RefuseItem, "A summary whose count is 0 has the sum 0.")
	falling       = add("falling total", "C-42", bad, Report, "A cumulative total does not fall while its start stays the same.")
	restart       = add("reset", "C-42", bad, Report, "A cumulative series that begins anew does so after the last time that it reported.")
	overlap       = add("overlap", "C-42", warning, Report, "The intervals of a delta series do not overlap, apart from those that nobody acknowledged.")
)

// Requests.
var (
	envelope    = add("empty envelope", "C-23", warning, Report, "What is sent contains something: no request, resource, scope or metric is empty.")
	basePath    = add("path", "C-25", bad, Report, "The path of a signal is the one of the base URL, a slash and v1/traces, v1/metrics or v1/logs.")
	signalPath  = add("path twice", "C-26", bad, Report, "A URL that is given for one signal is used as it is, and nothing is appended.")
	changedPath = add("path changed", "C-27", bad, Report, "Nothing else is changed in a URL, not even by a slash at the end.")
	otherPath   = add("other path", "C-25", warning, Report, "Requests go to a path that the server serves.")
	service     = add("service", "S-16", bad, Report, "A gRPC call names one of the services of OTLP and the method Export.")
	method      = add("method", "S-17", bad, RefuseRequest, "A request over HTTP is a POST.")
	contentType = add("content type", "C-16", bad, RefuseRequest, "A request over HTTP has the Content-Type application/x-protobuf or application/json, as its body is encoded.")
	malformed   = add("malformed", "C-16", bad, RefuseRequest, "A body is what its Content-Type says.")
	encoding    = add("encoding", "C-17", bad, RefuseRequest, "A body is compressed if and only if the request names the encoding.")
	noAgent     = add("user agent", "C-35", warning, Report, "A User-Agent names the exporter, its language and its version.")
	bareAgent   = add("library's user agent", "C-35", info, Report, "A User-Agent that only names an HTTP or gRPC library does not say which exporter it is.")
	newConn     = add("connections", "C-18", warning, Report, "A connection is used again.")
)

// Sequences of requests.
var (
	retriedCode  = add("retry of a code", "C-01", bad, Report, "What was refused with a code that is not retryable is not sent again.")
	retriedQuota = add("retry without delay", "C-03", warning, Report, "RESOURCE_EXHAUSTED is retryable only with RetryInfo.")
	retriedHTTP  = add("retry of a status", "C-06", bad, Report, "Of HTTP's statuses only 429, 502, 503 and 504 are retryable.")
	retried400   = add("retry of 400", "C-07", bad, Report, "What was refused with 400 is not sent again.")
	retriedPart  = add("retry of a part", "C-12", bad, Report, "What was answered with a partial success is not sent again.")
	repeated     = add("repetition", "C-43", warning, Report, "What was answered with success is not sent again.")
	earlyGRPC    = add("early retry", "C-04", warning, Report, "A client waits as long as RetryInfo says.")
	earlyHTTP    = add("early retry over HTTP", "C-08", warning, Report, "A client waits as long as Retry-After says.")
)

// JSON.
var (
	jsonID      = add("JSON id", "S-32", bad, RefuseRequest, "In JSON an id is in hexadecimal digits, and bytes are in base64.")
	jsonEmptyID = add("JSON empty id", "S-32", info, Report, "In JSON an id that is absent is left out.")
	jsonEnum    = add("JSON enumeration", "S-33", bad, RefuseRequest, "In JSON an enumeration is a number.")
	jsonKey     = add("JSON key", "S-35", bad, RefuseRequest, "In JSON keys are lowerCamelCase.")
	jsonInteger = add("JSON integer", "S-36", bad, RefuseRequest, "In JSON an integer of 64 bits is a number or a string of decimal digits, in its range.")
	jsonOther   = add("JSON", "S-37", bad, RefuseRequest, "A JSON body is proto3 JSON but for what OTLP changes.")
)
