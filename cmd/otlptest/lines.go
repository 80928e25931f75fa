package main

import (
	"iter"
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

// clip is the first lines of a text, at most so many, and how many followed.
func clip(text string, most int) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], "… and "+plural(len(lines)-most+1, "more line"))
}
