// Package h2shim makes an HTTP/2 server do what no server's API offers: leave
// a stream without a word, so that frames of somebody else's choice answer it.
// It wraps the connection below the server, which may be grpc-go's, net/http's
// or any other that handles one frame before it reads the next.
package h2shim

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"sync"

	"golang.org/x/net/http2"
)

// Header is the field that is added to the head of each request: the id of its
// stream, in decimal. If the client sends fields of that name, the last one is
// ours.
const Header = "otlptest-stream"

// A Conn is the connection of one client, for a server to serve. One that does
// not begin with the client preface of HTTP/2 passes through unchanged. What
// the server writes before it has read the preface has to be whole frames.
//
// Its methods are safe for concurrent use, except that one goroutine at a time
// may call Read.
type Conn struct {
	net.Conn
	in     incoming
	reader sleeper
	out    outgoing
	turn   chan struct{} // full while somebody writes
	queue  queue
	close  sync.Once
	closed chan struct{}
}

// New returns a connection over c, which belongs to it from now on. A read of
// c that met its deadline must have lost nothing, as is so with TCP and TLS.
func New(c net.Conn) *Conn {
	return &Conn{
		Conn:   c,
		reader: newSleeper(c),
		turn:   make(chan struct{}, 1),
		closed: make(chan struct{}),
	}
}

// NetConn returns the connection below. Whoever reads it or writes to it, or
// sets its deadlines, breaks the one above.
func (c *Conn) NetConn() net.Conn { return c.Conn }

// HTTP2 says whether the server has read the client's preface.
func (c *Conn) HTTP2() bool { return c.in.http2.Load() }

// Close closes the connection below, and ends what waits in Replace and Insert.
func (c *Conn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Replace takes a stream from the server and writes frames in its place. To
// the server the client seems to have reset the stream with CANCEL: the
// handler's context is done, and it can return what it likes. To the client
// nothing of the server's comes on the stream any more, but perhaps a
// WINDOW_UPDATE, and what the handler sent before without waiting until it was
// written; it is best to send nothing. If frames writes none, the client waits.
//
// When Replace returns nil the server has forgotten the stream, and the frames
// are written as with Insert. It waits for the server to read on, and for a
// client that is in the middle of a frame to end it. So it must not be called by
// what the server waits for before it reads on: a handler may call it, a
// stats.Handler or tap of grpc-go may not. It fails if the client has
// opened no such stream, and when the connection ends.
func (c *Conn) Replace(stream uint32, frames func(*http2.Framer)) error {
	if err := c.replace(stream, frames); err != nil {
		return fmt.Errorf("h2shim: replace stream %d: %w", stream, err)
	}
	return nil
}

func (c *Conn) replace(stream uint32, frames func(*http2.Framer)) error {
	if err := c.usable(); err != nil {
		return err
	}
	if last := c.in.last.Load(); stream%2 == 0 || stream > last {
		return fmt.Errorf("the client has not opened it; its last is %d", last)
	}
	c.out.replaced.Store(stream, true)
	forgotten, err := c.reader.reset(stream)
	if err != nil {
		return err
	}
	select {
	case <-forgotten:
	case <-c.reader.gone:
		return c.reader.err
	case <-c.closed:
		return net.ErrClosed
	}
	return c.insert(frames)
}

// Insert writes frames between those of the server: neither within one nor
// within a header block. It returns when they are written, or with an error
// when the connection is closed or does not speak HTTP/2. Header blocks are to
// be made by Fields.
func (c *Conn) Insert(frames func(*http2.Framer)) error {
	err := c.usable()
	if err == nil {
		err = c.insert(frames)
	}
	if err != nil {
		return fmt.Errorf("h2shim: insert: %w", err)
	}
	return nil
}

func (c *Conn) usable() error {
	select {
	case <-c.closed:
		return net.ErrClosed
	default:
	}
	if !c.HTTP2() {
		return errors.New("the client does not speak HTTP/2")
	}
	return nil
}

func (c *Conn) insert(frames func(*http2.Framer)) error {
	var b bytes.Buffer
	frames(http2.NewFramer(&b, nil))
	done := c.queue.add(insertion{frames: b.Bytes()})
	select {
	case c.turn <- struct{}{}:
		if c.out.between() || c.out.err != nil {
			c.flush()
		} // otherwise the server's Write that ends its frame comes to it
		<-c.turn
	case err := <-done:
		return err
	case <-c.closed:
	}
	select {
	case err := <-done:
		return err
	case <-c.closed:
	}
	select {
	case err := <-done: // that was before
		return err
	default:
		return net.ErrClosed
	}
}
