package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// field is a field of a JSON object: its name, what is wanted in it, how it is
// read, what is written, and whether that says nothing and can be left away.
type field struct {
	name, want string
	read       func(json.RawMessage) error
	write      func() any
	empty      bool
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

// needs says which of the fields are missing from the object, which b is the
// text of. Of those with | between them one is enough.
func (o object) needs(b []byte, names ...string) error {
	for _, name := range names {
		some := strings.Split(name, "|")
		if !slices.ContainsFunc(some, o.has) {
			return fmt.Errorf(`%s has no field "%s"`, b, strings.Join(some, `" or "`))
		}
	}
	return nil
}

// missing is the fields that are needed and say nothing: of those with |
// between them the first, where none says something.
func missing(fields []field, needs []string) (names []string) {
	for _, need := range needs {
		some := strings.Split(need, "|")
		if !slices.ContainsFunc(fields, func(f field) bool { return !f.empty && slices.Contains(some, f.name) }) {
			names = append(names, some[0])
		}
	}
	return names
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

// writeObject writes the fields that say something, and those that the object
// needs.
func writeObject(fields []field, needs ...string) ([]byte, error) {
	forced := missing(fields, needs)
	var b bytes.Buffer
	for _, f := range fields {
		if f.empty && !slices.Contains(forced, f.name) {
			continue
		}
		value, err := json.Marshal(f.write())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		fmt.Fprintf(&b, ",%q:%s", f.name, value)
	}
	if b.Len() == 0 {
		return []byte("{}"), nil
	}
	b.Bytes()[0] = '{'
	b.WriteByte('}')
	return b.Bytes(), nil
}
