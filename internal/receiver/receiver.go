// Package receiver takes exports over gRPC and HTTP. Both transports share one
// decision path: bytes in, one [answer] out, and each has an encoder for it.
package receiver

import (
	"crypto/tls"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/internal/script"
	"github.com/otlptest/otlptest/internal/store"
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
	Outage         func(time.Duration) // takes the server down for a while, and returns when it is over
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
func (r *Receiver) Up() { r.conns.reopen(&r.stopped) }

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

// begin starts a request: from its headers on it counts as open until end. It
// fills in by which connection the request came; c is nil where that is not
// known. It is false after Stop: whoever finds no request open then knows that
// there will be none.
func (r *Receiver) begin(c *conn, e *query.Export) bool {
	if c == nil {
		r.Store.Begin()
	} else {
		e.Conn, e.Peer = c.note.Number(), c.note.Peer()
		e.Reused, e.TLS = c.note.Begin(e.Protocol, e.Header.Get("user-agent"))
	}
	if !r.stopped.Load() {
		return true
	}
	if c == nil {
		r.Store.End()
	} else {
		c.end() // before an answer could be on it
		c.note.Withdraw()
	}
	return false
}

// end is the counterpart of begin.
func (r *Receiver) end(c *conn) {
	if c == nil {
		r.Store.End()
		return
	}
	c.note.End()
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
	a.record(&e)
	r.Store.Append(r.Store.NewRecord(e, nil))
}
