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
	MaxRequestSize int                 // bytes of a request, as sent and again once decompressed
	HangLimit      time.Duration       // when an artificial wait ends by itself
	TLS            *tls.Config         // nil for plaintext
	PathPrefix     string              // before the HTTP paths; empty, or with a slash at its beginning only
	Authorization  []string            // the values of that header that are accepted; none for any
	Decoders       map[string]Decoder  // of encodings of HTTP bodies, beside gzip
	Outage         func(time.Duration) // takes the server down for a while, and returns at once
	Strict         bool                // departures from OTLP are refused, as package violations says
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
	holds     holds
}

// New makes a Receiver that no transport serves yet.
func New(c Config) *Receiver {
	return &Receiver{Config: c, bodies: bodies{max: c.MaxRequestSize, decoders: c.Decoders}, stop: make(chan struct{})}
}

// Stop closes every connection and ends every wait. What is open is recorded
// as cut by the server.
func (r *Receiver) Stop() {
	if r.stopped.CompareAndSwap(false, true) {
		close(r.stop)
		r.conns.shut()
	}
}

// Stopped is closed by Stop.
func (r *Receiver) Stopped() <-chan struct{} { return r.stop }

// Down closes every connection, and each that is accepted before Up.
func (r *Receiver) Down() { r.conns.shut() }

