package faults

// uses is a set of a Fault's fields.
type uses uint32

const (
	usesCode uses = 1 << iota
	usesHTTP
	usesMessage
	usesRetryDelay
	usesRetry
	usesDated
	usesRejected
	usesFilters
	usesDetails
	usesHeader
	usesType
	usesBody
	usesLocation
	usesSize
	usesHTTP2
	usesLast
	usesFor
	usesItemsPerSecond
	usesMaxInFlight
	usesReadDelay
	usesReadRate
	usesUnread
	usesDelay
	usesHeadersFirst
	usesClosing
	usesKeep
	usesDrop

	whole   = usesHeader | usesClosing                            // a whole answer
	refusal = whole | usesDetails | usesHeadersFirst | usesUnread // an error with a status of gRPC
	retry   = usesRetry | usesRetryDelay | usesDated              // a delay that may be told
)

// present is a field, in words, and whether a fault has it.
type present struct {
	field uses
	words string
	set   bool
}

// fields is every field but Kind.
func (f Fault) fields() []present {
	return []present{
		{usesCode, "a code", f.Code != 0},
		{usesHTTP, "an HTTP status", f.HTTP != 0},
		{usesMessage, "a message", f.Message != ""},
		{usesRetryDelay, "a retry delay", f.RetryDelay != 0},
		{usesRetry, "retry", f.Retry},
		{usesDated, "dated", f.Dated},
		{usesRejected, "a number of rejected items", f.Rejected != 0},
		{usesFilters, "filters", len(f.Filters) > 0},
		{usesDetails, "details", len(f.Details) > 0},
		{usesHeader, "header fields", len(f.Header) > 0},
		{usesType, "a type", f.Type != ""},
		{usesBody, "a body", f.Body != ""},
		{usesLocation, "a URL", f.Location != ""},
		{usesSize, "a size", f.Size != 0},
		{usesHTTP2, "an error code of HTTP/2", f.HTTP2 != 0},
		{usesLast, "a last stream", f.Last != 0},
		{usesFor, "a time of outage", f.For != 0},
		{usesItemsPerSecond, "items per second", f.ItemsPerSecond != 0},
		{usesMaxInFlight, "a number of open requests", f.MaxInFlight != 0},
		{usesReadDelay, "read-after", f.ReadDelay != 0},
		{usesReadRate, "read-rate", f.ReadRate != 0},
		{usesUnread, "unread", f.Unread},
		{usesDelay, "after", f.Delay != 0},
		{usesHeadersFirst, "headers-first", f.HeadersFirst},
		{usesClosing, "closing", f.Closing},
		{usesKeep, "stored", f.Keep},
		{usesDrop, "lost", f.Drop},
	}
}

// can is the fields that this fault may have: what is stored anyway cannot be
// stored in spite of the answer, nor can what is not stored be lost.
func (f Fault) can() uses {
	r, _ := rowOf(f.Kind)
	if f.Accepts() {
		return r.uses() | usesDrop
	}
	return r.uses() | usesKeep
}
