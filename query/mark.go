package query

import (
	"fmt"
	"strconv"
)

// Mark is a point in what a server received: between two exports. Marks can be
// compared with ==; the zero Mark is before everything. A server makes them,
// and where.Since takes them, so that subtests which share a server see only
// what came since they began.
type Mark struct{ exports uint64 }

// NewMark is for sources: the mark after so many exports, which are counted
// from the start, whatever was reset meanwhile.
func NewMark(exports uint64) Mark { return Mark{exports} }

// Before says whether the mark is before another.
func (m Mark) Before(n Mark) bool { return m.exports < n.exports }

// String is the mark as the grammar of package where has it: a number.
func (m Mark) String() string { return strconv.FormatUint(m.exports, 10) }

// MarshalText writes [Mark.String].
func (m Mark) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (m *Mark) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(string(b), 10, 63)
	if err != nil {
		return fmt.Errorf("got mark %q, want a number of 0 or more", b)
	}
	*m = Mark{n}
	return nil
}
