package expr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// signs is how the comparisons are written.
var signs = map[Op]string{
	Equal: "=", OneOf: "=", Matches: "~", Contains: "*=", Less: "<", AtMost: "<=", AtLeast: ">=", More: ">",
}

// Sign is how a comparison is written, and empty for what is none.
func (o Op) Sign() string { return signs[o] }

// Signs is how the comparisons that a field takes are written, each once.
func (k Key) Signs() (list []string) {
	for _, o := range k.Takes() {
		if s := o.Sign(); s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// Field is the term's left side as the grammar writes it, like attr.http.route.
func (e Expr) Field() string {
	if !e.Key.HasName() {
		return string(e.Key)
	}
	return string(e.Key) + "." + quoteKey(e.Name)
}

// String writes the filter in the grammar of package where. A Func is written
// as func("its description"), which cannot be parsed back.
func (e Expr) String() string {
	switch e.Op {
	case Not:
		if len(e.Sub) == 1 {
			return "not " + e.Sub[0].String()
		}
	case Any:
		return "(" + Join(e.Sub, " or ") + ")"
	case Child:
		return "child(" + Join(e.Sub, " ") + ")"
	case Descendant:
		return "descendant(" + Join(e.Sub, " ") + ")"
	case Func:
		return "func(" + strconv.Quote(e.Desc) + ")"
	case Exists:
		return e.Field()
	}
	return e.Field() + e.Op.Sign() + Literal(e.Arg)
}

// Join writes several filters with a separator between them.
func Join(es []Expr, sep string) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = e.String()
	}
	return strings.Join(parts, sep)
}

// Literal writes a value as the grammar does: quoted is a string, bare is a
// number, a bool, a duration or an enumeration's value, and a list is in
// parentheses.
func Literal(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if strings.Trim(s, "-0123456789") == "" {
			s += ".0" // stays a float when it is read again
		}
		return s
	case time.Duration:
		return strings.Replace(v.String(), "µ", "u", 1) // in characters of bare words
	case Label:
		return v.Text
	case []any:
		return "(" + literals(v, ",") + ")"
	}
	return fmt.Sprint(v)
}

func literals(list []any, sep string) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = Literal(v)
	}
	return strings.Join(texts, sep)
}

// Want is what a comparison wants of the field, in words.
func (e Expr) Want() string {
	arg := Literal(e.Arg)
	switch e.Op {
	case Matches:
		return "a match of " + arg
	case Contains:
		return "one that contains " + arg
	case OneOf:
		if list, ok := e.Arg.([]any); ok {
			return "one of " + literals(list, ", ")
		}
	case Less:
		return "less than " + arg
	case More:
		return "more than " + arg
	case AtMost:
		if _, ok := e.Arg.(time.Duration); ok {
			return "at most " + arg
		}
		return arg + " or less"
	case AtLeast:
		if _, ok := e.Arg.(time.Duration); ok {
			return "at least " + arg
		}
		return arg + " or more"
	}
	return arg
}

// quoteKey leaves an attribute's key bare where the grammar can read it back.
func quoteKey(k string) string {
	for _, r := range k {
		if !BareRune(r) {
			return strconv.Quote(k)
		}
	}
	if k == "" {
		return `""`
	}
	return k
}

// BareRune says whether a rune can stand in a bare word of the grammar.
func BareRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-+/:@$", r)
}
