package faults

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// into is a field that is read and written as encoding/json does.
func into[T comparable](name, want string, p *T) field {
	return field{
		name: name, want: want,
		read:  func(b json.RawMessage) error { return json.Unmarshal(b, p) },
		write: func() any { return *p },
		empty: *p == *new(T),
	}
}

// asText is a field that is a string with a meaning.
func asText[T comparable](name, want string, p *T, parse func(string) (T, error), text func(T) string) field {
	return field{
		name: name, want: want,
		read: func(b json.RawMessage) error {
			var s string
			err := json.Unmarshal(b, &s)
			if err == nil {
				*p, err = parse(s)
			}
			return err
		},
		write: func() any { return text(*p) },
		empty: *p == *new(T),
	}
}

// asDuration is a field that is a duration as Go writes it.
func asDuration(name string, d *time.Duration) field {
	const want = `a duration such as "1.5s" or "200ms"`
	parse := func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil {
			return 0, fmt.Errorf("got %q, want %s", s, want)
		}
		return d, nil
	}
	return asText(name, want, d, parse, time.Duration.String)
}

// asFilters is a field that is filters as text.
func asFilters(name string, p *[]query.Filter) field {
	return field{
		name: name, want: "filters as a string",
		read: func(b json.RawMessage) error {
			var s string
			err := json.Unmarshal(b, &s)
			if err == nil {
				*p, err = where.Parse(s)
			}
			return err
		},
		write: func() any { return filterText(*p) },
		empty: len(*p) == 0,
	}
}

// asNumbers is a field that is a list of whole numbers.
func asNumbers(name string, p *[]int) field {
	return field{
		name: name, want: "a list of whole numbers",
		read: func(b json.RawMessage) error {
			var ns []int
			err := json.Unmarshal(b, &ns)
			*p = append(*p, ns...) // nil for an empty list
			return err
		},
		write: func() any { return *p },
		empty: len(*p) == 0,
	}
}

// asList is a field that is a list, each of whose elements one function reads.
func asList[T any](name, want, each string, p *[]T, read func([]byte) (T, error), write func(T) any) field {
	return field{
		name: name, want: want,
		read: func(b json.RawMessage) error {
			var list []json.RawMessage
			if err := json.Unmarshal(b, &list); err != nil {
				return err
			}
			for i, raw := range list {
				v, err := read(raw)
				if err != nil {
					return fmt.Errorf("%s %d: %w", each, i+1, err)
				}
				*p = append(*p, v)
			}
			return nil
		},
		write: func() any {
			out := make([]any, len(*p))
			for i, v := range *p {
				out[i] = write(v)
			}
			return out
		},
		empty: len(*p) == 0,
	}
}

// asHeader is a field that is a list of header fields, which may need a value.
func asHeader(p *[]Field, needs ...string) field {
	read := func(b []byte) (Field, error) {
		var h Field
		o, err := readObject(b, h.fields()...)
		if err == nil {
			err = o.needs(b, needs...)
		}
		return h, err
	}
	write := func(h Field) any { return written{h.fields(), needs} }
	return asList("headers", "a list of objects with name and value", "field", p, read, write)
}

// fields is the field of a header's own.
func (h *Field) fields() []field {
	return []field{into("name", "a string", &h.Name), into("value", "a string", &h.Value)}
}

// written is an object to be written by writeObject.
type written struct {
	fields []field
	needs  []string
}

func (w written) MarshalJSON() ([]byte, error) { return writeObject(w.fields, w.needs...) }
