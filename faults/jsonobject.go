package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// field is a field of a JSON object: its name, what is wanted in it, and how
// it is read.
type field struct {
	name, want string
	read       func(json.RawMessage) error
}

// object is the fields that a JSON object has.
type object map[string]json.RawMessage

// readObject reads a JSON object that may have those fields and no others.
func readObject(b []byte, fields ...field) (object, error) {
	var o object
	if err := json.Unmarshal(b, &o); err != nil || o == nil {
		return nil, fmt.Errorf("got %s, want an object", b)
	}
	if err := o.known(fields); err != nil {
		return nil, err
	}
	for _, f := range fields {
		if err := f.from(o); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return o, nil
}

func (o object) has(name string) bool {
	_, ok := o[name]
	return ok
}

// known says which field is not one of those.
func (o object) known(fields []field) error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("got field %q, want one of %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// from reads the field where the object has it.
func (f field) from(o object) error {
	raw, ok := o[f.name]
	if !ok {
		return nil
	}
	err := f.read(raw)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) || string(raw) == "null" {
		return fmt.Errorf("got %s, want %s", raw, f.want)
	}
	return err
}

// into is a field that is read as encoding/json does.
func into(name, want string, p any) field {
	return field{name, want, func(b json.RawMessage) error { return json.Unmarshal(b, p) }}
}

// asText is a field that is a string with a meaning.
func asText[T any](name, want string, p *T, parse func(string) (T, error)) field {
	return field{name, want, func(b json.RawMessage) error {
		var s string
		err := json.Unmarshal(b, &s)
		if err == nil {
			*p, err = parse(s)
		}
		return err
	}}
}

// asDuration is a field that is a duration as Go writes it.
func asDuration(name string, d *time.Duration) field {
	const want = `a duration such as "1.5s" or "200ms"`
	return asText(name, want, d, func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil {
			return 0, fmt.Errorf("got %q, want %s", s, want)
		}
		return d, nil
	})
}
