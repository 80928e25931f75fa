package violations

import "github.com/otlptest/otlptest/internal/wire"

// log goes over a log record.
func (w *walker) log(b []byte) {
	var in context
	var happened, seen, severity, flags uint64
	body := false
	k := w.open()
	for r := wire.Read(b); r.Next(); {
		switch r.Tag() {
		case logTime:
			happened = r.Num()
		case logObserved:
			seen = r.Num()
		case logSeverity:
			severity = r.Num()
		case logBody:
			body = true
		case logAttrs:
			w.attr(&k, "attributes", r.Raw())
		case logFlags:
			flags = r.Num()
		case logTraceID:
			in.trace = r.Raw()
		case logSpanID:
			in.span = r.Raw()
		}
	}
	w.close(&k)
	if body {
		w.enter("body", -1)
		w.value(wire.Merged(b, logBody))
		w.leave()
	}
	w.logIDs(in)
	w.flags(logBits, flags, 8)
	w.logTimes(happened, seen)
	w.enum("severity_number", severity, 24)
}
