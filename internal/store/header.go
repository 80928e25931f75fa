package store

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/otlptest/otlptest/query"
)

// header is a query.Header in little memory: a client says nearly the same in
// each request.
type header struct {
	like query.Header // shared, and never changed
	own  []headerField
}

// headerField is a field that differs from the shared one; nil values stand for
// one that is not there.
type headerField struct {
	name   string
	values []string
}

// full is the header as it was received. It is read-only.
func (h header) full() query.Header {
	if len(h.own) == 0 {
		return h.like
	}
	full := maps.Clone(h.like)
	for _, f := range h.own {
		if f.values == nil {
			delete(full, f.name)
		} else {
			full[f.name] = f.values
		}
	}
	return full
}

// heads is what the heads of recent requests had in common. It is safe for
// concurrent use.
type heads struct {
	mu     sync.Mutex
	recent []query.Header // the last one used is the first
	texts  map[string]string
}

// compact makes a header small. It shares no memory with h.
func (s *heads) compact(h query.Header) header {
	const most = 16
	if h == nil {
		return header{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, like := range s.recent {
		if own, ok := difference(h, like); ok {
			copy(s.recent[1:], s.recent[:i])
			s.recent[0] = like
			return header{like, own}
		}
	}
	like := make(query.Header, len(h))
	for name, values := range h {
		like[strings.Clone(name)] = clone(values)
	}
	s.recent = slices.Insert(s.recent, 0, like)
	s.recent = s.recent[:min(most, len(s.recent))]
	return header{like: like}
}

// difference is in which fields h differs from like, if those are few.
func difference(h, like query.Header) (own []headerField, ok bool) {
	const most = 3
	var changed [most]headerField // with names of like where it has them, and values of h
	n, there := 0, 0
	for name, old := range like {
		values, known := h[name]
		if known {
			there++
		}
		if known && slices.Equal(values, old) {
			continue
		}
		if n == most {
			return nil, false
		}
		changed[n] = headerField{name, values}
		n++
	}
	if n+len(h)-there > most {
		return nil, false
	}
	if there < len(h) {
		for name, values := range h {
			if _, known := like[name]; !known {
				changed[n] = headerField{strings.Clone(name), values}
				n++
			}
		}
	}
	if n == 0 {
		return nil, true
	}
	own = slices.Clone(changed[:n])
	for i, f := range own {
		if f.values != nil {
			own[i].values = clone(f.values)
		}
	}
	return own, true
}

// clone is the values in memory of their own: those of a request may lie side
// by side with others.
func clone(values []string) []string {
	own := make([]string, len(values))
	for i, v := range values {
		own[i] = strings.Clone(v)
	}
	return own
}

// intern is an equal string, the same one for all that are equal.
func (s *heads) intern(text string) string {
	const most = 1000
	if text == "" {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.texts[text]; ok {
		return known
	}
	if s.texts == nil || len(s.texts) == most {
		s.texts = map[string]string{}
	}
	text = strings.Clone(text)
	s.texts[text] = text
	return text
}
