package faults

import (
	"strconv"
	"strings"
)

// selector is a word that can stand before the colon of a rule, and how it is
// written: the texts behind it, one for each time that it stands there. The
// parser reads it.
type selector struct {
	word  string
	many  bool // it may be there several times
	write func(Rule) []string
}

// selectors is every one but for the signal, the protocol and filters, which
// begin with no such word; in the order in which they are written.
var selectors = []selector{
	{word: "header", many: true, write: Rule.header},
	{word: "connection", write: func(r Rule) []string { return whenNumbers(r.Connections) }},
	{word: "from", write: func(r Rule) []string { return whenTime(r.From) }},
	{word: "until", write: func(r Rule) []string { return whenTime(r.Until) }},
	{word: "attempt", write: func(r Rule) []string { return whenNumbers(r.Attempts) }},
	{word: "request", write: func(r Rule) []string { return whenNumbers(r.Requests) }},
	{word: "per", write: func(r Rule) []string { return when(r.EachBatch, " batch") }},
}

// selectorNames is what can stand before the colon, for errors.
func selectorNames() string {
	names := []string{"traces, metrics, logs, grpc, http/protobuf, http/json"}
	for _, s := range selectors {
		names = append(names, s.word)
	}
	return strings.Join(names, ", ") + " batch or filters in []"
}

// whenNumbers is numbers with | between them, if there are any.
func whenNumbers(ns []int) []string { return when(len(ns) > 0, " "+numberText(ns)) }

func (r Rule) header() (texts []string) {
	for _, h := range r.Headers {
		text := " " + h.Name
		if h.Value != "" {
			text += "=" + strconv.Quote(h.Value)
		}
		texts = append(texts, text)
	}
	return texts
}
