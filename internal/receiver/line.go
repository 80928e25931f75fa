package receiver

import (
	"golang.org/x/net/http2"

	"github.com/otlptest/otlptest/faults"
)

// line is what a request came by, for what no server knows how to do wrong.
type line struct {
	conn   *conn  // nil where it is not known
	stream uint32 // of HTTP/2; 0 on HTTP/1
	path   string // that was asked for
}

// cut says whether the server ended the connection.
func (l line) cut() bool { return l.conn != nil && l.conn.cut.Load() }

// silent says whether nothing passes on the connection any more.
func (l line) silent() bool { return l.conn != nil && l.conn.silent.Load() }

// silence keeps anything from passing on the connection.
func (l line) silence() {
	if l.conn != nil {
		l.conn.silent.Store(true)
	}
}

// answers says whether a GOAWAY leaves the request to be answered.
func (l line) answers(f *faults.Fault) bool {
	return f.Kind == faults.KindGoAway && f.HTTP2 == faults.NoError && l.stream != 0 && l.stream <= f.Last
}

// do does what an answer's fault has in place of an answer.
func (l line) do(r *Receiver, f *faults.Fault) {
	if l.conn == nil {
		return
	}
	switch f.Kind {
	case faults.KindReset, faults.KindBlackhole:
		l.conn.reset()
	case faults.KindClose:
		l.conn.end()
	case faults.KindRST:
		l.rst(http2.ErrCode(f.HTTP2))
	case faults.KindGoAway:
		l.goAway(f)
	case faults.KindDown:
		r.Outage(f.For)
	}
}

func (l line) rst(code http2.ErrCode) {
	if l.stream == 0 {
		l.conn.reset()
		return
	}
	l.replace(func(f *http2.Framer) { f.WriteRSTStream(l.stream, code) })
}

func (l line) goAway(f *faults.Fault) {
	write := func(fr *http2.Framer) { fr.WriteGoAway(f.Last, http2.ErrCode(f.HTTP2), nil) }
	switch {
	case l.stream == 0:
		l.conn.end()
	case l.answers(f):
		l.conn.shim.Insert(write)
	default:
		l.replace(write)
		if f.HTTP2 != faults.NoError {
			l.conn.end()
		}
	}
}

// lastStream is the highest stream that there can be: a GOAWAY with it lets all
// that is under way be answered.
const lastStream = 1<<31 - 1

// closing announces on HTTP/2, before an answer, that the connection ends with
// it.
func (l line) closing() {
	if l.conn == nil || l.stream == 0 {
		return
	}
	l.conn.shim.Insert(func(f *http2.Framer) { f.WriteGoAway(lastStream, http2.ErrCodeNo, nil) })
}

// replace writes frames in place of the server's answer. A connection that is
// gone needs none.
func (l line) replace(frames func(*http2.Framer)) { l.conn.shim.Replace(l.stream, frames) }
