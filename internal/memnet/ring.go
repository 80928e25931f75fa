package memnet

const (
	minRing = 4 << 10
	maxRing = 64 << 10
)

// A ring is a first-in, first-out buffer. Its memory grows with what has been buffered
// at a time. The zero value is empty and ready for use.
type ring struct {
	mem   []byte
	start int // where in mem the oldest byte is
	n     int // how many bytes are buffered
}

// write buffers as much of b as there is room for below limit and returns how much
// that was.
func (r *ring) write(b []byte, limit int) int {
	b = b[:min(len(b), limit-r.n)]
	r.grow(r.n + len(b))
	for rest := b; len(rest) > 0; {
		end := (r.start + r.n) % len(r.mem)
		k := copy(r.mem[end:min(len(r.mem), end+len(r.mem)-r.n)], rest)
		r.n += k
		rest = rest[k:]
	}
	return len(b)
}

// read moves the oldest bytes to b and returns how many there were.
func (r *ring) read(b []byte) int {
	b = b[:min(len(b), r.n)]
	for rest := b; len(rest) > 0; {
		k := copy(rest, r.mem[r.start:])
		r.start = (r.start + k) % len(r.mem)
		r.n -= k
		rest = rest[k:]
	}
	if r.n == 0 {
		r.start = 0
	}
	return len(b)
}

// grow makes room for n bytes in all.
func (r *ring) grow(n int) {
	if n <= len(r.mem) {
		return
	}
	size := max(minRing, len(r.mem))
	for size < n {
		size *= 2
	}
	mem := make([]byte, size)
	buffered := r.n
	r.read(mem[:buffered])
	*r = ring{mem: mem, n: buffered}
}
