package otlptest

import "github.com/otlptest/otlptest/query"

// MemoryPolicy says what a server does when there is no room left.
type MemoryPolicy string

// The policies.
const (
	RefuseExports MemoryPolicy = "refuse" // refuse exports until [Server.Reset]: UNAVAILABLE with RetryInfo, or 503 with Retry-After
	DropOldest    MemoryPolicy = "drop"   // drop the data of the oldest exports, so that views do not have it any more
)

// WithMemoryLimit sets how many bytes of requests are kept, decompressed;
// without it all of them are. What happens beyond is the policy's to say, and
// is told by query.Export.Dropped, by the text of [Server.Report] and by
// [Server.Memory]. The ledger stays whole: the line of each export, the
// identity of its items and what was wrong with it are kept in any case, and not
// counted. Requests that come at the same time can exceed the limit together.
func WithMemoryLimit(bytes int, policy MemoryPolicy) Option {
	return func(o *options) {
		if o.memoryLimit = bytes; bytes <= 0 {
			o.fail("WithMemoryLimit: got %d bytes, want more than 0", bytes)
		}
		if o.dropOldest = policy == DropOldest; policy != DropOldest && policy != RefuseExports {
			o.fail("WithMemoryLimit: got policy %q, want %q or %q", policy, RefuseExports, DropOldest)
		}
	}
}

// Memory is how much of what was received a server keeps.
type Memory struct {
	Kept    int `json:"kept"`    // bytes of requests, decompressed
	Limit   int `json:"limit"`   // 0 for none ([WithMemoryLimit])
	Refused int `json:"refused"` // exports since the start or the last reset for which there was no room
	Dropped int `json:"dropped"` // exports since then of which the data was dropped
}

// Memory is as of now.
func (s *Server) Memory() Memory {
	m := Memory{Kept: s.store.Kept(), Limit: s.memoryLimit}
	for e := range s.exports() {
		switch {
		case e.Dropped && e.Outcome == query.Refused:
			m.Refused++
		case e.Dropped:
			m.Dropped++
		}
	}
	return m
}
