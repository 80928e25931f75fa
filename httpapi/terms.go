package httpapi

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func spanClues(s query.Span) clues {
	c := clues{name: []term{call("Name", where.Name(s.Name), strconv.Quote(s.Name))}}
	c.service(s.Resource)
	c.lasts = append(c.lasts, kindTerm(s.Kind), statusTerm(s.Status.Code))
	c.lasts = append(c.lasts, attrTerms("Attr", where.Attr, s.Attrs)...)
	c.origin(s.Resource, s.Scope)
	c.trace(s.TraceID)
	c.export(s.Ref)
	return c
}

func pointClues(p query.Point) clues {
	c := clues{name: []term{call("Name", where.Name(p.Name), strconv.Quote(p.Name))}}
	c.service(p.Resource)
	c.lasts = append(c.lasts, attrTerms("Attr", where.Attr, p.Attrs)...)
	c.origin(p.Resource, p.Scope)
	c.lasts = append(c.lasts, call("Unit", where.Unit(p.Unit), strconv.Quote(p.Unit)))
	c.export(p.Ref)
	return c
}

// logClues calls a record by its event, or else by what it says, or else by how
// severe it is.
func logClues(l query.Log) clues {
	var c clues
	if l.EventName != "" {
		c.lasts = append(c.lasts, call("EventName", where.EventName(l.EventName), strconv.Quote(l.EventName)))
	}
	if code, ok := goValue(l.Body); ok {
		c.lasts = append(c.lasts, call("Body", where.Body(l.Body), code))
	}
	if l.Severity >= 0 && l.Severity <= query.SeverityFatal+3 {
		c.lasts = append(c.lasts, severityTerm(l.Severity))
	}
	if len(c.lasts) > 0 {
		c.name, c.lasts = c.lasts[:1:1], c.lasts[1:]
	}
	c.service(l.Resource)
	c.lasts = append(c.lasts, attrTerms("Attr", where.Attr, l.Attrs)...)
	c.origin(l.Resource, l.Scope)
	c.trace(l.TraceID)
	c.export(l.Ref)
	return c
}

// call is the term of a function of package where with such arguments.
func call(function string, f query.Filter, args ...string) term {
	return term{fmt.Sprintf("where.%s(%s)", function, strings.Join(args, ", ")), f, []string{inFilters}}
}

// named is a term whose arguments name something of package query.
func (t term) named() term {
	t.imports = append(t.imports, inValues)
	return t
}

func (c *clues) service(r query.Resource) {
	if name := r.Service(); name != "" {
		c.lasts = append(c.lasts, call("Service", where.Service(name), strconv.Quote(name)))
	}
}

// origin is what produced the item, but for the service. What tells of the
// machine or the process is of this run.
func (c *clues) origin(r query.Resource, s query.Scope) {
	var lasts, runs query.Attrs
	for _, kv := range r.Attrs {
		namespace, _, _ := strings.Cut(kv.Key, ".")
		switch {
		case kv.Key == "service.name" && r.Service() != "":
		case kv.Key == "service.instance.id" || slices.Contains([]string{"host", "process", "os", "container", "k8s"}, namespace):
			runs = append(runs, kv)
		default:
			lasts = append(lasts, kv)
		}
	}
	c.lasts = append(c.lasts, attrTerms("ResourceAttr", where.ResourceAttr, lasts)...)
	c.lasts = append(c.lasts, call("ScopeName", where.ScopeName(s.Name), strconv.Quote(s.Name)))
	c.runs = append(c.runs, attrTerms("ResourceAttr", where.ResourceAttr, runs)...)
}

func (c *clues) trace(id query.TraceID) {
	if !id.IsZero() {
		c.runs = append(c.runs, call("TraceID", where.TraceID(id), fmt.Sprintf("%#v", id)).named())
	}
}

func (c *clues) export(r query.Ref) {
	n := r.Export().Number
	c.runs = append(c.runs, call("InExport", where.InExport(n), strconv.Itoa(n)))
}

// attrTerms is those attributes that a filter can ask for, the first of each
// key.
func attrTerms(function string, filter func(string, any) query.Filter, attrs query.Attrs) (terms []term) {
	seen := map[string]bool{}
	for key, v := range attrs.All() {
		if code, ok := goValue(v); ok && !seen[key] {
			terms = append(terms, call(function, filter(key, v), strconv.Quote(key), code))
		}
		seen[key] = true
	}
	return terms
}

// goValue is the Go expression for a value that a filter can ask for.
func goValue(v query.Value) (code string, ok bool) {
	switch v.Kind() {
	case query.KindString, query.KindBool:
		return v.String(), true
	case query.KindInt:
		if i := v.Int(); i < math.MinInt32 || i > math.MaxInt32 {
			return fmt.Sprintf("int64(%d)", i), true
		}
		return v.String(), true
	case query.KindFloat:
		return v.String(), !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
	}
	return "", false
}

func kindTerm(k query.SpanKind) term {
	names := []string{"Unspecified", "Internal", "Server", "Client", "Producer", "Consumer"}
	code := fmt.Sprintf("query.SpanKind(%d)", k)
	if k >= 0 && int(k) < len(names) {
		code = "query.SpanKind" + names[k]
	}
	return call("Kind", where.Kind(k), code).named()
}

func statusTerm(c query.StatusCode) term {
	switch c {
	case query.StatusError:
		return call("StatusError", where.StatusError())
	case query.StatusOK:
		return call("Status", where.Status(c), "query.StatusOK").named()
	case query.StatusUnset:
		return call("Status", where.Status(c), "query.StatusUnset").named()
	}
	return call("Status", where.Status(c), fmt.Sprintf("query.StatusCode(%d)", c)).named()
}

// severityTerm asks for a range of severities where that has a name.
func severityTerm(s query.Severity) term {
	names := map[query.Severity]string{
		query.SeverityUnspecified: "Unspecified", query.SeverityTrace: "Trace", query.SeverityDebug: "Debug", query.SeverityInfo: "Info",
		query.SeverityWarn: "Warn", query.SeverityError: "Error", query.SeverityFatal: "Fatal",
	}
	code := fmt.Sprintf("query.Severity(%d)", s)
	if name, ok := names[s]; ok {
		code = "query.Severity" + name
	}
	return call("Severity", where.Severity(where.Is(s)), "where.Is("+code+")").named()
}
