package violations

import (
	"fmt"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// Verdict is what strict mode makes of a body.
type Verdict struct {
	// RefuseRequest says that nothing in the request is acceptable, so that it
	// is refused as invalid and not in part (S-26).
	RefuseRequest bool

	Refused  wire.Set // which spans, points or log records are refused
	Rejected int      // how many these are
	Message  string   // why, for the client; empty where nothing is refused
	Path     string   // where the first of them is
}

// Judge says which items of a body are refused in strict mode. [wire.Validate]
// has accepted the body. What concerns a resource, a scope or a metric refuses
// all items in it.
func Judge(sig query.Signal, body []byte) Verdict {
	var v Verdict
	if namesOf[sig] == (names{}) {
		return v
	}
	w := walker{sig: sig, names: namesOf[sig], judging: true}
	w.walk(body)
	v.Refused = w.refused
	v.Rejected = v.Refused.Len()
	v.RefuseRequest = v.Rejected > 0 && v.Rejected == w.index
	if v.Rejected > 0 {
		v.Path = w.place
		v.Message = fmt.Sprintf("%d of %s refused: %s", v.Rejected, sig.Count(w.index), w.why)
	}
	return v
}
