package violations

import "github.com/otlptest/otlptest/internal/wire"

// span goes over a span.
func (w *walker) span(b []byte) {
	var own context
	var parent []byte
	var start, end, kind, code, flags uint64
	name, events, links := false, 0, 0
	k := w.open()
	for at := 0; at < len(b); {
		tag, from, to := wire.Step(b, at)
		at = to
		switch tag {
		case spanTraceID:
			own.trace = b[from:to]
		case spanID:
			own.span = b[from:to]
		case spanParentID:
			parent = b[from:to]
		case spanName:
			name = to > from
		case spanKind:
			kind = wire.Number(b, tag, from)
		case spanStart:
			start = wire.Number(b, tag, from)
		case spanEnd:
			end = wire.Number(b, tag, from)
		case spanAttrs:
			w.attr(&k, "attributes", b[from:to])
		case spanEvents:
			w.enter("events", events)
			w.attrs("attributes", b[from:to], eventAttrs)
			w.leave()
			events++
		case spanLinks:
			w.enter("links", links)
			w.link(b[from:to])
			w.leave()
			links++
		case spanStatus:
			code = statusOf(b[from:to], code)
		case spanFlags:
			flags = wire.Number(b, tag, from)
		}
	}
	w.close(&k)
	w.spanIDs(own, parent)
	w.flags(spanBits, flags, 10)
	w.spanTimes(start, end)
	if !name {
		w.report(emptyName, "name", words("none"), "the name of the operation")
	}
	w.enum("kind", kind, 5)
	w.enum("status.code", code, 2)
}

// statusOf is the code in a status, or what it was before.
func statusOf(status []byte, code uint64) uint64 {
	for r := wire.Read(status); r.Next(); {
		if r.Tag() == statusCode {
			code = r.Num()
		}
	}
	return code
}

// enum checks the number of an enumeration that goes up to a highest one.
func (w *walker) enum(field string, n, highest uint64) {
	if i := int32(n); i < 0 || uint64(i) > highest {
		w.report(enumNumber, field, enum(n), "a number from 0 to "+number(highest).String())
	}
}

// flags checks that only the lowest bits are set.
func (w *walker) flags(c *Check, f uint64, meaning int) {
	if f>>meaning != 0 {
		w.report(c, "flags", flags(f), "zero above the lowest "+number(meaning).String()+" bits")
	}
}

// link goes over a link.
func (w *walker) link(b []byte) {
	var to context
	var flags uint64
	said := false
	k := w.open()
	for r := wire.Read(b); r.Next(); {
		switch r.Tag() {
		case linkTraceID:
			to.trace = r.Raw()
		case linkSpanID:
			to.span = r.Raw()
		case linkState:
			said = said || len(r.Raw()) > 0
		case linkAttrs:
			said = true
			w.attr(&k, "attributes", r.Raw())
		case linkFlags:
			flags = r.Num()
		}
	}
	w.close(&k)
	w.linkIDs(to, said)
	w.flags(spanBits, flags, 10)
}
