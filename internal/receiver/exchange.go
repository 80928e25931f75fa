package receiver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/internal/script"
	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/internal/violations"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

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
	defer x.decision.Done()
	if x.Script.Live() {
		x.begin()
	}
	fault := x.fault()
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

// begin asks the script when the head has come.
func (x *exchange) begin() { x.decision, x.early = x.Script.Begin(x.request()) }

// fault is that of the decision. It is never nil, and read-only.
func (x *exchange) fault() *faults.Fault { return faultOr(x.decision.Fault) }

// request is what rules can look at, as far as the head tells.
func (x *exchange) request() script.Request {
	return script.Request{
		Signal: x.export.Signal, Protocol: x.export.Protocol, Header: x.export.Header,
		Connection: x.export.Conn, Arrived: x.export.Arrived,
	}
}

// refuseUnread meets a fault that does not wait for the body.
func (x *exchange) refuseUnread() answer {
	x.export.Unread, x.export.Outcome = true, query.Open
	rec := x.Store.NewRecord(x.export, nil)
	rec.Fault(x.decision.Ref)
	x.Store.Append(rec)
	a := answerTo(x.fault())
	if x.line.answers(a.fault()) {
		a = answer{outcome: query.Accepted, scripted: a.scripted}
	}
	return x.finish(rec, a, false)
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
	if !x.Store.Admits(len(body)) {
		return x.refuseForRoom(body, departures)
	}
	rec := x.Store.NewRecord(x.export, body)
	rec.Departures(departures)
	if !x.early && x.Script.Live() {
		x.decide(rec, items)
	}
	rec.Fault(x.decision.Ref)
	a := x.keep(rec, body)
	x.Store.Append(rec)
	return x.finish(rec, a, m.json)
}

// decide asks the script when the body has come.
func (x *exchange) decide(rec *store.Record, items int) {
	req := x.request()
	req.Items, req.Match, req.Attempt, req.Begun = items, rec.Match, func() int { return x.Store.Attempt(rec) }, x.decision
	x.decision = x.Script.Decide(req)
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
		return answer{outcome: query.Accepted, scripted: f}
	}
	return answerTo(f)
}

// effective is the fault of the decision as far as it concerns this export.
func (x *exchange) effective() *faults.Fault {
	if x.fault().Kind != faults.KindOld {
		return x.fault()
	}
	f, http := *x.fault(), x.export.Protocol != query.GRPC
	f.Kind = faults.KindAccept
	switch {
	case x.export.Protocol == query.HTTPJSON:
		f.Kind, f.HTTP, f.Message = faults.KindHTTP, 415, "got JSON, want protobuf: this is an old server"
	case x.export.Signal == query.Logs && http:
		f.Kind, f.HTTP, f.Message = faults.KindHTTP, 404, "got logs, want traces or metrics: this is an old server"
	case x.export.Signal == query.Logs:
		f.Kind, f.Code, f.Message = faults.KindCode, query.Code(codes.Unimplemented), "unknown service "+services[query.Logs]
	}
	return &f
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
	if a.fault().Kind == faults.KindBlackhole {
		x.line.silence()
	}
	if broken, ended := x.linger(rec, a.fault()); ended {
		a = broken
	} else if x.line.silent() && a.fault().Kind != faults.KindBlackhole {
		a = answer{outcome: query.Cut} // nothing passes any more
	}
	a = a.fit(x.export.Signal, asJSON)
	a.at = time.Now()
	x.Store.Finish(rec, a.record)
	x.line.do(x.Receiver, a.fault())
	return a
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
	a.record(&e)
	rec := x.Store.NewRecord(e, nil)
	if a.outcome == query.Malformed {
		rec.Malformed(m.body, why)
	}
	x.Store.Append(rec)
	return a
}
