package where

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// domain is the values that a field can be compared with.
type domain struct {
	of      func(any) (any, error)    // what a Go value is in a filter's tree
	read    func(string) (any, error) // likewise a bare word
	quoted  func(string) error        // why a string cannot be; nil where no string can
	example string                    // as the grammar writes it
}

var (
	texts  = textDomain("charge", func(string) error { return nil })
	values = domain{of: scalar, read: number, quoted: func(string) error { return nil }, example: `"charge"`}
	traces = identity("trace", "0af7651916cd43dd8448eb211c80319c", query.ParseTraceID)
	counts = domain{of: count, read: readCount, example: "2"}
)

var domains = map[expr.Key]domain{
	expr.Name:     texts,
	expr.Service:  texts,
	expr.Scope:    texts,
	expr.HasEvent: texts,
	expr.Unit:     texts,
	expr.Event:    texts,
	expr.Header:   texts,

	expr.Attr:     values,
	expr.Resource: values,
	expr.Body:     values,

	expr.TraceID: traces,
	expr.HasLink: traces,
	expr.SpanID:  identity("span", "b7ad6b7169203331", query.ParseSpanID),

	expr.Spans:    counts,
	expr.InExport: counts,
	expr.Attempt:  counts,

	expr.Kind:        numbered("client", query.ParseSpanKind),
	expr.Status:      numbered("error", query.ParseStatusCode),
	expr.Temporality: numbered("delta", query.ParseTemporality),
	expr.Type: words("metric type", "gauge", map[string]query.MetricType{
		"gauge": query.Gauge, "sum": query.Sum, "histogram": query.HistogramType,
		"exponential_histogram": query.ExponentialType, "summary": query.SummaryType,
	}),
	expr.Protocol: words("protocol", "grpc", map[string]query.Protocol{
		"grpc": query.GRPC, "http/protobuf": query.HTTPProtobuf, "http/json": query.HTTPJSON,
	}),
	expr.Outcome: words("outcome", "refused", map[string]query.Outcome{
		"open": query.Open, "accepted": query.Accepted, "partial": query.Partial, "refused": query.Refused,
		"malformed": query.Malformed, "abandoned": query.Abandoned, "cut": query.Cut,
	}),

	expr.Severity: {of: severity, read: readSeverity, example: "error"},
	expr.Duration: {of: duration, read: readDuration, example: "1s"},
	expr.During:   {of: window, read: readWindow, example: "2026-01-02T15:04:05Z/2026-01-02T15:05:00Z"},
	expr.Since:    {of: mark, read: readMark, example: "12"},
	expr.Rule:     textDomain("S-40", checkRule),
}

// textDomain is strings that pass a check.
func textDomain(example string, check func(string) error) domain {
	of := func(v any) (any, error) {
		if s, ok := v.(string); ok {
			return s, check(s)
		}
		return nil, fmt.Errorf("got a value of type %T, want a string", v)
	}
	return domain{of: of, quoted: check, example: strconv.Quote(example)}
}

// numbered is an enumeration of the protocol, whose unknown numbers have a text
// too.
func numbered[T interface {
	~int32
	fmt.Stringer
}](example string, parse func(string) (T, error)) domain {
	label := func(v T) any { return expr.Label{Value: int64(v), Text: v.String()} }
	of := func(v any) (any, error) {
		if t, ok := v.(T); ok {
			return label(t), nil
		}
		return nil, fmt.Errorf("got a value of type %T, want a %T", v, *new(T))
	}
	read := func(word string) (any, error) {
		v, err := parse(word)
		return label(v), err
	}
	return domain{of: of, read: read, example: example}
}

// words is an enumeration of strings, each with its word in the grammar.
func words[T ~string](what, example string, all map[string]T) domain {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	read := func(word string) (any, error) {
		if v, ok := all[word]; ok {
			return expr.Label{Value: string(v), Text: word}, nil
		}
		return nil, fmt.Errorf("got %s %q, want one of %s", what, word, strings.Join(names, ", "))
	}
	of := func(v any) (any, error) {
		t, ok := v.(T)
		if !ok {
			return nil, fmt.Errorf("got a value of type %T, want a %T", v, t)
		}
		for word, known := range all {
			if known == t {
				return read(word)
			}
		}
		return read(string(t))
	}
	return domain{of: of, read: read, example: example}
}

// scalar is a string, a bool or a number.
func scalar(value any) (any, error) {
	v, err := query.ValueOf(value)
	if err == nil {
		switch v.Kind() {
		case query.KindString, query.KindBool, query.KindInt, query.KindFloat:
			return v.Any(), nil
		}
	}
	return nil, fmt.Errorf("got a value of type %T, want a string, a bool, an integer that fits an int64, or a float", value)
}

// identity is ids, of which the zero one is none.
func identity[T interface {
	comparable
	fmt.Stringer
}](what, example string, parse func(string) (T, error)) domain {
	valid := func(id T) (any, error) {
		if id == *new(T) {
			return nil, zeroID(what)
		}
		return expr.Label{Value: id.String(), Text: id.String()}, nil
	}
	of := func(v any) (any, error) {
		if id, ok := v.(T); ok {
			return valid(id)
		}
		return nil, fmt.Errorf("got a value of type %T, want a %T", v, *new(T))
	}
	read := func(word string) (any, error) {
		id, err := parse(word)
		if err != nil {
			return nil, err
		}
		return valid(id)
	}
	return domain{of: of, read: read, example: example}
}

func zeroID(what string) error { return fmt.Errorf("got the zero %s id, want a valid one", what) }

// count is a number that counts from 1.
func count(v any) (any, error) {
	n, err := scalar(v)
	if i, ok := n.(int64); err == nil && ok {
		if i < 1 {
			return nil, fmt.Errorf("got %d, want 1 or more", i)
		}
		return i, nil
	}
	return nil, fmt.Errorf("got a value of type %T, want an integer", v)
}

func readCount(word string) (any, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("got %q, want a whole number", word)
	}
	return count(n)
}

func duration(v any) (any, error) {
	if d, ok := v.(time.Duration); ok {
		return d, nil
	}
	return nil, fmt.Errorf("got a value of type %T, want a time.Duration", v)
}

func readDuration(word string) (any, error) {
	d, err := time.ParseDuration(word)
	if err != nil {
		return nil, fmt.Errorf("got %q, want a duration such as 1.5s or 200ms", word)
	}
	return d, nil
}

func mark(v any) (any, error) {
	m, ok := v.(query.Mark)
	if !ok {
		return nil, fmt.Errorf("got a value of type %T, want a query.Mark", v)
	}
	n, err := strconv.ParseInt(m.String(), 10, 64)
	return expr.Label{Value: n, Text: m.String()}, err
}

func readMark(word string) (any, error) {
	var m query.Mark
	if err := m.UnmarshalText([]byte(word)); err != nil {
		return nil, err
	}
	return mark(m)
}
