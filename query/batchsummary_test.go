package query_test

import (
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
)

func TestWhatBecameOfABatchInALine(t *testing.T) {
	if got := (query.Batch{}).Summary(); got != "" {
		t.Errorf("got %q of no batch", got)
	}
	for _, c := range []struct {
		want string
		make func(*history)
	}{
		{"delivered", func(h *history) { h.export("ab", nil) }},
		{"open", func(h *history) { h.export("ab", open) }},
		{"1 of 2 delivered", func(h *history) { h.export("ab", partial(1)) }},
		{"not delivered: export 2 UNAVAILABLE", func(h *history) {
			h.export("ab", unavailable)
			h.export("ab", unavailable)
		}},
		{"delivered twice, legal: the acknowledgement of export 1 was lost (C-43)", func(h *history) {
			h.export("ab", but(2, unavailable))
			h.export("ab", nil)
		}},
		{"delivered; export 2 came 2s after export 1 (2s promised)", func(h *history) {
			h.export("ab", throttled(2*time.Second))
			h.after(2 * time.Second)
			h.export("ab", nil)
		}},
		{"not delivered: export 3 UNAVAILABLE (fault 1 of 2); export 2 came 1s after export 1, too early (2s promised); export 3 came 1s after export 2, too early (2s promised)", func(h *history) {
			for range 3 {
				h.export("ab", throttled(2*time.Second))
			}
		}},
	} {
		var h history
		c.make(&h)
		if got := h.report().Batches[0].Summary(); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
	var h history
	h.export("ab", nil)
	h.export("ab", nil)
	if got, want := h.report().Batches[1].Summary(), "delivered, again: batch 1 was acknowledged"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
