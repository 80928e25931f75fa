package where

import (
	"fmt"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// ViaProtocol holds for exports that came by that protocol, or by one of
// several, and for the items in them.
func ViaProtocol(protocols ...query.Protocol) query.Filter {
	return oneOf(expr.Protocol, protocols)
}

// Header holds for exports whose request had a header field or metadata with
// that name, in any case, and value, and for the items in them. Where it had
// several values, one of them has to be it.
func Header[T string | Condition](name string, value T) query.Filter {
	return compare(header(name), value)
}

// HasHeader holds for exports whose request had a header field with that name,
// whatever its value, and for the items in them.
func HasHeader(name string) query.Filter {
	e := header(name)
	e.Op = expr.Exists
	return query.NewFilter(e)
}

func header(name string) expr.Expr {
	e := expr.Expr{Key: expr.Header, Name: strings.ToLower(name)}
	if err := checkHeader(name); err != nil {
		e.Err = fmt.Errorf("filter header.%q: %w", name, err)
	}
	return e
}

func checkHeader(name string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("got header field %q, want a name such as x-tenant", name)
	}
	return nil
}

// InExport holds for the export with that number, or with one that a
// [Condition] says, and for the items in it.
func InExport[T int | Condition](number T) query.Filter { return field(expr.InExport, number) }

// Since holds for what arrived after the mark: for exports that were received
// whole later, and for the items in them.
func Since(m query.Mark) query.Filter { return field(expr.Since, m) }

// Outcome holds for exports of which that became, or one of several.
func Outcome(outcomes ...query.Outcome) query.Filter { return oneOf(expr.Outcome, outcomes) }

// Attempt holds for exports that are that attempt of their batch, 1 for the
// first time that a client sends it (query.Batch says what that is); or that a
// [Condition] says: Attempt(MoreThan(1)) is every retry.
func Attempt[T int | Condition](number T) query.Filter { return field(expr.Attempt, number) }
