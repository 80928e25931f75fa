package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// The widths that the demo is laid out for. What is not a terminal gets the
// widest.
const (
	minWidth = 80
	maxWidth = 100
)

// paper is what the demo prints on.
type paper struct {
	io.Writer
	width int
	color bool
}

// newPaper finds out what w is: colours are for terminals on which NO_COLOR
// (no-color.org) is not set.
func newPaper(w io.Writer) paper {
	p := paper{Writer: w, width: maxWidth}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return p
	}
	p.color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		p.width = min(max(width, minWidth), maxWidth)
	}
	return p
}

// ink is how a text looks on a terminal: the parameters of an SGR sequence.
type ink string

const (
	plain  ink = ""
	bold   ink = "1"
	dim    ink = "2"
	red    ink = "31"
	green  ink = "32"
	yellow ink = "33"
)

// services have a colour each, so that the eye can follow them.
var serviceInks = map[string]ink{"web": "36", "checkout": "34", "payment": "35"}

func (p paper) paint(c ink, s string) string {
	if !p.color || c == plain || s == "" {
		return s
	}
	return "\x1b[" + string(c) + "m" + s + "\x1b[0m"
}

// service is a service's name in its colour, in a column.
func (p paper) service(name string) string {
	return p.paint(serviceInks[name], left(name, serviceColumn))
}

// serviceColumn is the width of the column of services.
const serviceColumn = 10

// line prints a line, without spaces at its end.
func (p paper) line(parts ...string) {
	fmt.Fprintln(p, strings.TrimRight(strings.Join(parts, ""), " "))
}

// heading prints a ruled line that says what comes.
func (p paper) heading(name, about string) {
	text := p.paint(bold, name)
	rule := p.width - 4 - utf8.RuneCountInString(name)
	if about != "" {
		text += "  " + about
		rule -= 2 + utf8.RuneCountInString(about)
	}
	p.line()
	p.line(p.paint(dim, "── "), text, " ", p.paint(dim, strings.Repeat("─", max(rule, 0))))
}

// left and right set a text in a column of n characters, cut where it is
// longer.
func left(s string, n int) string {
	s = cut(s, n)
	return s + strings.Repeat(" ", n-utf8.RuneCountInString(s))
}

func right(s string, n int) string {
	s = cut(s, n)
	return strings.Repeat(" ", n-utf8.RuneCountInString(s)) + s
}

// cut shortens a text to n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:max(n-1, 0)]) + "…"
}

// wrap breaks a text at spaces into lines of at most n characters.
func wrap(s string, n int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= n:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
