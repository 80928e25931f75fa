package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// namedCheck is an expectation that has a name.
type namedCheck struct {
	name string
	args []string // what they are called
	make func(args []string) (func(*trial) error, error)
}

// form is how it is written.
func (c namedCheck) form() string { return strings.Join(append([]string{c.name}, c.args...), " ") }

var checks = []namedCheck{
	{"no loss", nil, plainly(noLoss)},
	{"all delivered", nil, plainly(verify(query.AllDelivered()))},
	{"no duplicates", nil, plainly(verify(query.NoDuplicates()))},
	{"delivered once", nil, plainly(verify(query.DeliveredOnce()))},
	{"honours retry delay", nil, plainly(verify(query.HonoursRetryDelay()))},
	{"max attempts", []string{"N"}, withNumber(query.MaxAttempts)},
	{"min gap", []string{"DURATION"}, withDuration(query.MinGap)},
	{"stops by", []string{"DURATION"}, withDuration(query.StopsBy)},
	{"not retried", nil, plainly(verify(query.NotRetried()))},
	{"backoff", []string{"INITIAL", "FACTOR", "LIMIT", "JITTER"}, backoff},
	{"reuses connections", nil, plainly(verify(query.ReusesConnections()))},
	{"concurrency", []string{"LEAST", "MOST"}, concurrency},
	{"no violations", nil, plainly(noViolations(query.LevelError, query.LevelWarning, query.LevelInfo))},
	{"no warnings", nil, plainly(noViolations(query.LevelError, query.LevelWarning))},
	{"no errors", nil, plainly(noViolations(query.LevelError))},
	{"all faults met", nil, plainly(faultsMet)},
}

// checkList is how all of them are written.
func checkList() string {
	var forms []string
	for _, c := range checks {
		forms = append(forms, c.form())
	}
	return strings.Join(forms, ", ")
}

// parseCheck reads a check and its arguments.
func parseCheck(p *phrase) (func(*trial) error, error) {
	words := strings.Fields(p.text)
	for _, c := range checks {
		name := strings.Fields(c.name)
		if len(words) < len(name) || !slices.Equal(words[:len(name)], name) {
			continue
		}
		for range name {
			p.word()
		}
		return c.parse(p)
	}
	word := p.word()
	if slices.Contains(viewNames, word) {
		p.pos = len(p.text)
		return nil, p.errorf("", "want | and what their number has to be, as in %s | >= 1", word)
	}
	return nil, p.errorf(word, "want one of %s with a |, or one of %s", strings.Join(viewNames, ", "), checkList())
}

func (c namedCheck) parse(p *phrase) (func(*trial) error, error) {
	args := make([]string, len(c.args))
	for i := range args {
		if args[i] = p.word(); args[i] == "" {
			return nil, p.errorf("", "want %s", c.form())
		}
	}
	judge, err := c.make(args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.form(), err)
	}
	return judge, p.end()
}

func verify(check query.Check) func(*trial) error {
	return func(t *trial) error { return t.srv.Report().Verify(check) }
}

func plainly(judge func(*trial) error) func([]string) (func(*trial) error, error) {
	return func([]string) (func(*trial) error, error) { return judge, nil }
}

func withNumber(check func(int) query.Check) func([]string) (func(*trial) error, error) {
	return func(args []string) (func(*trial) error, error) {
		n, err := atLeastOne(args[0])
		return verify(check(n)), err
	}
}

func atLeastOne(arg string) (int, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("got %q, want a whole number of at least 1", arg)
	}
	return n, nil
}

func withDuration(check func(time.Duration) query.Check) func([]string) (func(*trial) error, error) {
	return func(args []string) (func(*trial) error, error) {
		d, err := duration(args[0])
		return verify(check(d)), err
	}
}

func duration(arg string) (time.Duration, error) {
	d, err := time.ParseDuration(arg)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("got %q, want a duration such as 500ms", arg)
	}
	return d, nil
}

func backoff(args []string) (func(*trial) error, error) {
	initial, err1 := duration(args[0])
	factor, err2 := strconv.ParseFloat(args[1], 64)
	limit, err3 := duration(args[2])
	jitter, err4 := strconv.ParseFloat(args[3], 64)
	if err2 != nil || err4 != nil || factor < 1 || jitter < 0 || jitter > 1 {
		err2 = fmt.Errorf("got %q and %q, want a factor of at least 1 and a jitter of 0 to 1", args[1], args[3])
	}
	return verify(query.Backoff(initial, factor, limit, jitter)), errors.Join(err1, err2, err3)
}

func concurrency(args []string) (func(*trial) error, error) {
	least, err1 := atLeastOne(args[0])
	most, err2 := atLeastOne(args[1])
	if err1 == nil && err2 == nil && most < least {
		err2 = fmt.Errorf("got %d to %d, want the smaller number first", least, most)
	}
	return verify(query.Concurrency(least, most)), errors.Join(err1, err2)
}

// noLoss holds the number of items that were produced against those that were
// delivered, where it is known, and then asks the ledger.
func noLoss(t *trial) error {
	var errs []error
	for _, sig := range signals {
		if lost := t.loss.Lost[sig]; lost > 0 {
			errs = append(errs, fmt.Errorf("NoLoss: got %d of %s lost that were produced, want none", lost, sig.Count(int(t.loss.Produced[sig]))))
		}
	}
	return errors.Join(append(errs, verify(query.NoLoss())(t))...)
}

func noViolations(levels ...query.Level) func(*trial) error {
	bad := where.Func("of one of these levels: "+levelNames(levels), func(v query.Violation) bool { return slices.Contains(levels, v.Level) })
	return func(t *trial) error {
		view := t.srv.Violations(bad)
		list := view.Slice()
		if len(list) == 0 {
			return nil
		}
		text := fmt.Sprintf("got %s, want none", plural(len(list), "violation"))
		for _, v := range list {
			text += "\n  " + v.String()
		}
		return errors.New(text)
	}
}

func levelNames(levels []query.Level) string {
	var names []string
	for _, l := range levels {
		names = append(names, string(l))
	}
	return strings.Join(names, ", ")
}

// faultsMet keeps a script that nothing ran into from proving anything.
func faultsMet(t *trial) error {
	pending := t.srv.PendingFaults()
	if len(pending) == 0 {
		return nil
	}
	text := "got faults that no export has met, want that each was"
	for _, r := range pending {
		text += "\n  " + r.String()
	}
	return errors.New(text)
}
