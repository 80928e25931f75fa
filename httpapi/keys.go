package httpapi

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// How much the answer of keys looks at and has.
const (
	itemsOfKeys  = 2000 // those that came last
	mostKeys     = 200
	mostValues   = 10
	longestValue = 80 // characters
)

// vocabulary is the answer of keys: those that come most often first.
type vocabulary struct {
	Keys []*usedKey `json:"keys"`
}

// usedKey is a key and its values as the grammar of package where writes them.
type usedKey struct {
	Key    string   `json:"key"`
	Count  int      `json:"count"`  // how many of the items have it
	Values []string `json:"values"` // those that come most often

	counts map[string]int
}

// keys is the endpoint for what filters can ask of the items that came last.
func (a *api) keys(r *http.Request) (any, error) {
	p, err := parse(r, "of")
	if err != nil {
		return nil, err
	}
	of, err := p.word("of", "spans", "points", "logs")
	switch of {
	case "spans":
		return usedBy(spansOf(a.srv), (*usage).span), nil
	case "points":
		return usedBy(pointsOf(a.srv), (*usage).point), nil
	case "logs":
		return usedBy(logsOf(a.srv), (*usage).log), nil
	}
	return nil, err
}

// usedBy is what the items of a kind use.
func usedBy[T any](k kind[T], take func(*usage, T)) vocabulary {
	last, _ := k.newest(question[T]{view: k.view(), window: window{limit: itemsOfKeys}}, 0)
	u := usage{byKey: map[string]*usedKey{}}
	for _, item := range last.items {
		take(&u, item)
	}
	return u.vocabulary()
}

// usage counts the keys and values of items.
type usage struct {
	keys  []*usedKey // in the order in which they were seen
	byKey map[string]*usedKey
}

func (u *usage) span(s query.Span) {
	u.text("name", s.Name)
	u.origin(s.Resource, s.Scope)
	u.word("kind", s.Kind.String())
	u.word("status", s.Status.Code.String())
	u.attributes(where.HasAttr, s.Attrs)
	u.attributes(where.HasResourceAttr, s.Resource.Attrs)
}

func (u *usage) point(p query.Point) {
	u.text("name", p.Name)
	u.origin(p.Resource, p.Scope)
	u.text("unit", p.Unit)
	u.word("type", string(p.Type))
	u.attributes(where.HasAttr, p.Attrs)
	u.attributes(where.HasResourceAttr, p.Resource.Attrs)
}

func (u *usage) log(l query.Log) {
	u.text("event", l.EventName)
	u.origin(l.Resource, l.Scope)
	if l.Severity > 0 && l.Severity < query.SeverityFatal+4 { // the grammar has no others
		u.word("severity", l.Severity.String())
	}
	u.attributes(where.HasAttr, l.Attrs)
	u.attributes(where.HasResourceAttr, l.Resource.Attrs)
}

func (u *usage) origin(r query.Resource, s query.Scope) {
	u.text("service", r.Service())
	u.text("scope", s.Name)
}

// attributes counts the first of several with the same key. Has makes a key's
// filter.
func (u *usage) attributes(has func(string) query.Filter, attrs query.Attrs) {
	for i, kv := range attrs {
		if slices.ContainsFunc(attrs[:i], func(before query.KeyValue) bool { return before.Key == kv.Key }) {
			continue
		}
		used := u.key(has(kv.Key).String())
		switch v := kv.Value; v.Kind() {
		case query.KindString, query.KindBool, query.KindInt:
			used.value(v.String())
		case query.KindFloat:
			if !math.IsNaN(v.Float()) { // which nothing equals
				used.value(v.String())
			}
		}
	}
}

// text counts a field that is a string; an empty one is not there.
func (u *usage) text(key, value string) {
	if value != "" {
		u.key(key).value(strconv.Quote(value))
	}
}

// word counts a field that is a word.
func (u *usage) word(key, value string) {
	if value != "" {
		u.key(key).value(value)
	}
}

func (u *usage) key(text string) *usedKey {
	used := u.byKey[text]
	if used == nil {
		used = &usedKey{Key: text, counts: map[string]int{}}
		u.byKey[text], u.keys = used, append(u.keys, used)
	}
	used.Count++
	return used
}

func (k *usedKey) value(text string) {
	if utf8.RuneCountInString(text) > longestValue {
		return
	}
	if k.counts[text]++; k.counts[text] == 1 {
		k.Values = append(k.Values, text)
	}
}

// vocabulary is what was counted. What comes equally often stays in the order in
// which it was seen.
func (u *usage) vocabulary() vocabulary {
	slices.SortStableFunc(u.keys, func(a, b *usedKey) int { return cmp.Compare(b.Count, a.Count) })
	v := vocabulary{u.keys[:min(mostKeys, len(u.keys)):len(u.keys)]}
	for _, k := range v.Keys {
		slices.SortStableFunc(k.Values, func(a, b string) int { return cmp.Compare(k.counts[b], k.counts[a]) })
		k.Values = append([]string{}, k.Values[:min(mostValues, len(k.Values))]...)
	}
	if v.Keys == nil {
		v.Keys = []*usedKey{}
	}
	return v
}
