package receiver

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"math/rand"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/query"
)

func zipped(members ...string) []byte {
	var buf bytes.Buffer
	for _, m := range members {
		w := gzip.NewWriter(&buf)
		io.WriteString(w, m)
		w.Close()
	}
	return buf.Bytes()
}

// stored is gzip that does not compress, which is quick.
func stored(data string) []byte {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.NoCompression)
	if err != nil {
		panic(err)
	}
	io.WriteString(w, data)
	w.Close()
	return buf.Bytes()
}

// lying is gzip whose trailer says another length than the data has.
func lying(data string, length uint32) []byte {
	z := zipped(data)
	binary.LittleEndian.PutUint32(z[len(z)-4:], length)
	return z
}

func TestDecompress(t *testing.T) {
	const limit = 1000
	full := strings.Repeat("x", limit)
	tests := []struct {
		name string
		zip  []byte
		want string
		err  error
	}{
		{"one member", zipped("hello"), "hello", nil},
		{"several members", zipped("hello, ", "", "world"), "hello, world", nil},
		{"no data", zipped(""), "", nil},
		{"as much as is allowed", zipped(full), full, nil},
		{"a byte more", zipped(full + "x"), "", ErrTooLarge},
		{"more in several members", zipped(full, "x"), "", ErrTooLarge},
		{"much more", zipped(strings.Repeat("x", 1000*limit)), "", ErrTooLarge},
		{"a length that is too small", lying(full, 1), "", errCompression},
		{"a length that is too large", lying("hello", 1<<31), "", errCompression},
		{"nothing", nil, "", errCompression},
		{"no gzip", []byte(strings.Repeat("no", 100)), "", errCompression},
		{"cut in the data", zipped(full)[:15], "", errCompression},
		{"cut in the trailer", zipped(full)[:len(zipped(full))-1], "", errCompression},
		{"more after the end", append(zipped("hello"), "and more of what is no gzip"...), "", errCompression},
		{"too much before", bytes.Repeat(zipped(""), limit), "", ErrTooLarge},
	}
	g := &bodies{max: limit}
	for range 2 { // the second time with what the first left in the pools
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				m := g.gunzip(bytes.NewReader(test.zip))
				if !errors.Is(m.err, test.err) || m.err == nil && string(m.body) != test.want {
					t.Errorf("got %d bytes and the error %v, want %d and %v", len(m.body), m.err, len(test.want), test.err)
				}
				if len(test.zip) <= limit && m.wire != len(test.zip) {
					t.Errorf("got %d bytes on the wire, want %d", m.wire, len(test.zip))
				}
			})
		}
	}
}

