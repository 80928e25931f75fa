package script

import (
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
)

// Request is what a rule can look at.
type Request struct {
	Signal     query.Signal
	Protocol   query.Protocol
	Header     query.Header
	Connection int // its number; 0 where it is not known
	Arrived    time.Time
	Items      int // known only when the body has come

	// Match says whether any item of the export matches all of the filters.
	// It is asked only by rules that have filters, without any lock held, and
	// may wait. A nil Match matches nothing.
	Match func([]query.Filter) bool

	// Attempt says which attempt of its batch the export is, from 1. It is
	// asked as Match is, by rules that look at it. A nil Attempt is the first.
	Attempt func() int

	// Begun is what Begin decided of the export, which Decide goes on from.
	Begun Decision
}

func (r Request) attempt() int {
	if r.Attempt == nil {
		return 1
	}
	return r.Attempt()
}

// Decision is the fault that an export meets: the zero Decision is that no rule
// decides, and accepts.
type Decision struct {
	Fault *faults.Fault // read-only; nil where no rule decides
	Ref   query.FaultRef
	done  func()

	passed []*rule // that have counted the export and left it out
}

// Done says that the export has been answered.
func (d *Decision) Done() {
	if d.done != nil {
		d.done()
	}
}
