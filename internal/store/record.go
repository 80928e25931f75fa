package store

import (
	"sync/atomic"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/internal/violations"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// Record is one export. Its maker fills it in before Append; after that only
// Finish changes it.
type Record struct {
	store   *Store
	export  query.Export // without Header and Ref; Number and what Finish sets are guarded by store.mu
	place   uint64       // among all exports ever appended, from 1; 0 before; guarded by store.mu
	header  header
	body    []byte    // validated and uncompressed; nil for what is not OTLP, and once forgotten
	remains []remains // of a body that is forgotten
	keep    bool      // the items are stored
	refused wire.Set  // but for these

	departures []otlpjson.Departure
	broken     *violations.Broken

	content  atomic.Pointer[[32]byte] // once somebody has asked
	findings atomic.Pointer[violations.Findings]
}

// NewRecord makes the record of an export. Body is the message that e.Items
// and e.BodySize were read from, and is never changed afterwards; it is nil
// where there is none.
func (s *Store) NewRecord(e query.Export, body []byte) *Record {
	r := &Record{store: s, export: e, body: body}
	r.header = s.heads.compact(e.Header)
	r.export.Header = nil
	for _, text := range []*string{&r.export.Method, &r.export.Path, &r.export.Peer, &r.export.Encoding} {
		*text = s.heads.intern(*text)
	}
	return r
}

// KeepAll says, before Append, that the items are stored.
func (r *Record) KeepAll() { r.KeepExcept(wire.Set{}) }

// Keep is KeepAll but for the first items.
func (r *Record) Keep(skip int) { r.KeepExcept(wire.First(min(skip, r.export.Items))) }

// KeepExcept is KeepAll but for the refused items.
func (r *Record) KeepExcept(refused wire.Set) {
	r.keep, r.refused = true, refused
	r.export.Stored = r.export.Items - refused.Len()
}

// Fault says, before Append, which scripted fault decides.
func (r *Record) Fault(f query.FaultRef) { r.export.Fault = f }

// bare is the export as it stands now, without its header.
func (r *Record) bare() query.Export {
	r.store.mu.Lock()
	defer r.store.mu.Unlock()
	return r.export
}

// Export is the export as it stands now.
func (r *Record) Export() query.Export {
	r.store.mu.Lock()
	e := r.export
	r.store.mu.Unlock()
	e.Header = r.header.full()
	e.Ref = query.NewRef(r, e.Number, r.body, 0)
	return e
}

// key is the content key of the body.
func (r *Record) key() [32]byte {
	if k := r.content.Load(); k != nil {
		return *k
	}
	k := wire.Key(r.export.Signal, r.body)
	r.content.Store(&k)
	return k
}

// found is what the body shows by itself. It is looked for once.
func (r *Record) found() *violations.Findings {
	if r.findings.Load() == nil {
		r.findings.CompareAndSwap(nil, violations.Look(r.export.Signal, r.body, r.export.Protocol == query.HTTPJSON, r.departures))
	}
	return r.findings.Load()
}
