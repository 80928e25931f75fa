package h2shim

import (
	"errors"
	"net"
)

// Read implements net.Conn. It fills b with what has come, and a server that
// calls it again must have handled every frame it was given.
func (c *Conn) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	if c.in.ready.Len() == 0 {
		c.reader.heard()
	}
	for {
		if c.reader.called.Load() {
			c.answer()
		}
		if c.in.ready.Len() > 0 {
			return c.in.ready.Read(b)
		}
		n, err := c.advance(b)
		switch {
		case n > 0:
			return n, nil
		case err == nil, timeout(err) && c.reader.awakened():
		case timeout(err):
			return 0, err
		default:
			c.reader.leave(err)
			if c.in.raw.Len() == 0 {
				return 0, err
			}
			c.in.plain = true // what is left is for the server to complain about
		}
	}
}

// answer is what the reader does when it was woken: the server hears of the
// resets as soon as no frame of the client's is under way.
func (c *Conn) answer() {
	c.reader.rest()
	if c.in.between() {
		c.reader.tell(&c.in.ready)
	}
}

// advance passes what has come, in b, and waits for more if that is no more
// than a part of a frame's head. An error that comes with data is left for the
// next call to meet again.
func (c *Conn) advance(b []byte) (int, error) {
	raw := c.in.raw.Bytes()
	if k := c.in.pass(raw[:min(len(raw), len(b))], &c.reader.called); k > 0 {
		return c.in.raw.Read(b[:k])
	}
	n := copy(b, raw)
	if n == len(b) {
		return 0, c.advanceLittle()
	}
	m, err := c.Conn.Read(b[n:])
	if m == 0 {
		return 0, err
	}
	n += m
	k := c.in.pass(b[:n], &c.reader.called)
	c.in.raw.Reset()
	c.in.raw.Write(b[k:n])
	return k, nil
}

// advanceLittle is advance for a buffer that is too small for a head.
func (c *Conn) advanceLittle() error {
	b := make([]byte, 64)
	n, err := c.advance(b)
	b = append(b[:n], c.in.ready.Bytes()...)
	c.in.ready.Reset()
	c.in.ready.Write(b)
	return err
}

func timeout(err error) bool {
	if e, ok := err.(net.Error); ok { // as is usual, and costs nothing
		return e.Timeout()
	}
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}
