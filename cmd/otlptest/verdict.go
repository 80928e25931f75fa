package main

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
)

// evidence is all that the verdict goes by.
type evidence struct {
	sent    tally    // what the services recorded
	reports []string // what the SDK said about it
	refused int      // log records that the script refuses for good
	script  []faults.Rule
	unmet   []faults.Rule

	spans  []query.Span
	points []query.Point
	logs   []query.Log
	report query.Report
}

// check is one thing that must hold, and by which figures it does or not.
type check struct {
	name    string
	ok      bool
	figures string
}

// judge holds the evidence against what must be so.
func (e evidence) judge() []check {
	return []check{
		e.spansArrived(), e.pointsArrived(), e.logsArrived(), e.onceOnly(),
		e.patient(), e.final(), e.reported(), e.scriptMet(),
	}
}

// passed says whether every check holds.
func passed(checks []check) bool {
	return !slices.ContainsFunc(checks, func(c check) bool { return !c.ok })
}

func (e evidence) spansArrived() check {
	ids := map[query.SpanID]bool{}
	for _, s := range e.spans {
		ids[s.SpanID] = true
	}
	c := arrived("every span arrived, as one tree", len(ids), e.sent.spans)
	roots := len(assemble(e.spans))
	c.ok = c.ok && roots == 1
	c.figures += " in " + plural(roots, "tree")
	return c
}

func (e evidence) pointsArrived() check {
	series := map[string]bool{}
	for _, p := range e.points {
		series[p.Name+" "+p.Attrs.String()] = true
	}
	return arrived("every data point arrived", len(series), e.sent.points)
}

func arrived(name string, got, want int) check {
	return check{name, got == want, fmt.Sprintf("%d of %d", got, want)}
}

func (e evidence) logsArrived() check {
	c := arrived("every log record not refused arrived", len(e.logs), e.sent.logs-e.refused)
	c.figures += fmt.Sprintf(", %d refused", e.refused)
	return c
}

// onceOnly holds where no batch was kept twice, or sent again after it had
// been acknowledged.
func (e evidence) onceOnly() check {
	c := check{name: "nothing was delivered twice", ok: len(e.report.Batches) > 0}
	twice := 0
	for _, b := range e.report.Batches {
		if b.Deliveries() > 1 || b.RepeatOf() != nil {
			c.ok = false
			twice++
		}
	}
	c.figures = fmt.Sprintf("%d batches, %d twice", len(e.report.Batches), twice)
	return c
}

// patient holds where each export that was told when to come back came back,
// and not before.
func (e evidence) patient() check {
	c := check{name: "retries waited as long as promised", ok: true}
	var waits []string
	for _, b := range e.report.Batches {
		gaps := b.Gaps()
		for i, told := range b.Promised() {
			switch {
			case !b.Attempts()[i].Throttled:
			case i == len(gaps):
				c.ok = false
				waits = append(waits, fmt.Sprintf("never ≥ %s", told))
			case gaps[i] < told:
				c.ok = false
				waits = append(waits, fmt.Sprintf("%s < %s", took(gaps[i]), told))
			default:
				waits = append(waits, fmt.Sprintf("%s ≥ %s", took(gaps[i]), told))
			}
		}
	}
	c.figures = strings.Join(waits, ", ")
	if want := e.scripted(faults.KindThrottle); len(waits) != want {
		c.ok = false
		c.figures = fmt.Sprintf("%d throttled, want %d", len(waits), want)
	}
	return c
}

// final holds where nothing that was refused for good was sent again.
func (e evidence) final() check {
	c := check{name: "no final refusal was sent again", ok: true}
	refusals := 0
	for _, b := range e.report.Batches {
		for i, a := range b.Attempts() {
			if !isFinal(a) {
				continue
			}
			refusals++
			if i < len(b.Attempts())-1 {
				c.ok = false
				c.figures = fmt.Sprintf("export %d was", a.Number)
			}
		}
	}
	want := e.scripted(faults.KindReject) + e.scripted(faults.KindPartial)
	if refusals != want {
		c.ok = false
	}
	if c.figures == "" {
		c.figures = fmt.Sprintf("%d of %d, each sent once", refusals, want)
	}
	return c
}

// isFinal says whether a client must not send that export again: it was
// refused without the hope of better times, or accepted in part.
func isFinal(e query.Export) bool {
	hope := e.Throttled || e.Status.Code == query.Code(codes.Unavailable)
	return e.Outcome == query.Partial || e.Outcome == query.Refused && !hope
}

// reported holds where the SDK passed on why it lost what it lost.
func (e evidence) reported() check {
	all := strings.Join(e.reports, "\n")
	lost, found := 0, 0
	for _, r := range e.script {
		for _, f := range r.Faults {
			if f.Kind == faults.KindReject || f.Kind == faults.KindPartial {
				lost++
				if strings.Contains(all, f.Message) {
					found++
				}
			}
		}
	}
	c := arrived("the SDK reported each final refusal", found, lost)
	c.ok = c.ok && lost > 0
	return c
}

func (e evidence) scriptMet() check {
	all, left := count(e.script), count(e.unmet)
	return check{"every fault of the script was met", all > 0 && left == 0, fmt.Sprintf("%d of %d", all-left, all)}
}

// scripted is how many faults of a kind the script has.
func (e evidence) scripted(kind faults.Kind) int {
	n := 0
	for _, r := range e.script {
		for _, f := range r.Faults {
			if f.Kind == kind {
				n++
			}
		}
	}
	return n
}

func count(rules []faults.Rule) int {
	n := 0
	for _, r := range rules {
		n += len(r.Faults)
	}
	return n
}
