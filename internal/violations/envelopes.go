package violations

import (
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// body goes over a request.
func (w *walker) body(b []byte) {
	n := 0
	for r := wire.Read(b); r.Next(); {
		if r.Tag() == dataGroups {
			w.enter(w.names.groups, n)
			w.resourceGroup(r.Raw())
			w.leave()
			n++
		}
	}
	if n == 0 {
		w.report(envelope, "", words("an empty request"), "something in it")
	}
}

// resourceGroup goes over what one resource produced.
func (w *walker) resourceGroup(b []byte) {
	w.at, w.condemned = ofResource, [4]bool{}
	w.resource = w.head(b)
	w.resourceAttrs()
	n := 0
	for r := wire.Read(b); r.Next(); {
		switch r.Tag() {
		case groupItems:
			w.enter(w.names.scopes, n)
			w.scopeGroup(r.Raw())
			w.leave()
			n++
		case groupHead:
			w.late = w.late || n > 0
		}
	}
	if n == 0 {
		w.report(envelope, "", words("a resource without "+w.names.scopes), "something in it")
	}
}

// head is a group's resource or scope, or of one that goes on behind what it
// holds the beginning, until that is known.
func (w *walker) head(group []byte) []byte {
	end := 0
	for end < len(group) {
		tag, _, to := wire.Step(group, end)
		if tag == groupItems && !w.late {
			break
		}
		end = to
	}
	return wire.Merged(group[:end], groupHead)
}

// resourceAttrs goes over the resource's attributes, once it knows the name of
// the service.
func (w *walker) resourceAttrs() {
	w.service = nil
	for r := wire.Read(w.resource); r.Next(); {
		if r.Tag() == resourceAttrs && string(wire.Last(r.Raw(), kvKey)) == "service.name" {
			w.service = wire.Text(wire.Merged(r.Raw(), kvValue))
			break
		}
	}
	w.enter("resource", -1)
	if len(w.service) == 0 {
		w.report(serviceName, "attributes", words("no service.name"), "the name of the service")
	}
	w.attrs("attributes", w.resource, resourceAttrs)
	w.leave()
}

// scopeGroup goes over what one scope produced.
func (w *walker) scopeGroup(b []byte) {
	w.at, w.condemned[ofScope] = ofScope, false
	w.scope = w.head(b)
	w.enter("scope", -1)
	w.attrs("attributes", w.scope, scopeAttrs)
	w.leave()
	n := 0
	for r := wire.Read(b); r.Next(); {
		switch r.Tag() {
		case groupItems:
			w.enter(w.names.items, n)
			w.member(r.Raw())
			w.leave()
			n++
		case groupHead:
			w.late = w.late || n > 0
		}
	}
	w.at, w.item = ofScope, nil
	if n == 0 {
		w.report(envelope, "", words("a scope without "+w.names.items), "something in it")
	}
	w.at = ofResource
}

// member goes over a span, a metric or a log record.
func (w *walker) member(b []byte) {
	w.item = b
	switch w.sig {
	case query.Traces:
		w.at = ofItem
		w.span(b)
		w.done()
	case query.Logs:
		w.at = ofItem
		w.log(b)
		w.done()
	default:
		w.at, w.condemned[ofMetric] = ofMetric, false
		w.metric(b)
	}
}
