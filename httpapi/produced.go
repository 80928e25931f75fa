package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/otlptest/otlptest/query"
)

// counts is a number of items of each signal that is known.
type counts map[query.Signal]int64

// lost is how many of the items that were made were never delivered.
func (c counts) lost(rep query.Report) counts {
	if c == nil {
		return nil
	}
	lost := counts{}
	for sig, made := range c {
		lost[sig] = max(0, made-int64(rep.ItemsOf(sig).Delivered))
	}
	return lost
}

// String is a line such as "lost: 3 of 100 spans, 0 of 7 points".
func (c counts) String(rep query.Report) string {
	if c == nil {
		return "lost: not known, since nobody has said how many items were produced (POST produced)"
	}
	lost := c.lost(rep)
	var parts []string
	for _, sig := range signals {
		if made, known := c[sig]; known {
			parts = append(parts, fmt.Sprintf("%d of %s produced", lost[sig], sig.Count(int(made))))
		}
	}
	return "lost: " + strings.Join(parts, ", ")
}

// produced is what clients say that they made.
type produced struct {
	mu   sync.Mutex
	made counts
	base uint64 // how many exports had been dropped then
}

// since is what was made, unless data was dropped since.
func (p *produced) since(base uint64) counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made == nil || p.base != base {
		return nil
	}
	out := counts{}
	for sig, n := range p.made {
		out[sig] = n
	}
	return out
}

func (p *produced) add(made counts, base uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made == nil || p.base != base {
		p.made, p.base = counts{}, base
	}
	for sig, n := range made {
		p.made[sig] = min(p.made[sig], maxProduced-n) + n
	}
}

func (p *produced) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made = nil
}

// maxProduced keeps sums exact in every client's numbers.
const maxProduced = 1 << 53

// produce is the endpoint where clients say what they made.
func (a *api) produce(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	made, err := parseCounts(body)
	if err != nil {
		return nil, invalid("body", "%v", err)
	}
	base := dropped(a.srv)
	a.produced.add(made, base)
	return a.produced.since(base), nil
}

// parseCounts reads {"traces":1,"metrics":2,"logs":3}, of which each may be
// left away.
func parseCounts(body []byte) (counts, error) {
	const want = `want an object such as {"traces":100,"metrics":0,"logs":7}`
	var fields map[query.Signal]json.Number
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(&fields); err != nil {
		return nil, fmt.Errorf("JSON: %w, %s", err, want)
	}
	if _, err := d.Token(); err != io.EOF || len(fields) == 0 {
		return nil, fmt.Errorf("got %.100q, %s", body, want)
	}
	made := counts{}
	for sig, text := range fields {
		n, err := strconv.ParseInt(text.String(), 10, 64)
		switch {
		case sig != query.Traces && sig != query.Metrics && sig != query.Logs:
			return nil, fmt.Errorf("got field %q, want one of traces, metrics, logs", sig)
		case err != nil || n < 0 || n > maxProduced:
			return nil, fmt.Errorf("%s: got %s, want a number of 0 to %d", sig, text, int64(maxProduced))
		}
		made[sig] = n
	}
	return made, nil
}
