package receiver

import (
	"errors"
	"net"
	"time"
)

// ahead is what has been read of a connection before its server asked for it.
type ahead struct {
	bytes []byte
	err   error // what came after them
}

// maxAhead is how much is read ahead, as much as a system buffers by itself.
const maxAhead = 64 << 10

// watch looks whether the client ends the connection, of which gone tells, while
// nobody reads it: a server of HTTP/1 notices only once the body is read. It
// reads ahead for that. After stop the server can read on.
func (c *conn) watch() (gone <-chan struct{}, stop func()) {
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		if c.readAhead(); c.ahead.err != nil {
			close(ended)
		}
	}()
	return ended, func() {
		c.Conn.SetReadDeadline(time.Unix(1, 0)) // ends the reading
		<-done
		c.Conn.SetReadDeadline(time.Time{})
	}
}

func (c *conn) readAhead() {
	buf := make([]byte, maxAhead)
	n := 0
	for n < len(buf) && c.ahead.err == nil {
		k, err := c.Conn.Read(buf[n:])
		n += k
		var over net.Error
		if errors.As(err, &over) && over.Timeout() {
			break // stop has ended it
		}
		c.ahead.err = err
	}
	c.ahead.bytes = append(c.ahead.bytes, buf[:n]...)
}

// read takes what was read ahead, if there is any.
func (a *ahead) read(b []byte) (n int, ok bool, err error) {
	if len(a.bytes) == 0 {
		return 0, a.err != nil, a.err
	}
	n = copy(b, a.bytes)
	a.bytes = a.bytes[n:]
	return n, true, nil
}
