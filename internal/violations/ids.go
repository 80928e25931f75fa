package violations

// The lengths of ids, in bytes.
const (
	traceSize = 16
	spanSize  = 8
)

// context is the ids of a trace and of a span in it, as they were sent.
type context struct{ trace, span []byte }

// known says whether an id has its length and is not all zero.
func known(id []byte, size int) bool { return len(id) == size && !zero(id) }

// spanIDs checks a span's own ids and its parent's.
func (w *walker) spanIDs(own context, parent []byte) {
	if !known(own.trace, traceSize) {
		w.report(traceID, "trace_id", id(own.trace), "16 bytes that are not all zero")
	}
	if !known(own.span, spanSize) {
		w.report(spanOwnID, "span_id", id(own.span), "8 bytes that are not all zero")
	}
	switch {
	case len(parent) == 0 || known(parent, spanSize):
	case zero(parent):
		w.report(parentID, "parent_span_id", id(parent), "it to be empty in a root span")
	default:
		w.report(parentID, "parent_span_id", id(parent), "8 bytes, or none in a root span")
	}
}

// foreign checks the ids of a context that may be missing, and says whether
// they have their lengths.
func (w *walker) foreign(c *Check, to context) bool {
	trace := len(to.trace) == 0 || len(to.trace) == traceSize
	span := len(to.span) == 0 || len(to.span) == spanSize
	if !trace {
		w.report(c, "trace_id", id(to.trace), "16 bytes")
	}
	if !span {
		w.report(c, "span_id", id(to.span), "8 bytes")
	}
	return trace && span
}

// linkIDs checks where a link leads to. One that says something of itself may
// lead nowhere.
func (w *walker) linkIDs(to context, said bool) {
	if !w.foreign(foreignID, to) || said {
		return
	}
	if !known(to.trace, traceSize) {
		w.report(emptyLink, "trace_id", id(to.trace), "the id of a trace, or attributes")
	} else if !known(to.span, spanSize) {
		w.report(emptyLink, "span_id", id(to.span), "the id of a span, or attributes")
	}
}

// exemplarIDs checks where an exemplar was measured.
func (w *walker) exemplarIDs(in context) {
	if w.foreign(foreignID, in) {
		w.zeros(zeroExemplar, in)
	}
}

// logIDs checks what a log record belongs to.
func (w *walker) logIDs(in context) {
	if !w.foreign(logID, in) || w.zeros(logID, in) {
		return
	}
	if len(in.trace) == 0 && len(in.span) > 0 {
		w.report(logSpan, "trace_id", id(in.trace), "the id of the span's trace")
	}
}

// zeros reports ids that are zero instead of left out.
func (w *walker) zeros(c *Check, in context) (found bool) {
	if len(in.trace) > 0 && zero(in.trace) {
		w.report(c, "trace_id", id(in.trace), "it to be empty where there is no trace")
		found = true
	}
	if len(in.span) > 0 && zero(in.span) {
		w.report(c, "span_id", id(in.span), "it to be empty where there is no span")
		found = true
	}
	return found
}
