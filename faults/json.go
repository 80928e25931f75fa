package faults

import (
	"encoding/json"
	"fmt"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// MarshalJSON writes an object; see JSON at the top of this package. A filter
// that text cannot hold, as a where.Func, is an error.
func (r Rule) MarshalJSON() ([]byte, error) {
	if err := r.checkFilters(); err != nil {
		return nil, err
	}
	for _, e := range query.Exprs(r.Filters) {
		if f, ok := function(e); ok {
			return nil, fmt.Errorf("filter %s is a function, which JSON cannot hold", f)
		}
	}
	return json.Marshal(struct {
		Faults   []Fault        `json:"faults"`
		Always   bool           `json:"always,omitempty"`
		Times    int            `json:"times,omitempty"`
		Signal   query.Signal   `json:"signal,omitempty"`
		Protocol query.Protocol `json:"protocol,omitempty"`
		Where    string         `json:"where,omitempty"`
	}{r.Faults, r.Forever, r.Repeat, r.Signal, r.Protocol, filterText(r.Filters)})
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
	_, err := readObject(b,
		field{"faults", "a list of faults", r.readFaults},
		into("always", "true or false", &r.Forever),
		into("times", "a whole number", &r.Repeat),
		into("signal", `"traces", "metrics" or "logs"`, &r.Signal),
		into("protocol", `"grpc", "http/protobuf" or "http/json"`, &r.Protocol),
		asText("where", "filters as a string", &r.Filters, where.Parse),
	)
	if err != nil {
		return Rule{}, err
	}
	return r, r.Check()
}

func (r *Rule) readFaults(b json.RawMessage) error {
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	for i, raw := range list {
		f, err := readFault(raw)
		if err != nil {
			return fmt.Errorf("fault %d: %w", i+1, err)
		}
		r.Faults = append(r.Faults, f)
	}
	return nil
}
