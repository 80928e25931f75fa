package query

import (
	"errors"
	"fmt"
)

// Check is nil if the trace has the shape: one span stands at its top, which is
// a root, and it and all that is below it are as the shape says. Duplicates
// and [Trace.Skew] do not matter. The error shows both trees side by side, with
// the lines marked that differ, and says in words how.
func (s SpanShape) Check(t Trace) error {
	if err := s.Err(); err != nil {
		return err
	}
	m := newShapeMatch(t)
	if m.tops(&s).whole() {
		return nil
	}
	return errors.New(m.explain(&s))
}

// Fits says whether the trace has the shape. It is false for a shape with an
// error ([SpanShape.Err]).
func (s SpanShape) Fits(t Trace) bool {
	return s.Err() == nil && newShapeMatch(t).tops(&s).whole()
}

// CheckAny is nil if one of the traces has the shape, and otherwise what
// [SpanShape.Check] says of the one that comes closest. It is an error, too, if
// there is no trace ([ErrNothingToCheck]).
func (s SpanShape) CheckAny(traces []Trace) error {
	if len(traces) == 0 {
		return fmt.Errorf("shape %s: %w: there is no trace", s, ErrNothingToCheck)
	}
	if err := s.Err(); err != nil {
		return err
	}
	closest, least := traces[0], -1
	for _, t := range traces {
		m := newShapeMatch(t)
		if cost := m.tops(&s).cost; least < 0 || cost < least {
			closest, least = t, cost
		}
		if least == 0 {
			break
		}
	}
	err := s.Check(closest)
	if err == nil || len(traces) == 1 {
		return err
	}
	return fmt.Errorf("none of %s has the shape; the closest:\n%w", plural(len(traces), "trace"), err)
}
