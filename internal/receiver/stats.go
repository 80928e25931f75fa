package receiver

import (
	"context"
	"strings"
	"time"

	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/otlptest/otlptest/internal/h2shim"
	"github.com/otlptest/otlptest/query"
)

// calls sees every gRPC call, those too that grpc-go answers before a handler
// could: with a compression that nobody has registered (S-01).
type calls struct {
	unserved func(context.Context, *call, error) // records one
}

// call is what is known of a call from its head on.
type call struct {
	method  string
	arrived time.Time
	header  *stats.InHeader
	served  bool // a handler has taken it
}

type callKey struct{}

// callOf is what calls has put into a call's context.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// TagRPC implements stats.Handler.
func (calls) TagRPC(ctx context.Context, info *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, callKey{}, &call{method: info.FullMethodName, arrived: time.Now()})
}

// HandleRPC implements stats.Handler.
func (h calls) HandleRPC(ctx context.Context, s stats.RPCStats) {
	switch s := s.(type) {
	case *stats.InHeader:
		callOf(ctx).header = s
	case *stats.End:
		if c := callOf(ctx); !c.served && s.Error != nil && !strings.HasPrefix(c.method, "/grpc.") {
			h.unserved(ctx, c, s.Error)
		}
	}
}

// TagConn implements stats.Handler.
func (calls) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// HandleConn implements stats.Handler.
func (calls) HandleConn(context.Context, stats.ConnStats) {}

// export is what a call's head says, and what it came by. The shim's field is
// gone from the head.
func (c *call) export(ctx context.Context, signal query.Signal) (e query.Export, by line) {
	e = query.Export{Signal: signal, Protocol: query.GRPC, Path: c.method, Arrived: c.arrived}
	if c.header != nil {
		e.Header, e.Encoding = query.Header(c.header.Header), c.header.Compression
	}
	if ids := e.Header[h2shim.Header]; len(ids) > 0 {
		by.stream = streamID(ids)
		delete(e.Header, h2shim.Header)
	}
	by.path = c.method
	e.Deadline, _ = ctx.Deadline()
	if p, ok := peer.FromContext(ctx); ok {
		if info, ok := p.AuthInfo.(connInfo); ok {
			by.conn = info.conn
		}
	}
	return e, by
}

// recordUnserved records a call that grpc-go has answered by itself.
func (r *Receiver) recordUnserved(ctx context.Context, c *call, err error) {
	e, by := c.export(ctx, signalOfMethod(c.method))
	if !r.begin(by.conn, &e) {
		return
	}
	defer r.end(by.conn)
	e.Received = time.Now()
	st := status.Convert(err)
	r.record(e, answer{outcome: query.Refused, code: st.Code(), message: st.Message()})
}
