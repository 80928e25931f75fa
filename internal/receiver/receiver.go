// Package receiver takes exports over gRPC and HTTP. Both transports share one
// decision path: bytes in, one [answer] out, and each has an encoder for it.
package receiver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/internal/script"
	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/internal/violations"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// Config is what a Receiver works with.
type Config struct {
	Store          *store.Store
	Script         *script.Script
	MaxRequestSize int                // bytes of a request, as sent and again once decompressed
	HangLimit      time.Duration      // when an artificial wait ends by itself
	TLS            *tls.Config        // nil for plaintext
	PathPrefix     string             // before the HTTP paths; empty, or with a slash at its beginning only
	Authorization  []string           // the values of that header that are accepted; none for any
	Decoders       map[string]Decoder // of encodings of HTTP bodies, beside gzip
	Strict         bool               // departures from OTLP are refused, as package violations says
}

// Receiver decides what becomes of each export. It is safe for concurrent use.
type Receiver struct {
	Config
	bodies    bodies
	stopped   atomic.Bool
	stop      chan struct{}
	conns     connections
	serving   sync.WaitGroup // the connections of the HTTP server
	admitting sync.WaitGroup // listeners and handshakes
}

// New makes a Receiver that no transport serves yet.
func New(c Config) *Receiver {
	return &Receiver{Config: c, bodies: bodies{max: c.MaxRequestSize, decoders: c.Decoders}, stop: make(chan struct{})}
}

// Stop closes every connection and ends every wait. What is open is recorded
// as cut by the server.
func (r *Receiver) Stop() {
	if r.stopped.CompareAndSwap(false, true) {
		r.conns.closeAll()
		close(r.stop)
	}
}

// message is a request's body as a transport has read it.
type message struct {
	body []byte // uncompressed, and ours to keep
	json bool   // it is OTLP JSON, not protobuf
	wire int    // bytes as sent
	err  error  // why there is no body
}

// ErrTooLarge is in the chain of the error of a message that is over the cap.
var ErrTooLarge = errors.New("request is larger than the limit")

// Errors of reading a message, which decide the status.
var (
	errCompression = errors.New("request cannot be decompressed")
	errBroken      = errors.New("request ended before its body did")
)

// begin starts a request: from its headers on it counts as open until the
// function that it returns is called. It fills in by which connection the
// request came; c is nil where that is not known.
func (r *Receiver) begin(c *conn, e *query.Export) (end func()) {
	if c == nil {
		r.Store.Begin()
		return r.Store.End
	}
	e.Conn, e.Peer = c.note.Number(), c.note.Peer()
	c.note.Begin(e.Protocol, e.Header.Get("user-agent"))
	return c.note.End
}

// receive decides one export and does what was decided, up to the answer,
// which it records as given. The caller has only to encode it.
func (r *Receiver) receive(ctx context.Context, e query.Export, m message) answer {
	e.Received = time.Now()
	e.WireSize, e.BodySize = m.wire, len(m.body)
	if m.err != nil {
		return r.refuse(e, m, m.err)
	}
	body, departures, err := r.protobuf(e.Signal, &m, r.mode())
	if err != nil {
		return r.refuse(e, m, err)
	}
	items, err := wire.Validate(e.Signal, body)
	if err != nil {
		return r.refuse(e, m, fmt.Errorf("request is not valid protobuf: %w", err))
	}
	e.Items, e.Outcome = items, query.Open
	rec := r.Store.NewRecord(e, body)
	rec.Departures(departures)
	fault, ref := r.Script.Decide(script.Request{Signal: e.Signal, Protocol: e.Protocol, Match: rec.Match})
	rec.Fault(ref)
	a := answerTo(fault)
	if r.Strict && fault.Kind == faults.KindAccept {
		a = r.judge(rec, violations.Judge(e.Signal, body))
	} else if fault.Accepts() || fault.Keep {
		rec.Keep(int(min(fault.Rejected, int64(items))))
	}
	r.Store.Append(rec)
	if broken, ended := r.linger(ctx, fault); ended {
		a = broken
	}
	a = a.fit(e.Signal, m.json)
	r.Store.Finish(rec, a.record(e.Protocol))
	return a
}

// judge keeps what a strict server keeps, and returns what it answers.
func (r *Receiver) judge(rec *store.Record, v violations.Verdict) answer {
	switch {
	case v.RefuseRequest:
		return answer{outcome: query.Refused, code: codes.InvalidArgument, message: v.Message, field: v.Path} // S-26
	case v.Rejected > 0:
		rec.KeepExcept(v.Refused)
		return answer{outcome: query.Partial, message: v.Message, rejected: int64(v.Rejected)}
	}
	rec.KeepAll()
	return answer{outcome: query.Accepted}
}

// linger waits as long as a fault says before its answer. The export may end
// before, and then has none.
func (r *Receiver) linger(ctx context.Context, f faults.Fault) (a answer, ended bool) {
	if f.Delay > 0 {
		if a, ended = r.wait(ctx, min(f.Delay, r.HangLimit)); ended {
			return a, ended
		}
	}
	if f.Kind == faults.KindHang {
		return r.wait(ctx, r.HangLimit)
	}
	return answer{}, false
}

// wait lasts for d, unless the client gives up or the server stops before:
// then it returns the answer that there is none.
func (r *Receiver) wait(ctx context.Context, d time.Duration) (a answer, ended bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return answer{}, false
	case <-ctx.Done():
	case <-r.stop:
	}
	return answer{outcome: r.broken()}, true
}

// broken is what became of an export whose connection or call ended before its
// answer.
func (r *Receiver) broken() query.Outcome {
	if r.stopped.Load() {
		return query.Cut
	}
	return query.Abandoned
}

// refuse records an export of which nothing can be kept, and returns its
// answer.
func (r *Receiver) refuse(e query.Export, m message, why error) answer {
	a := answer{outcome: query.Malformed, code: codes.InvalidArgument, message: why.Error()} // S-12, S-26
	a.field = place(why)
	var sent sentError
	if errors.As(why, &sent) {
		a.code = sent.Code()
	}
	switch {
	case a.code == codes.ResourceExhausted:
		a.outcome = query.Refused
	case errors.Is(why, ErrTooLarge):
		a.outcome, a.code = query.Refused, codes.ResourceExhausted // S-03, S-21
	case errors.Is(why, errBroken):
		a = answer{outcome: r.broken()}
	}
	a.record(e.Protocol)(&e)
	rec := r.Store.NewRecord(e, nil)
	if a.outcome == query.Malformed {
		rec.Malformed(m.body, why)
	}
	r.Store.Append(rec)
	return a
}

// place is where in a body an error is.
func place(why error) string {
	var j *otlpjson.Error
	if errors.As(why, &j) {
		return j.Path
	}
	return wire.Place(why)
}

// record notes an export that needed no decision.
func (r *Receiver) record(e query.Export, a answer) {
	a.record(e.Protocol)(&e)
	r.Store.Append(r.Store.NewRecord(e, nil))
}
