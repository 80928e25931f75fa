package violations

import (
	"slices"
	"time"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/query"
)

// Findings is what one request's body shows by itself. It never changes.
type Findings struct {
	list   []query.Violation
	points []point
	looked bool // there was a body to look at
	body   bool // it is not empty
}

// Look goes over a body, of which [wire.Validate] has found that it is a
// signal's. A nil body shows nothing. Paths are in the names of JSON if it came
// as JSON, and the departures are those that were found in that.
func Look(sig query.Signal, body []byte, asJSON bool, departures []otlpjson.Departure) *Findings {
	f := &Findings{list: ofJSON(departures), body: len(body) > 0}
	if f.looked = body != nil && namesOf[sig] != (names{}); !f.looked {
		return f
	}
	w := walker{sig: sig, names: namesOf[sig], series: seriesKeys{wanted: true}}
	w.walk(body)
	f.points = w.points
	if asJSON {
		for i := range w.list {
			w.list[i].Path = camel(w.list[i].Path)
		}
	}
	f.list = slices.Concat(f.list, w.list)
	return f
}

// Evidence is one export as it stands now, and what its body showed.
type Evidence struct {
	Export query.Export
	Found  *Findings
	Broken *Broken   // what is known of a body that is not OTLP; nil for nothing
	Opened time.Time // when its connection was; zero where that is not known
}

// All is all violations of some exports, which are in order of arrival: by
// export, and for each first what concerns the request as a whole, then what is
// in it, then what it has to do with others. It depends on nothing else.
func All(seen []Evidence, report query.Report) []query.Violation {
	across := append(agents(seen), reuse(seen)...)
	across = append(across, ledger(seen, report)...)
	across = append(across, series(seen)...)
	others, n := make([][]query.Violation, len(seen)), 0
	for _, p := range limited(across) {
		others[p.export] = append(others[p.export], p.Violation)
		n++
	}
	for _, e := range seen {
		n += len(e.Found.list)
	}
	all := make([]query.Violation, 0, n) // but for what concerns requests as a whole
	for i, s := range seen {
		e, first := s.Export, len(all)
		all = append(append(append(all, request(s)...), s.Found.list...), others[i]...)
		for j := range all[first:] {
			v := &all[first+j]
			v.Export, v.Conn, v.Signal, v.Ref = e.Number, e.Conn, e.Signal, e.Ref
		}
	}
	return all
}

// placed is a violation by the i-th of some exports.
type placed struct {
	export int
	query.Violation
}

func place(export int, v query.Violation) placed { return placed{export, v} }

// limited drops those that are too many of their kind in one export, and says
// in the last one how many.
func limited(all []placed) []placed {
	type kind struct {
		export    int
		rule, doc string
	}
	tallies := map[kind]*tally{}
	kept := all[:0]
	for _, p := range all {
		k := kind{p.export, p.Rule, p.Doc}
		t := tallies[k]
		if t == nil {
			t = new(tally)
			tallies[k] = t
		}
		if t.n++; t.n > listed {
			kept[t.last].More += 1 + p.More
			continue
		}
		t.last = len(kept)
		kept = append(kept, p)
	}
	return kept
}
