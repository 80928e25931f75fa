package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// remark says what is likely to be behind a term that does not hold, and is
// empty where nothing is known.
func (t explained) remark(it *wire.Item, got query.Value, found bool) string {
	switch t.Key {
	case expr.Attr, expr.Resource:
		if !found {
			return t.elsewhere(it)
		}
	case expr.Service:
		return serviceRemark(t, got, found)
	case expr.Status:
		return statusRemark(t, it, got)
	case expr.Kind:
		if got.Str() == query.SpanKindInternal.String() {
			return "what a span is without trace.WithSpanKind"
		}
	case expr.Unit:
		if !found {
			return "the instrument has none: WithUnit"
		}
	case expr.Temporality:
		if found && t.wants(query.Delta.String()) {
			return "the exporter's temporality selector decides"
		}
	case expr.Duration:
		return t.shortBy(got)
	}
	return t.almost(got)
}

// wants says whether the term asks for a string or a label.
func (t explained) wants(text string) bool { return slices.Contains(t.texts(), text) }

// texts is the strings and labels that the term asks for.
func (t explained) texts() (list []string) {
	args, ok := t.Arg.([]any)
	if !ok {
		args = []any{t.Arg}
	}
	for _, arg := range args {
		switch arg := arg.(type) {
		case string:
			list = append(list, arg)
		case expr.Label:
			list = append(list, arg.Text)
		}
	}
	return list
}

// almost says what little keeps a string from being what is wanted.
func (t explained) almost(got query.Value) string {
	if got.Kind() != query.KindString || t.Op != expr.Equal && t.Op != expr.OneOf && t.Op != expr.Contains {
		return ""
	}
	is := func(same func(got, want string) bool) bool {
		return slices.ContainsFunc(t.texts(), func(want string) bool { return same(got.Str(), want) })
	}
	if t.Op == expr.Contains {
		if is(func(got, want string) bool { return strings.Contains(strings.ToLower(got), strings.ToLower(want)) }) {
			return "but for upper and lower case it does"
		}
		return ""
	}
	switch {
	case is(strings.EqualFold):
		return "only upper and lower case differ"
	case is(func(got, want string) bool { return strings.TrimSpace(got) == strings.TrimSpace(want) }):
		return "only the space around it differs"
	}
	return ""
}

func serviceRemark(t explained, got query.Value, found bool) string {
	switch {
	case !found:
		return "its resource has no service.name"
	case strings.HasPrefix(got.Str(), "unknown_service"):
		return "the SDK's own name for a resource without service.name: set that, or OTEL_SERVICE_NAME"
	}
	return t.almost(got)
}

func statusRemark(t explained, it *wire.Item, got query.Value) string {
	if got.Str() != query.StatusUnset.String() || !t.wants(query.StatusError.String()) {
		return ""
	}
	if slices.ContainsFunc(it.Span().Events, func(e query.Event) bool { return e.Name == "exception" }) {
		return "RecordError alone does not set it: call SetStatus"
	}
	return "SetStatus was not called"
}

// shortBy says by how little a duration misses.
func (t explained) shortBy(got query.Value) string {
	want, ok := t.Arg.(time.Duration)
	d, err := time.ParseDuration(got.Str())
	if !ok || err != nil {
		return ""
	}
	by, unit := want-d, "short"
	if by < 0 {
		by, unit = -by, "too long"
	}
	if by == 0 || by > want/10 {
		return ""
	}
	return fmt.Sprintf("%s %s", expr.Literal(by), unit)
}

// elsewhere says where an attribute that is missing stands instead: on the
// resource rather than on the item, or the other way round, or under a key that
// is alike.
func (t explained) elsewhere(it *wire.Item) string {
	other := t.Expr
	other.Key = expr.Resource
	if t.Key == expr.Resource {
		other.Key = expr.Attr
	}
	if v, ok := it.Field(other); ok {
		return "it has " + other.Field() + "=" + short(v.String())
	}
	var texts []string
	for _, kv := range alikes(attrsOf(it, t.Key), t.Name) {
		other := expr.Expr{Key: t.Key, Name: kv.Key}
		texts = append(texts, other.Field()+"="+short(kv.Value.String()))
	}
	if len(texts) == 0 {
		return ""
	}
	return "it has " + strings.Join(texts, ", ")
}

// attrsOf is the attributes of an item, or of its resource.
func attrsOf(it *wire.Item, key expr.Key) query.Attrs {
	s, p, l := it.Span(), it.Point(), it.Log() // two of which are zero
	if key == expr.Resource {
		return slices.Concat(s.Resource.Attrs, p.Resource.Attrs, l.Resource.Attrs)
	}
	return slices.Concat(s.Attrs, p.Attrs, l.Attrs)
}
