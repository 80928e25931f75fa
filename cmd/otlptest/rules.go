package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/otlptest/otlptest/faults"
)

// ruleSet is the rules of a flag: their text, or a file that has it.
type ruleSet struct{ rules []faults.Rule }

// UnmarshalText reads rules as text, or from the file that @FILE or the name of
// an existing one says.
func (s *ruleSet) UnmarshalText(text []byte) (err error) {
	name, forced := strings.CutPrefix(string(text), "@")
	content, err := os.ReadFile(name)
	switch {
	case err == nil:
		if s.rules, err = parseRuleFile(content); err != nil {
			return fmt.Errorf("file %s: %w", name, err)
		}
		return nil
	case forced:
		return err
	case !errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, ":;= "): // a text is never the name of a directory
		return err
	}
	s.rules, err = faults.Parse(name)
	return err
}

// parseRuleFile reads JSON, a rule or an array of them, in place of each of
// which its text may stand; or text, a rule a line. Empty lines of text and those
// that begin with # do not count.
func parseRuleFile(content []byte) ([]faults.Rule, error) {
	if !json.Valid(content) {
		return parseRuleLines(string(content))
	}
	var list []json.RawMessage
	if err := json.Unmarshal(content, &list); err != nil {
		list = []json.RawMessage{content}
	}
	var rules []faults.Rule
	for i, raw := range list {
		more, err := parseJSONRule(raw)
		if err != nil {
			return nil, fmt.Errorf("rule %d: %w", i+1, err)
		}
		rules = append(rules, more...)
	}
	return rules, nil
}

func parseJSONRule(raw []byte) ([]faults.Rule, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return faults.Parse(text)
	}
	var rule faults.Rule
	err := json.Unmarshal(raw, &rule)
	return []faults.Rule{rule}, err
}

func parseRuleLines(text string) ([]faults.Rule, error) {
	var rules []faults.Rule
	for n, line := range numberedLines(text) {
		more, err := faults.Parse(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rules = append(rules, more...)
	}
	return rules, nil
}
