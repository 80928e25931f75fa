package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// trial is a command that was run against a server, and what came of it.
type trial struct {
	srv          *otlptest.Server
	child        child
	open         int // requests that had not ended when the waiting did
	expectations []expectation
	results      []result // one for each expectation
	ledger       json.RawMessage
	loss         loss
}

// result is whether an expectation holds.
type result struct {
	Text string `json:"expectation"`
	OK   bool   `json:"ok"`
	Why  string `json:"why,omitempty"` // it does not
}

// loss is how many items were made and how many of these were never delivered;
// nil where nobody has said.
type loss struct {
	Produced map[query.Signal]int64 `json:"produced"`
	Lost     map[query.Signal]int64 `json:"lost"`
}

// judge asks each expectation.
func (t *trial) judge() {
	for _, e := range t.expectations {
		r := result{Text: e.text, OK: true}
		if err := e.judge(t); err != nil {
			r.OK, r.Why = false, err.Error()
		}
		t.results = append(t.results, r)
	}
}

// held is how many expectations hold.
func (t *trial) held() (n int) {
	for _, r := range t.results {
		if r.OK {
			n++
		}
	}
	return n
}

// status is the exit status: the command's, unless that is 0.
func (t *trial) status() int {
	if t.child.status == 0 && t.held() < len(t.results) {
		return 1
	}
	return t.child.status
}

// askForLoss tells the API what was produced, beside what clients may have told
// it, and asks it what is lost.
func (t *trial) askForLoss(ctx context.Context, b *backend, made produced) error {
	api := b.addresses().API
	if made != nil {
		body, err := json.Marshal(made)
		if err != nil {
			return err
		}
		if _, err := askAPI(ctx, http.MethodPost, api+"/api/v1/produced", body); err != nil {
			return err
		}
	}
	ledger, err := askAPI(ctx, http.MethodGet, api+"/api/v1/report", nil)
	if err != nil {
		return err
	}
	t.ledger = ledger
	return json.Unmarshal(ledger, &t.loss)
}

// askAPI asks the API of this process.
func askAPI(ctx context.Context, method, url string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(context.WithoutCancel(ctx), method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // and no proxy
	answer, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s %s: %s: %s", method, url, answer.Status, strings.TrimSpace(string(text)))
	}
	return text, err
}

// cost is what the exports took.
type cost struct {
	Items          int     `json:"items"`          // in all exports, retries included
	WireBytes      float64 `json:"wireBytes"`      // an item, as sent
	BodyBytes      float64 `json:"bodyBytes"`      // an item, once decompressed
	OpenRequests   int     `json:"openRequests"`   // that had not ended when the waiting did
	OrphanSpans    int     `json:"orphanSpans"`    // whose parent has not come
	OrphanedTraces int     `json:"orphanedTraces"` // with such spans
}

func (t *trial) cost() cost {
	c := cost{OpenRequests: t.open}
	wire, body := 0, 0
	for e := range t.srv.Exports().All() {
		if e.Items > 0 {
			c.Items += e.Items
			wire += e.WireSize
			body += e.BodySize
		}
	}
	if c.Items > 0 {
		c.WireBytes, c.BodyBytes = float64(wire)/float64(c.Items), float64(body)/float64(c.Items)
	}
	for trace := range t.srv.Traces().All() {
		if n := len(trace.Orphans); n > 0 {
			c.OrphanSpans += n
			c.OrphanedTraces++
		}
	}
	return c
}
