package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// maxHolds is how many holds there may be at a time.
const maxHolds = 1000

// holds is those that the API began, by id.
type holds struct {
	mu   sync.Mutex
	last int
	list map[string]begun
}

// begun is a hold that was begun for some filters.
type begun struct {
	*otlptest.Held
	q string
}

func (h *holds) add(held begun) (id string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.list) >= maxHolds {
		return "", false
	}
	if h.list == nil {
		h.list = map[string]begun{}
	}
	h.last++
	id = strconv.Itoa(h.last)
	h.list[id] = held
	return id, true
}

// find is the hold with the id in a request's path.
func (h *holds) find(r *http.Request) (id string, held *otlptest.Held, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id = chi.URLParam(r, "id")
	if held = h.list[id].Held; held == nil {
		return id, nil, problemf(http.StatusNotFound, "id: got %q, of which there is no hold", id)
	}
	return id, held, nil
}

func (h *holds) remove(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.list, id)
}

func (h *holds) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.list)
}

// end ends all of them.
func (h *holds) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, held := range h.list {
		held.ReleaseAll()
	}
	h.list = nil
}

// holding is the answer of those that say what a hold holds.
type holding struct {
	ID    string         `json:"id"`
	Count int            `json:"count"`
	Items []query.Export `json:"items"` // those that were released included
}

// hold is the endpoint that begins one.
func (a *api) hold(r *http.Request) (any, error) {
	p, err := parse(r, "q")
	if err != nil {
		return nil, err
	}
	if err := p.takeBody(r); err != nil {
		return nil, err
	}
	filters, err := p.filters()
	if err != nil {
		return nil, err
	}
	exports := a.srv.Exports(filters...)
	if err := exports.Err(); err != nil {
		return nil, invalid("q", "%v", err)
	}
	held := a.srv.Hold(filters...)
	id, ok := a.holds.add(begun{held, exports.String()})
	if !ok {
		held.ReleaseAll()
		return nil, problemf(http.StatusConflict, "there are %d holds already, want fewer: DELETE some", maxHolds)
	}
	return answer{status: http.StatusCreated, body: holding{ID: id, Items: []query.Export{}}}, nil
}

// takeBody reads the filters of a body, where there is one, into q.
func (p parameters) takeBody(r *http.Request) error {
	body, err := readBody(r)
	if err != nil || len(body) == 0 {
		return err
	}
	if _, given := p["q"]; given {
		return invalid("q", "is given beside a body, want one of them")
	}
	if p["q"], err = holdFilters(r.Header.Get("Content-Type"), body); err != nil {
		return invalid("body", "%v", err)
	}
	return nil
}

// holdFilters reads the filters of a body, which is text or {"q":"FILTERS"}.
func holdFilters(contentType string, body []byte) (string, error) {
	if media, _, _ := mime.ParseMediaType(contentType); media != "application/json" {
		return string(body), nil
	}
	var fields map[string]string
	if err := json.Unmarshal(body, &fields); err != nil {
		return "", fmt.Errorf("JSON: %w", err)
	}
	for name := range fields {
		if name != "q" {
			return "", fmt.Errorf("got field %q, want q", name)
		}
	}
	return fields["q"], nil
}

// held is the endpoint for what one holds.
func (a *api) held(r *http.Request) (any, error) {
	p, err := parse(r, "wait", "timeout")
	if err != nil {
		return nil, err
	}
	n, timeout, err := p.waiting()
	if err != nil {
		return nil, err
	}
	id, held, err := a.holds.find(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	start := time.Now()
	exports, err := held.WaitContext(ctx, n)
	if err == nil {
		return holding{id, len(exports), exports}, nil
	}
	why := problemf(http.StatusConflict, "got %d held in %s, want at least %d\n%s",
		len(exports), query.Round(time.Since(start)), n, strings.TrimRight(a.srv.Exports().Source().Explain(nil), "\n"))
	if errors.Is(err, query.ErrClosed) {
		return nil, why.closed()
	}
	return nil, why
}

// release is the endpoint that lets answers go.
func (a *api) release(r *http.Request) (any, error) {
	p, err := parse(r, "index")
	if err != nil {
		return nil, err
	}
	index, err := p.number("index", 0, math.MaxInt32, -1)
	if err != nil {
		return nil, err
	}
	id, held, err := a.holds.find(r)
	if err != nil {
		return nil, err
	}
	exports, err := held.Wait(0)
	if err != nil {
		return nil, err
	}
	if index >= len(exports) {
		return nil, problemf(http.StatusConflict, "index: got %d, want one of the %d that have been held, from 0", index, len(exports))
	}
	for i := range exports {
		if index >= 0 && i != index {
			continue
		}
		if err := held.Release(i); err != nil {
			return nil, err
		}
	}
	return holding{id, len(exports), exports}, nil
}

// unhold is the endpoint that ends one.
func (a *api) unhold(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	id, held, err := a.holds.find(r)
	if err != nil {
		return nil, err
	}
	held.ReleaseAll()
	a.holds.remove(id)
	return nil, nil
}
