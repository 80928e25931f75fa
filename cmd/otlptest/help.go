package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// groups is the parts of the help, in order of appearance in the flags.
var groups = []kong.Group{
	{Key: "listen", Title: "Where it listens:"},
	{Key: "behave", Title: "What it answers:"},
	{Key: "secure", Title: "Who may send:"},
	{Key: "limit", Title: "Limits:"},
	{Key: "log", Title: "Logs, on standard error:"},
	{Key: "expect", Title: "What is expected:"},
	{Key: "report", Title: "The report:"},
}

// describe writes a flag's help with its default and the variable of the
// environment that sets it.
func describe(v *kong.Value) string {
	var notes []string
	if v.Default != "" && !v.IsBool() {
		notes = append(notes, "default "+v.Default)
	}
	for _, name := range v.Tag.Envs {
		notes = append(notes, "$"+name)
	}
	if len(notes) == 0 {
		return v.Help
	}
	return v.Help + " (" + strings.Join(notes, ", ") + ")"
}
