package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/encoding/protowire"
)

// ErrMalformed is in the chain of every error of [Validate].
var ErrMalformed = errors.New("malformed protobuf")

// malformed says which rule of the encoding is broken, and where.
type malformed struct {
	path []string // from the inside out; empty for the body itself
	rule string
}

func (m *malformed) Unwrap() error { return ErrMalformed }

// Error is the path and the rule, such as
// "resource_spans[0].scope_spans[1].spans[3].name: invalid UTF-8".
func (m *malformed) Error() string {
	const inner, outer = 4, 12 // how much of a long path is shown
	path := slices.Clone(m.path)
	if len(path) == 0 {
		return m.rule
	}
	if n := len(path); n > inner+outer+1 {
		path = slices.Replace(path, inner, n-outer, "...")
	}
	slices.Reverse(path)
	return strings.Join(path, ".") + ": " + m.rule
}

// Place is where in a body an error of [Validate] is, such as
// "resource_spans[0].resource"; it is empty for the body itself.
func Place(err error) string {
	var m *malformed
	if !errors.As(err, &m) || len(m.path) == 0 {
		return ""
	}
	place, _ := strings.CutSuffix(m.Error(), ": "+m.rule)
	return place
}

func noSignal(sig query.Signal) error {
	return &malformed{rule: fmt.Sprintf("got signal %q, want traces, metrics or logs", sig)}
}

// explain says what is wrong with a body that walk refused. It takes its
// time.
func (t *table) explain(b []byte) error {
	if m := t.fault(b, maxDepth); m != nil {
		return m
	}
	return ErrMalformed
}

// fault finds the first fault in a message that may nest to a depth.
func (t *table) fault(b []byte, depth int) *malformed {
	if depth == 0 {
		return &malformed{rule: fmt.Sprintf("nested deeper than %d messages", maxDepth)}
	}
	seen := map[uint64]int{}
	for len(b) > 0 {
		tag, n, rule := readVarint(b)
		num := tag >> 3
		if rule == "" && (num < 1 || num > uint64(protowire.MaxValidNumber)) {
			rule = fmt.Sprintf("field number %d out of range", num)
		}
		if rule != "" {
			return &malformed{rule: rule}
		}
		f, in := t.field(num)
		v, size, rule := readValue(b[n:], num, tag&7)
		var m *malformed
		switch {
		case rule != "":
		case tag&7 != bytesType:
		case f.check == aMessage:
			m = f.sub.fault(v, depth-1)
		default:
			rule = f.check.broken(v)
		}
		if rule != "" {
			m = &malformed{rule: rule}
		}
		if m != nil {
			m.path = append(m.path, in.element(num, seen[num]))
			return m
		}
		seen[num]++
		b = b[n+size:]
	}
	return nil
}

// element names the field in a path, of a list the i-th of it.
func (in info) element(num uint64, i int) string {
	switch {
	case in.name == "":
		return fmt.Sprintf("field(%d)", num)
	case in.list:
		return fmt.Sprintf("%s[%d]", in.name, i)
	}
	return in.name
}

// broken says which rule the value of a length-delimited field breaks.
func (c check) broken(v []byte) string {
	switch c {
	case aString:
		if !utf8.Valid(v) {
			return "invalid UTF-8"
		}
	case packedVarint:
		for len(v) > 0 {
			_, n, rule := readVarint(v)
			if rule != "" {
				return rule
			}
			v = v[n:]
		}
	case packed32, packed64:
		if !c.holds(v) {
			return truncated
		}
	}
	return ""
}

const truncated = "truncated"

func readVarint(b []byte) (v uint64, n int, rule string) {
	v, n = binary.Uvarint(b)
	switch {
	case n == 0:
		return 0, 0, truncated
	case n < 0:
		return 0, 0, "varint of more than 64 bits"
	}
	return v, n, ""
}

// readValue reads a field's value, and gives the length of what was read. The
// value itself is only of interest for a length-delimited field.
func readValue(b []byte, num, typ uint64) (v []byte, n int, rule string) {
	switch typ {
	case varintType:
		_, n, rule = readVarint(b)
		return nil, n, rule
	case fixed64Type:
		n = 8
	case fixed32Type:
		n = 4
	case bytesType:
		size, head, rule := readVarint(b)
		if rule != "" {
			return nil, 0, rule
		}
		if size > uint64(len(b)-head) {
			return nil, 0, truncated
		}
		n = head + int(size)
		return b[head:n], n, ""
	case groupType:
		n = protowire.ConsumeFieldValue(protowire.Number(num), protowire.StartGroupType, b)
		if n < 0 {
			return nil, 0, "malformed group"
		}
	case uint64(protowire.EndGroupType):
		return nil, 0, "end of a group that did not start"
	default:
		return nil, 0, fmt.Sprintf("wire type %d does not exist", typ)
	}
	if n > len(b) {
		return nil, 0, truncated
	}
	return nil, n, ""
}
