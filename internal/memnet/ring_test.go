package memnet

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// ringIO makes a ring an io.Reader and an io.Writer that never block.
type ringIO struct{ ring }

func (r *ringIO) Write(b []byte) (int, error) { return r.write(b, maxRing), nil }
func (r *ringIO) Read(b []byte) (int, error)  { return r.read(b), nil }

func TestRingKeepsOrderWhateverTheSizes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var r ringIO
	var sent, received byte
	for range 2000 {
		out := make([]byte, rnd.IntN(3*minRing))
		for i := range out {
			out[i] = sent + byte(i)
		}
		sent += byte(r.write(out, maxRing))
		in := make([]byte, rnd.IntN(3*minRing))
		for _, b := range in[:r.read(in)] {
			if b != received {
				t.Fatalf("read byte %d, want %d", b, received)
			}
			received++
		}
	}
}

func TestRingIsBounded(t *testing.T) {
	var r ring
	if n := r.write(make([]byte, 2*maxRing), maxRing); n != maxRing {
		t.Errorf("first write buffered %d bytes, want %d", n, maxRing)
	}
	if n := r.write([]byte{1}, maxRing); n != 0 {
		t.Errorf("write to a full ring buffered %d bytes, want 0", n)
	}
	if n := r.read(make([]byte, 10)); n != 10 {
		t.Errorf("read %d bytes, want 10", n)
	}
	if n := r.write(make([]byte, 100), maxRing); n != 10 {
		t.Errorf("write after reading 10 bytes buffered %d, want 10", n)
	}
}

func TestRingGrowsOnDemand(t *testing.T) {
	var r ringIO
	r.write([]byte("ab"), maxRing)
	if got := len(r.mem); got != minRing {
		t.Errorf("after 2 bytes the ring has %d, want %d", got, minRing)
	}
	r.read(make([]byte, 1))
	r.write(bytes.Repeat([]byte("c"), minRing), maxRing) // wraps and does not fit
	if got := len(r.mem); got != 2*minRing {
		t.Errorf("after %d bytes the ring has %d, want %d", minRing+1, got, 2*minRing)
	}
	got := make([]byte, minRing+1)
	io.ReadFull(&r, got)
	if want := "b" + string(bytes.Repeat([]byte("c"), minRing)); string(got) != want {
		t.Error("growing changed what was buffered")
	}
}
