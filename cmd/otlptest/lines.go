package main

import (
	"iter"
	"slices"
	"strings"
)

// numberedLines ranges over the lines of a text, counted from 1, that say
// something: all but empty ones and those that begin with #.
func numberedLines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range strings.Lines(text) {
			n++
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if !yield(n, line) {
				return
			}
		}
	}
}

// clip is at most so many lines of a text: the first, how many are left out, and
// of the last as many as tail.
func clip(text string, most, tail int) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) <= most {
		return lines
	}
	head, end := most-1-tail, len(lines)-tail
	return slices.Concat(lines[:head], []string{"… and " + plural(end-head, "more line")}, lines[end:])
}
