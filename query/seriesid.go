package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// seriesKey is the same for points of the same series only. It sorts by name
// first.
func seriesKey(p Point) string {
	var b []byte
	b = strconv.AppendQuote(b, p.Name)
	b = appendSorted(b, p.Attrs)
	b = appendSorted(b, p.Resource.Attrs)
	b = strconv.AppendQuote(b, p.Scope.Name)
	b = strconv.AppendQuote(b, p.Scope.Version)
	b = appendSorted(b, p.Scope.Attrs)
	b = strconv.AppendQuote(b, p.Unit)
	b = strconv.AppendQuote(b, string(p.Type))
	b = strconv.AppendInt(b, int64(p.Temporality), 10)
	b = strconv.AppendBool(b, p.Monotonic)
	return string(b)
}

// appendSorted writes attributes whose order does not matter.
func appendSorted(b []byte, attrs Attrs) []byte {
	parts := make([]string, len(attrs))
	for i, kv := range attrs {
		parts[i] = string(appendValue(strconv.AppendQuote(nil, kv.Key), kv.Value))
	}
	slices.Sort(parts)
	b = append(b, '{')
	for _, p := range parts {
		b = append(append(b, p...), ' ')
	}
	return append(b, '}')
}

// appendValue writes a value in a form that no other has.
func appendValue(b []byte, v Value) []byte {
	if v.kind != KindArray && v.kind != KindMap {
		return append(append(b, '='), v.String()...)
	}
	b = append(b, '=', '0'+byte(v.kind), '[')
	for _, kv := range v.list {
		b = append(appendValue(strconv.AppendQuote(b, kv.Key), kv.Value), ' ')
	}
	return append(b, ']')
}

// sameAttrs says whether two lists have the same attributes in some order.
func sameAttrs(a, b Attrs) bool {
	return string(appendSorted(nil, a)) == string(appendSorted(nil, b))
}

// term is one thing that tells a series from another.
type term struct{ key, value string }

// terms is everything that does.
func (s Series) terms() []term {
	list := []term{{"name", strconv.Quote(s.Name)}}
	for _, kv := range s.Attrs {
		list = append(list, term{"attr." + kv.Key, kv.Value.String()})
	}
	for _, kv := range s.Resource.Attrs {
		list = append(list, term{"resource." + kv.Key, kv.Value.String()})
	}
	list = append(list, term{"scope", strconv.Quote(s.Scope.Name)}, term{"scope version", strconv.Quote(s.Scope.Version)})
	for _, kv := range s.Scope.Attrs {
		list = append(list, term{"scope attribute " + kv.Key, kv.Value.String()})
	}
	return append(list, term{"unit", strconv.Quote(s.Unit)}, term{"type", string(s.Type)},
		term{"temporality", s.Temporality.String()}, term{"monotonic", strconv.FormatBool(s.Monotonic)})
}

// distinguish is a line for each of the first few series, with its name and
// the terms that not all of them have.
func distinguish(list []Series) string {
	const most = 8
	in := map[term]int{}
	for _, s := range list {
		for t := range distinct(s.terms()) {
			in[t]++
		}
	}
	var b strings.Builder
	for i, s := range list {
		if i == most {
			fmt.Fprintf(&b, "  … and %d more\n", len(list)-most)
			break
		}
		fmt.Fprintf(&b, "  %q", s.Name)
		for _, t := range s.terms() {
			if in[t] < len(list) && t.key != "name" {
				fmt.Fprintf(&b, "  %s=%s", t.key, t.value)
			}
		}
		fmt.Fprintf(&b, "  %s\n", plural(len(s.Points), "point"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func distinct(list []term) map[term]bool {
	m := make(map[term]bool, len(list))
	for _, t := range list {
		m[t] = true
	}
	return m
}