func TestReadPlain(t *testing.T) {
	g := &bodies{max: 5}
	tests := []struct {
		body string
		hint int64
		err  error
	}{
		{"hello", 5, nil},
		{"hello", -1, nil},
		{"", 0, nil},
		{"", -1, nil},
		{"hello!", 6, ErrTooLarge},
		{"hello!", -1, ErrTooLarge},
		{"hell", 5, errBroken},
	}
	for _, test := range tests {
		m := g.plain(strings.NewReader(test.body), test.hint)
		if !errors.Is(m.err, test.err) || m.err == nil && (string(m.body) != test.body || m.wire != len(test.body) || cap(m.body) > max(8, len(m.body))) {
			t.Errorf("got %q and %v of %q with hint %d, want the error %v", m.body, m.err, test.body, test.hint, test.err)
		}
	}
	if m := g.plain(io.MultiReader(strings.NewReader("he"), errReader{}), -1); !errors.Is(m.err, errBroken) {
		t.Errorf("got %v from a body that breaks off, want %v", m.err, errBroken)
	}
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// What is kept has exactly the size that it needs.
func TestDecompressedBytesWasteNothing(t *testing.T) {
	g := &bodies{max: 64 << 20}
	m := g.gunzip(bytes.NewReader(zipped(strings.Repeat("hello", 10_000))))
	if m.err != nil || len(m.body) != 50_000 || cap(m.body) != 50_000 {
		t.Errorf("got %d bytes in %d, %v, want 50000 in 50000", len(m.body), cap(m.body), m.err)
	}
}

// A small body that would decompress to gigabytes costs no more than the cap.
func TestBombIsDefusedAtTheCap(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates as well")
	}
	const limit = 1 << 20
	g := &bodies{max: limit}
	bomb := zipped(strings.Repeat("\x00", 8<<20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := g.gunzip(bytes.NewReader(bomb))
	runtime.ReadMemStats(&after)
	if !errors.Is(m.err, ErrTooLarge) {
		t.Errorf("got %v, want %v", m.err, ErrTooLarge)
	}
	const reader = 1 << 16 // gzip's own state
	if got := after.TotalAlloc - before.TotalAlloc; got > 3*limit+reader {
		t.Errorf("it took %d bytes of memory, want at most three times the cap", got)
	}
}

// Long bodies are read in pieces, and come out whole.
func TestLongBodiesAreReadInPieces(t *testing.T) {
	const limit = 2 * pooled
	g := &bodies{max: limit}
	random := make([]byte, limit+1)
	rand.New(rand.NewSource(1)).Read(random)
	for _, n := range []int{pooled - 1, pooled, pooled + 1, limit, limit + 1} {
		want := string(random[:n])
		z := stored(want)
		for name, m := range map[string]message{
			"plain": g.read(iotest.HalfReader(strings.NewReader(want)), "", -1),
			"gzip":  g.read(bytes.NewReader(z), "gzip", -1),
			"flate": (&bodies{max: limit, decoders: map[string]Decoder{"gzip2": func(r io.Reader, _ int) (io.ReadCloser, error) { return gzip.NewReader(r) }}}).
				read(bytes.NewReader(z), "gzip2", -1),
		} {
			fits := n <= limit && (name == "plain" || len(z) <= limit)
			if fits != (m.err == nil) || !fits && !errors.Is(m.err, ErrTooLarge) || fits && string(m.body) != want {
				t.Errorf("%s: got %d bytes and %v of %d", name, len(m.body), m.err, n)
			}
		}
	}
	m := g.read(io.MultiReader(bytes.NewReader(random[:pooled+9]), errReader{}), "", -1)
	if !errors.Is(m.err, errBroken) {
		t.Errorf("got %v from a long body that breaks off, want %v", m.err, errBroken)
	}
}

// Whatever comes, reading it takes at most three times the cap.
func TestReadingTakesAtMostThreeTimesTheCap(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates as well")
	}
	const limit = 8 * pooled
	random := make([]byte, limit)
	rand.New(rand.NewSource(1)).Read(random)
	for name, test := range map[string]struct {
		encoding string
		body     []byte
	}{
		"plain":            {"", random},
		"gzip of noise":    {"gzip", stored(string(random[:limit-pooled]))},
		"gzip of nothing":  {"gzip", zipped(strings.Repeat("x", limit))},
		"gzip of too much": {"gzip", zipped(strings.Repeat("x", 4*limit))},
		"a lying length":   {"gzip", lying(strings.Repeat("x", limit), 100)},
	} {
		g := &bodies{max: limit}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		g.read(bytes.NewReader(test.body), test.encoding, -1)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 3*limit {
			t.Errorf("%s: it took %d bytes of memory, want at most three times the cap of %d", name, got, limit)
		}
	}
}

// JSON and its protobuf, which can be longer, take at most that as well.
func TestConvertingJSONTakesAtMostThreeTimesTheCap(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates as well")
	}
	const limit = 8 * pooled
	const list, end = `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"histogram":{"dataPoints":[{"explicitBounds":[`, `0]}]}}]}]}]}`
	for name, json := range map[string]string{
		"a list that grows beyond": list + strings.Repeat("0,", limit/2-len(list)) + end,
		"a list that just fits":    list + strings.Repeat("0,", limit/8-len(list)) + end,
		"a long text":              `{"resourceMetrics":[{"schemaUrl":"` + strings.Repeat("x", limit-100) + `"}]}`,
		"nothing":                  `{"resourceMetrics":[` + strings.Repeat("{},", limit/3-10) + `{}]}`,
	} {
		r := New(Config{MaxRequestSize: limit})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m := r.bodies.read(strings.NewReader(json), "", int64(len(json)))
		m.json = true
		_, _, err := r.protobuf(query.Metrics, &m, otlpjson.Lenient)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 3*limit {
			t.Errorf("%s: it took %d bytes of memory, want at most three times the cap of %d", name, got, limit)
		}
		if tooLong := strings.Contains(name, "beyond"); tooLong != errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func FuzzDecompress(f *testing.F) {
	f.Add(zipped("hello"), 100)
	f.Add(zipped("hello", "world"), 7)
	f.Add(lying("hello", 1<<31), 100)
	f.Fuzz(func(t *testing.T, z []byte, limit int) {
		if limit < 0 || limit > 1<<20 {
			t.Skip("no cap that a server could have here")
		}
		m := (&bodies{max: limit}).gunzip(bytes.NewReader(z))
		zr, err := gzip.NewReader(bytes.NewReader(z))
		var want []byte
		if err == nil {
			want, err = io.ReadAll(io.LimitReader(zr, int64(limit)+1))
		}
		fits := len(z) <= limit && len(want) <= limit
		if (m.err == nil) != (err == nil && fits) {
			t.Fatalf("got the error %v, want it as package gzip has it, %v, or for the cap of %d", m.err, err, limit)
		}
		if m.err == nil && !bytes.Equal(m.body, want) {
			t.Fatalf("got %q, want %q", m.body, want)
		}
	})
}
