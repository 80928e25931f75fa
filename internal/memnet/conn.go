package memnet

import (
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// A Conn is one end of a connection, made by [Dial] or [Listener.Accept]. It is a
// [net.Conn] that fails as a [*net.TCPConn] does: every error but [io.EOF] is a
// [*net.OpError], which wraps
//
//   - [net.ErrClosed] after Close or Reset of this end,
//   - [os.ErrDeadlineExceeded] after a deadline,
//   - [syscall.EPIPE] when writing after CloseWrite or after the other end's Close,
//   - [syscall.ECONNRESET] after the other end's Reset.
//
// All methods are safe for concurrent use.
type Conn struct {
	in, out       *pipe
	local, remote *net.TCPAddr
}

// newConns returns both ends of a connection, between which everything takes
// the delay.
func newConns(client, server *net.TCPAddr, delay time.Duration) (*Conn, *Conn) {
	up, down := newPipe(delay), newPipe(delay)
	return &Conn{in: down, out: up, local: client, remote: server},
		&Conn{in: up, out: down, local: server, remote: client}
}

// LocalAddr returns the address of this end, a [*net.TCPAddr].
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr returns the address of the other end, a [*net.TCPAddr].
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// Read waits until there is something to read and returns as much of it as fits
// into b. After the other end's Close or CloseWrite it returns what is buffered
// and then [io.EOF].
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.in.read(b)
	if err != nil && err != io.EOF {
		err = c.error("read", "read", err)
	}
	return n, err
}

// Write puts b into a buffer for the other end to read, and waits while the
// buffer is full: with 64 KiB, or on a host with a round trip with 16 MiB. With an
// error it returns how much of b was buffered before. The bytes of concurrent
// writes do not mix.
//
// The other end's Close fails pending writes. If there are none the next write
// succeeds but is lost, as TCP finds out only by sending; those after it fail.
func (c *Conn) Write(b []byte) (int, error) {
	n, err := c.out.write(b)
	if err != nil {
		err = c.error("write", "write", err)
	}
	return n, err
}

// Close closes this end and ends its pending reads and writes. The other end can
// read what was written before.
func (c *Conn) Close() error {
	if !c.in.closeRead(nil) {
		return c.error("close", "close", net.ErrClosed)
	}
	c.out.closeWrite(nil)
	return nil
}

// CloseWrite ends this end's writes, and with them what the other end reads. The
// opposite direction stays open.
func (c *Conn) CloseWrite() error {
	if err := c.out.shutdown(); err != nil {
		return c.error("close", "shutdown", err)
	}
	return nil
}

// Reset closes this end abruptly, as a [net.TCPConn] is closed after SetLinger(0):
// what is buffered in either direction is lost, and pending and future reads and
// writes of the other end fail with [syscall.ECONNRESET].
func (c *Conn) Reset() error {
	if !c.in.closeRead(syscall.ECONNRESET) {
		return c.error("close", "close", net.ErrClosed)
	}
	c.out.closeWrite(syscall.ECONNRESET)
	return nil
}

// SetDeadline sets the deadlines of reads and writes.
func (c *Conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// SetReadDeadline sets when pending and future reads fail, whether or not there
// is something to read. The zero time means never.
func (c *Conn) SetReadDeadline(t time.Time) error {
	return c.setDeadline(c.in, &c.in.reader, t)
}

// SetWriteDeadline sets when pending and future writes fail, whether or not
// there is room. The zero time means never.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	return c.setDeadline(c.out, &c.out.writer, t)
}

func (c *Conn) setDeadline(p *pipe, e *end, t time.Time) error {
	if !p.setDeadline(e, t) {
		return c.error("set", "", net.ErrClosed)
	}
	return nil
}

// error describes err, which ended op, as package net does. The system call is
// named if it was the network that failed.
func (c *Conn) error(op, call string, err error) error {
	if errno, ok := err.(syscall.Errno); ok {
		err = os.NewSyscallError(call, errno)
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}
