package receiver

import (
	"net"
	"testing"
)

// onePool is a pool that knows whether its buffer is out.
type onePool struct{ out bool }

func (p *onePool) Get(n int) *[]byte {
	p.out = true
	b := make([]byte, n)
	return &b
}

func (p *onePool) Put(*[]byte) { p.out = false }

func TestBuffersGoBackToThePoolWhenNothingCame(t *testing.T) {
	ours, theirs := net.Pipe()
	go func() {
		theirs.Write([]byte("some"))
		theirs.Close()
	}()
	var pool onePool
	b, n, err := lean{ours}.ReadOnReady(16, &pool)
	if err != nil || !pool.out || string((*b)[:n]) != "some" {
		t.Errorf("got %q and %v, want what came, in a buffer of the pool", *b, err)
	}
	if b, n, err := (lean{ours}).ReadOnReady(16, &pool); b != nil || n != 0 || err == nil || pool.out {
		t.Errorf("got %v, %d bytes and %v, want an error and the buffer back", b, n, err)
	}
}
