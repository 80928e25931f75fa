package faults

import (
	"strconv"
	"strings"
	"time"
)

// modifier is a word that can follow a fault, and how it is written: the texts
// behind it, one for each time that it stands there. The parser reads it.
type modifier struct {
	word  string
	many  bool // it may be there several times
	write func(Fault) []string
}

// modifiers is every one, in the order in which they are written.
var modifiers = []modifier{
	{word: "retry", write: func(f Fault) []string { return when(f.Retry, " "+f.RetryDelay.String()) }},
	{word: "dated", write: func(f Fault) []string { return when(f.Dated, "") }},
	{word: "with", many: true, write: Fault.with},
	{word: "detail", many: true, write: Fault.detail},
	{word: "unread", write: func(f Fault) []string { return when(f.Unread, "") }},
	{word: "read-after", write: func(f Fault) []string { return whenTime(f.ReadDelay) }},
	{word: "read-rate", write: func(f Fault) []string { return when(f.ReadRate != 0, " "+strconv.FormatInt(f.ReadRate, 10)) }},
	{word: "after", write: func(f Fault) []string { return whenTime(f.Delay) }},
	{word: "headers-first", write: func(f Fault) []string { return when(f.HeadersFirst, "") }},
	{word: "closing", write: func(f Fault) []string { return when(f.Closing, "") }},
	{word: "stored", write: func(f Fault) []string { return when(f.Keep, "") }},
	{word: "lost", write: func(f Fault) []string { return when(f.Drop, "") }},
}

// modifierNames is what can follow a fault, for errors.
func modifierNames() string {
	names := make([]string, len(modifiers))
	for i, m := range modifiers {
		names[i] = m.word
	}
	return strings.Join(names, ", ")
}

func when(written bool, text string) []string {
	if written {
		return []string{text}
	}
	return nil
}

// whenTime is a duration that is not 0.
func whenTime(d time.Duration) []string { return when(d != 0, " "+d.String()) }

func (f Fault) with() (texts []string) {
	for _, h := range f.Header {
		texts = append(texts, " "+h.Name+" "+strconv.Quote(h.Value))
	}
	return texts
}

func (f Fault) detail() (texts []string) {
	for _, d := range f.Details {
		texts = append(texts, " "+string(d.json()))
	}
	return texts
}
