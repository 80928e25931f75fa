package store

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/otlptest/otlptest/query"
)

// margin is what stands to the left of every text: two spaces, a label, and one
// space.
const margin = 11

// flow sets texts side by side with a separator between them, behind a label,
// in lines that stay within maxColumns. A text that is longer than a line is
// broken at its spaces. All lines but the first are indented by hang.
func flow(label string, texts []string, separator string, hang int) string {
	var done []string
	current, broken := "", false
	room := maxColumns - margin
	push := func() {
		done = append(done, current)
		current, broken, room = "", false, maxColumns-margin-hang
	}
	for i, t := range texts {
		if i > 0 && !broken && columns(current)+columns(separator)+columns(t) <= room {
			current += separator + t
			continue
		}
		if i > 0 {
			push()
		}
		for columns(t) > room {
			head, tail := breakAt(t, room)
			if tail == "" {
				break
			}
			current, t = head, "  "+tail
			push()
			broken = true
		}
		current = t
	}
	push()
	return set(label, done, hang)
}

// set writes lines behind a label.
func set(label string, lines []string, hang int) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			label, l = "", strings.Repeat(" ", hang)+l
		}
		fmt.Fprintf(&b, "  %-8s %s\n", label, l)
	}
	return b.String()
}

func columns(s string) int { return utf8.RuneCountInString(s) }

// breakAt cuts a text at its last space within some columns, or else at the
// first one behind. The tail is empty where there is none.
func breakAt(s string, columns int) (head, tail string) {
	at, column := -1, 0
	for i, r := range s {
		if r == ' ' && strings.TrimSpace(s[:i]) != "" && (column <= columns || at < 0) {
			at = i
		}
		column++
	}
	if at < 0 {
		return s, ""
	}
	return strings.TrimRight(s[:at], " "), strings.TrimLeft(s[at:], " ")
}

// listed is texts that each begin on a line of their own, the first most of
// them.
func listed(label string, texts []string, most int) (lines string) {
	for i, t := range texts {
		if i == most {
			return lines + fmt.Sprintf("  %-8s … and %d more\n", "", len(texts)-most)
		}
		lines += flow(label, []string{t}, "", 0)
		label = ""
	}
	return lines
}

// bare writes a string without quotes where that is unambiguous.
func bare(v query.Value) string {
	s := v.Str()
	if s == "" {
		return `""`
	}
	if len(s) > maxValue || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '"' || r > '~' }) {
		return short(v.String())
	}
	return s
}

// short cuts a text that is too long for a line.
func short(s string) string {
	if len(s) <= maxValue {
		return s
	}
	cut := maxValue
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut-- // not within a character
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:cut], len(s))
}