// Up takes connections again, unless the receiver has stopped.
func (r *Receiver) Up() {
	if !r.stopped.Load() {
		r.conns.reopen()
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
	e.Reused, e.TLS = c.note.Begin(e.Protocol, e.Header.Get("user-agent"))
	return c.note.End
}

// exchange is one request, and the decision about it.
type exchange struct {
	*Receiver
	ctx      context.Context
	export   query.Export
	line     line
	decision script.Decision
	early    bool            // it was decided when the head had come
	unread   bool            // the body is still to be read, by HTTP/1
	gone     <-chan struct{} // the client has ended the connection meanwhile
}

// run takes a request whose head is in order, up to its answer, which it
// records as given. The caller has only to encode it, unless there is none.
func (x *exchange) run(asJSON bool, read func(slowly int64) message) answer {
	defer func() { x.decision.Done() }()
	x.decision, x.early = x.Script.Begin(x.request())
	fault := x.decision.Fault
	if x.early && fault.Unread {
		defer x.watch()()
		return x.refuseUnread()
	}
	if fault.ReadDelay > 0 && x.readLater(fault.ReadDelay) {
		return x.refuse(message{}, errBroken)
	}
	m := read(fault.ReadRate)
	m.json = asJSON
	return x.receive(m)
}

// request is what rules can look at, as far as the head tells.
func (x *exchange) request() script.Request {
	return script.Request{
		Signal: x.export.Signal, Protocol: x.export.Protocol, Header: x.export.Header,
		Connection: x.export.Conn, Arrived: x.export.Arrived,
	}
}

// readLater waits before the body is read, and says whether the client ended
// the request meanwhile.
func (x *exchange) readLater(d time.Duration) (ended bool) {
	defer x.watch()()
	_, ended = x.wait(d)
	return ended
}

// watch makes waits end with the connection, until stop is called, where nobody
// else would notice its end.
func (x *exchange) watch() (stop func()) {
	if !x.unread || x.line.conn == nil {
		return func() {}
	}
	x.gone, stop = x.line.conn.watch()
	return stop
}

// refuseUnread meets a fault that does not wait for the body.
func (x *exchange) refuseUnread() answer {
	x.export.Unread, x.export.Outcome = true, query.Open
	rec := x.Store.NewRecord(x.export, nil)
	rec.Fault(x.decision.Ref)
	x.Store.Append(rec)
	return x.finish(rec, answerTo(x.decision.Fault), false)
}

// receive decides an export whose body has come.
func (x *exchange) receive(m message) answer {
	x.export.Received = time.Now()
	x.export.WireSize, x.export.BodySize = m.wire, len(m.body)
	if m.err != nil {
		return x.refuse(m, m.err)
	}
	sig := x.export.Signal
	body, departures, err := x.protobuf(sig, &m, x.mode())
	if err != nil {
		return x.refuse(m, err)
	}
	items, err := wire.Validate(sig, body)
	if err != nil {
		return x.refuse(m, fmt.Errorf("request is not valid protobuf: %w", err))
	}
	x.export.Items, x.export.Outcome = items, query.Open
	rec := x.Store.NewRecord(x.export, body)
	rec.Departures(departures)
	x.decide(rec, items)
	a := x.keep(rec, body)
	x.Store.Append(rec)
	return x.finish(rec, a, m.json)
}

// decide asks the script, unless that was done when the head had come.
func (x *exchange) decide(rec *store.Record, items int) {
	if !x.early {
		req := x.request()
		req.Items, req.Match, req.Attempt = items, rec.Match, func() int { return x.Store.Attempt(rec) }
		x.decision = x.Script.Decide(req)
	}
	rec.Fault(x.decision.Ref)
}

// keep says which items are stored, and returns what is answered.
func (x *exchange) keep(rec *store.Record, body []byte) answer {
	f := x.effective()
	switch {
	case f.Kind == faults.KindAccept && x.Strict && !f.Drop:
		return x.judge(rec, violations.Judge(x.export.Signal, body)).by(f)
	case len(f.Filters) > 0:
		refused := rec.Select(f.Filters)
		f.Rejected = int64(refused.Len())
		rec.KeepExcept(refused)
	case f.Stores() || x.line.answers(f):
		rec.Keep(int(min(f.Rejected, int64(x.export.Items))))
	}
	if x.line.answers(f) {
		return answer{outcome: query.Accepted, fault: f}
	}
	return answerTo(f)
}

// effective is the fault of the decision as far as it concerns this export.
func (x *exchange) effective() faults.Fault {
	f, http := x.decision.Fault, x.export.Protocol != query.GRPC
	if f.Kind != faults.KindOld {
		return f
	}
	f.Kind = faults.KindAccept
	switch {
	case x.export.Protocol == query.HTTPJSON:
		f.Kind, f.HTTP, f.Message = faults.KindHTTP, 415, "got JSON, want protobuf: this is an old server"
	case x.export.Signal == query.Logs && http:
		f.Kind, f.HTTP, f.Message = faults.KindHTTP, 404, "got logs, want traces or metrics: this is an old server"
	case x.export.Signal == query.Logs:
		f.Kind, f.Code, f.Message = faults.KindCode, query.Code(codes.Unimplemented), "unknown service "+services[query.Logs]
	}
	return f
}

// judge keeps what a strict server keeps, and returns what it answers.
func (x *exchange) judge(rec *store.Record, v violations.Verdict) answer {
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

// finish waits as long as the fault and holds say, records the answer, and does
// what is done instead of one.
func (x *exchange) finish(rec *store.Record, a answer, asJSON bool) answer {
	if a.fault.Kind == faults.KindBlackhole {
		x.line.conn.silence()
	}
	if broken, ended := x.linger(rec, a.fault); ended {
		a = broken
	}
	a = a.fit(x.export.Signal, asJSON)
	a.at = time.Now()
	x.Store.Finish(rec, a.record(x.export.Protocol))
	x.line.do(x.Receiver, a.fault)
	return a
}

// linger waits as long as a fault and those who hold answers back say. The
// export may end before, and then has none.
func (x *exchange) linger(rec *store.Record, f faults.Fault) (a answer, ended bool) {
	if f.Delay > 0 {
		if a, ended = x.wait(f.Delay); ended {
			return a, ended
		}
	}
	if a, ended = x.heldBack(rec); ended {
		return a, ended
	}
	if f.Kind == faults.KindHang || f.Kind == faults.KindBlackhole {
		return x.wait(x.HangLimit)
	}
	return answer{}, false
}

// wait lasts for d, and no longer than the hang limit, unless the client gives
// up or the server stops before: then it returns the answer that there is none.
func (x *exchange) wait(d time.Duration) (a answer, ended bool) {
	return x.waitFor(nil, d)
}

// waitFor is wait that ends with done, too.
func (x *exchange) waitFor(done <-chan struct{}, d time.Duration) (a answer, ended bool) {
	timer := time.NewTimer(min(d, x.HangLimit))
	defer timer.Stop()
	select {
	case <-timer.C:
		return answer{}, false
	case <-done:
		return answer{}, false
	case <-x.ctx.Done():
	case <-x.gone:
	case <-x.stop:
	}
	return answer{outcome: x.broken()}, true
}

// broken is what became of an export whose connection or call ended before its
// answer.
func (x *exchange) broken() query.Outcome {
	if x.stopped.Load() || x.line.cut() {
		return query.Cut
	}
	return query.Abandoned
}

// refuse records an export of which nothing can be kept, and returns its
// answer.
func (x *exchange) refuse(m message, why error) answer {
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
		a = answer{outcome: x.broken()}
	}
	a.at = time.Now()
	e := x.export
	e.Fault = x.decision.Ref
	a.record(e.Protocol)(&e)
	rec := x.Store.NewRecord(e, nil)
	if a.outcome == query.Malformed {
		rec.Malformed(m.body, why)
	}
	x.Store.Append(rec)
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
	a.at = time.Now()
	a.record(e.Protocol)(&e)
	r.Store.Append(r.Store.NewRecord(e, nil))
}
