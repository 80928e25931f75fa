package otlpjson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// listed is how many departures are listed of those that are alike.
const listed = 64

// tally counts departures that are alike.
type tally struct {
	rule  string
	field *field
	n     int
	last  int // the index of the last one that is listed
}

// depart accepts what a departure tells, unless the mode forbids it. The path
// is that of a value of f; what is said of the message that is being read, or
// of the body, has a field without a name.
func (d *decoder) depart(f *field, dep Departure) bool {
	if d.mode == Strict && !dep.Warning {
		d.err = &Error{dep.Rule, d.where(f), dep.Got, dep.Want}
		return false
	}
	i := slices.IndexFunc(d.tallies, func(t tally) bool { return t.field == f && t.rule == dep.Rule })
	if i < 0 {
		i = len(d.tallies)
		d.tallies = append(d.tallies, tally{rule: dep.Rule, field: f})
	}
	t := &d.tallies[i]
	if t.n++; t.n > listed {
		d.departures[t.last].More++
		return true
	}
	t.last = len(d.departures)
	dep.Path = d.where(f)
	d.departures = append(d.departures, dep)
	return true
}

// fail refuses the body for a value of f.
func (d *decoder) fail(f *field, got, want string) int {
	d.err = &Error{f.rule, d.where(f), got, want}
	return -1
}

// misuse refuses the body for something at f that has nothing to do with its
// type.
func (d *decoder) misuse(f *field, got, want string) int {
	d.err = &Error{syntax.rule, d.where(f), got, want}
	return -1
}

// refuse refuses the value at i.
func (d *decoder) refuse(i int, f *field) int { return d.fail(f, d.show(i), f.want) }

// unexpected refuses what stands at i, which no JSON has there.
func (d *decoder) unexpected(i int, want string) int {
	return d.fail(&syntax, d.character(i), want)
}

// badString refuses a string that is not one of JSON.
func (d *decoder) badString(bad fault) int { return d.unexpected(bad.at, bad.want) }

func (d *decoder) tooDeep() int {
	return d.fail(&syntax, "deeper nesting", fmt.Sprintf("at most %d levels", maxDepth))
}

// syntax stands for the message that is being read.
var syntax = field{rule: "S-37"}

// where is the path of a value of f. One far down is shortened.
func (d *decoder) where(f *field) string {
	const outer, inner = 12, 4 // how much of a long path is shown
	steps := d.path
	var b strings.Builder
	for i, s := range steps {
		if n := len(steps); n > outer+inner && i >= outer && i < n-inner {
			if i == outer {
				b.WriteString("....")
			}
			continue
		}
		b.WriteString(d.fields[s.field].name)
		if s.index >= 0 {
			fmt.Fprintf(&b, "[%d]", s.index)
		}
		b.WriteByte('.')
	}
	if n := len(steps); n > 0 && f.after == steps[n-1].field {
		return strings.TrimSuffix(b.String(), ".")
	}
	return strings.TrimSuffix(b.String()+f.name, ".")
}

// most is how many bytes of the JSON are shown.
const most = 40

// shorten cuts a text that is too long, and puts it on one line.
func shorten(s string) string {
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strings.Map(printable, strings.ToValidUTF8(s, "�"))
}

// show is the JSON at i, shortened and on one line.
func (d *decoder) show(i int) string {
	if i >= len(d.in) {
		return atEnd
	}
	s := string(d.in[i:min(i+most+1, len(d.in))])
	if s = s[:extent(s)]; s == "" {
		return d.character(i)
	}
	return shorten(s)
}

// extent is how much of s the value takes that it starts with, as far as it
// can be told.
func extent(s string) int {
	quoted, depth := false, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth < 0 {
				return i
			} else if depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || c <= ' '):
			return i
		}
	}
	return len(s)
}

func printable(r rune) rune {
	if strconv.IsPrint(r) {
		return r
	}
	return ' '
}

// named is a key in words.
func named[T []byte | string](key T) string {
	return "the key " + shorten(`"`+string(key[:min(most, len(key))])+`"`)
}

const atEnd = "the end of the body"

// character is the character at i and where that is.
func (d *decoder) character(i int) string {
	if i >= len(d.in) {
		return atEnd
	}
	r := []rune(string(d.in[i:min(i+4, len(d.in))]))[0]
	s := strconv.QuoteRune(r)
	if r == '�' {
		s = fmt.Sprintf("%#02x", d.in[i])
	}
	return fmt.Sprintf("%s at byte %d", s, i)
}

// showID is a string that is not the id that it should be.
func showID(s []byte) string {
	const most = len("W47/95gD")
	short := []rune(string(s[:min(most*utf8.UTFMax, len(s))]))
	end := ""
	if len(short) > most {
		short, end = short[:most], "…"
	}
	return fmt.Sprintf("%s (%d characters)", strings.Map(printable, `"`+string(short)+end+`"`), utf8.RuneCount(s))
}
