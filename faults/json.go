package faults

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// MarshalJSON writes an object; see JSON at the top of this package. A filter
// that text cannot hold, as a where.Func, is an error.
func (r Rule) MarshalJSON() ([]byte, error) {
	if err := r.checkFilters(); err != nil {
		return nil, err
	}
	if err := writable(r.Filters); err != nil {
		return nil, err
	}
	return writeObject(r.json(), "faults")
}

// writable says which filter is not one that text can hold.
func writable(filters []query.Filter) error {
	for _, e := range query.Exprs(filters) {
		if f, ok := function(e); ok {
			return fmt.Errorf("filter %s is a function, which JSON cannot hold", f)
		}
	}
	return nil
}

// function finds a Func in a filter.
func function(e expr.Expr) (expr.Expr, bool) {
	if e.Op == expr.Func {
		return e, true
	}
	for _, s := range e.Sub {
		if f, ok := function(s); ok {
			return f, true
		}
	}
	return expr.Expr{}, false
}

// UnmarshalJSON reads what MarshalJSON writes. A field that is unknown and a
// rule that cannot work ([Rule.Check]) are errors.
func (r *Rule) UnmarshalJSON(b []byte) error {
	read, err := readRule(b)
	if err != nil {
		return fmt.Errorf("rule: %w", err)
	}
	*r = read
	return nil
}

func readRule(b []byte) (Rule, error) {
	var r Rule
	o, err := readObject(b, r.json()...)
	if err != nil {
		return Rule{}, err
	}
	if o.has("chance") && !o.has("always") {
		r.Forever = true
	}
	return r, r.Check()
}

// json is every field, in the order in which they are written.
func (r *Rule) json() []field {
	return []field{
		asList("faults", "a list of faults", "fault", &r.Faults, readFault, func(f Fault) any { return f }),
		into("always", "true or false", &r.Forever),
		into("times", "a whole number", &r.Repeat),
		into("perBatch", "true or false", &r.EachBatch),
		r.jsonChance(),
		into("seed", "a whole number of 0 or more", &r.Seed),
		into("signal", `"traces", "metrics" or "logs"`, &r.Signal),
		into("protocol", `"grpc", "http/protobuf" or "http/json"`, &r.Protocol),
		asHeader(&r.Headers, "name"),
		asNumbers("connections", &r.Connections),
		asNumbers("attempts", &r.Attempts),
		asNumbers("requests", &r.Requests),
		asDuration("from", &r.From),
		asDuration("until", &r.Until),
		asFilters("where", &r.Filters),
	}
}

// jsonChance is a share, of which 0 is none.
func (r *Rule) jsonChance() field {
	c := into("chance", "a number of more than 0, up to 1", &r.Chance)
	read := c.read
	c.read = func(b json.RawMessage) error {
		err := read(b)
		if err == nil && r.Chance == 0 {
			err = errors.New("got 0, want " + c.want)
		}
		return err
	}
	return c
}
