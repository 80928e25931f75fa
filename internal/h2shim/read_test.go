package h2shim_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/otlptest/otlptest/internal/h2shim"
)

// field is what is added to the head of stream 1.
var field = h2shim.Fields(h2shim.Header, "1")

// through is what a server reads size bytes at a time when the client's bytes
// come in chunks.
func through(t testing.TB, chunks [][]byte, size int) []byte {
	t.Helper()
	conn := h2shim.New(&scripted{chunks: chunks})
	var got []byte
	for b := make([]byte, size); ; {
		n, err := conn.Read(b)
		got = append(got, b[:n]...)
		if err == io.EOF {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// checkThrough compares what comes of in with want, however it is cut.
func checkThrough(t *testing.T, in, want []byte) {
	t.Helper()
	for _, chunk := range []int{1, 9, 11, 63, len(in)} {
		for _, size := range []int{1, 9, 10, 24, 32 << 10} {
			if got := through(t, chunked(in, chunk), size); !bytes.Equal(got, want) {
				t.Errorf("in chunks of %d, read by %d: got %d bytes\n%.300q, want %d\n%.300q", chunk, size, len(got), got, len(want), want)
				return
			}
		}
	}
}

func TestOtherProtocolsPassUnchanged(t *testing.T) {
	for _, in := range []string{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"P", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r", "PRI * HTTP/2.0\r\n\r\nSM\r\n\rX" + strings.Repeat("\x00\x00\x01\x01\x04\x00\x00\x00\x01\x82", 9),
		"\x00\x00\x01\x01\x04\x00\x00\x00\x01\x82",
	} {
		checkThrough(t, []byte(in), []byte(in))
	}
}

func TestBytesAreHandedOnAsTheyCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, in := range []string{"GET / HTTP/1.1\r\n", http2.ClientPreface} {
			client, server := memPair(t)
			conn := h2shim.New(server)
			for i := range in {
				client.Write([]byte(in[i : i+1]))
				if n, err := conn.Read(make([]byte, 100)); n != 1 || err != nil {
					t.Errorf("byte %d of %q: got %d bytes, %v", i, in, n, err)
				}
			}
			if got, want := conn.HTTP2(), in == http2.ClientPreface; got != want {
				t.Errorf("after %q it is HTTP/2: %v", in, got)
			}
			conn.Write([]byte("HTTP/")) // not a whole head
			if in != http2.ClientPreface {
				if n, err := client.Read(make([]byte, 100)); n != 5 || err != nil {
					t.Errorf("the client got %d bytes, %v, want 5", n, err)
				}
			}
		}
	})
}

func headers(id uint32, block string, end bool) func(*http2.Framer) {
	return func(f *http2.Framer) {
		f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: []byte(block), EndHeaders: end})
	}
}

func raw(t http2.FrameType, flags http2.Flags, id uint32, payload string) func(*http2.Framer) {
	return func(f *http2.Framer) { f.WriteRawFrame(t, flags, id, []byte(payload)) }
}

func all(fs ...func(*http2.Framer)) func(*http2.Framer) {
	return func(f *http2.Framer) {
		for _, w := range fs {
			w(f)
		}
	}
}

func TestFieldEndsTheHeaderBlockThatOpensAStream(t *testing.T) {
	const (
		end  = http2.FlagHeadersEndHeaders
		head = http2.FrameHeaders
		more = http2.FrameContinuation
		full = http2.FlagHeadersPadded | http2.FlagHeadersPriority
	)
	one := string(field)
	three := string(h2shim.Fields(h2shim.Header, "3"))
	big := strings.Repeat("b", 16384)
	fits := big[:16384-len(one)]
	body := raw(http2.FrameData, 0, 1, "body")
	for name, test := range map[string]struct{ in, want func(*http2.Framer) }{
		"one frame":          {headers(1, "abc", true), headers(1, "abc"+one, true)},
		"empty block":        {headers(1, "", true), headers(1, one, true)},
		"with a body":        {all(headers(1, "abc", true), body), all(headers(1, "abc"+one, true), body)},
		"two streams":        {all(headers(1, "a", true), body, headers(3, "b", true)), all(headers(1, "a"+one, true), body, headers(3, "b"+three, true))},
		"trailers":           {all(headers(1, "a", true), body, headers(1, "b", true)), all(headers(1, "a"+one, true), body, headers(1, "b", true))},
		"an older stream":    {all(headers(3, "a", true), headers(1, "b", true)), all(headers(3, "a"+three, true), headers(1, "b", true))},
		"no client's stream": {headers(2, "a", true), headers(2, "a", true)},
		"reserved bit":       {raw(head, end, 1|1<<31, "a"), raw(head, end, 1|1<<31, "a"+one)},
		"padded":             {raw(head, end|http2.FlagHeadersPadded, 1, "\x03abc\x00\x00\x00"), raw(head, end|http2.FlagHeadersPadded, 1, "\x03abc"+one+"\x00\x00\x00")},
		"padded with none":   {raw(head, end|http2.FlagHeadersPadded, 1, "\x00abc"), raw(head, end|http2.FlagHeadersPadded, 1, "\x00abc"+one)},
		"priority":           {raw(head, end|http2.FlagHeadersPriority, 1, "12345abc"), raw(head, end|http2.FlagHeadersPriority, 1, "12345abc"+one)},
		"padded, priority":   {raw(head, end|full, 1, "\x0212345abc\x00\x00"), raw(head, end|full, 1, "\x0212345abc"+one+"\x00\x00")},
		"continuation": {all(headers(1, "a", false), raw(more, 0, 1, "b"), raw(more, end, 1, "c"), body),
			all(headers(1, "a", false), raw(more, 0, 1, "b"), raw(more, end, 1, "c"+one), body)},
		"padded, continuation": {all(raw(head, http2.FlagHeadersPadded, 1, "\x02a\x00\x00"), raw(more, end, 1, "")),
			all(raw(head, http2.FlagHeadersPadded, 1, "\x02a\x00\x00"), raw(more, end, 1, one))},
		"continuation of trailers": {all(headers(1, "a", true), headers(1, "b", false), raw(more, end, 1, "c")),
			all(headers(1, "a"+one, true), headers(1, "b", false), raw(more, end, 1, "c"))},
		"just fits":               {headers(1, fits, true), headers(1, fits+one, true)},
		"just too long":           {headers(1, fits+"b", true), all(headers(1, fits+"b", false), raw(more, end, 1, one))},
		"full":                    {all(headers(1, big, true), body), all(headers(1, big, false), raw(more, end, 1, one), body)},
		"full continuation":       {all(headers(1, big, false), raw(more, end, 1, big)), all(headers(1, big, false), raw(more, 0, 1, big), raw(more, end, 1, one))},
		"full, padded":            {raw(head, end|http2.FlagHeadersPadded, 1, "\x02"+big[:16381]+"\x00\x00"), all(raw(head, http2.FlagHeadersPadded, 1, "\x02"+big[:16381]+"\x00\x00"), raw(more, end, 1, one))},
		"larger than usual":       {headers(1, big+big, true), all(headers(1, big+big, false), raw(more, end, 1, one))},
		"too much padding":        {raw(head, end|http2.FlagHeadersPadded, 1, "\x03ab"), raw(head, end|http2.FlagHeadersPadded, 1, "\x03ab")},
		"no padding's length":     {all(raw(head, end|http2.FlagHeadersPadded, 1, ""), body), all(raw(head, end|http2.FlagHeadersPadded, 1, ""), body)},
		"no priority":             {raw(head, end|http2.FlagHeadersPriority, 1, "1234"), raw(head, end|http2.FlagHeadersPriority, 1, "1234")},
		"block broken off":        {all(headers(1, "a", false), body, raw(more, end, 1, "c")), all(headers(1, "a", false), body, raw(more, end, 1, "c"))},
		"another's continuation":  {all(headers(1, "a", false), raw(more, end, 3, "c")), all(headers(1, "a", false), raw(more, end, 3, "c"))},
		"continuation of nothing": {raw(more, end, 0, "c"), raw(more, end, 0, "c")},
	} {
		t.Run(name, func(t *testing.T) { checkThrough(t, afterPreface(test.in), afterPreface(test.want)) })
	}
}

func TestWhatIsCutOffIsHandedOn(t *testing.T) {
	in := afterPreface(all(headers(2, "abc", true), raw(http2.FrameHeaders, http2.FlagHeadersPadded, 2, "\x01ab\x00")))
	for n := range in {
		checkThrough(t, in[:n+1], in[:n+1])
	}
}

// The last of several fields is ours, and the tables of HPACK stay in step.
func TestServerDecodesTheFieldBesideIndexedOnes(t *testing.T) {
	var block bytes.Buffer
	enc := hpack.NewEncoder(&block)
	in := afterPreface(func(f *http2.Framer) {
		for id := uint32(1); id < 200; id += 2 {
			block.Reset()
			enc.WriteField(hpack.HeaderField{Name: h2shim.Header, Value: "7"})
			enc.WriteField(hpack.HeaderField{Name: "some", Value: strings.Repeat("x", int(id))})
			headers(id, block.String(), true)(f)
		}
	})
	got := bytes.NewReader(through(t, chunked(in, 1000), 4096)[len(http2.ClientPreface):])
	f := http2.NewFramer(nil, got)
	dec := hpack.NewDecoder(4096, nil)
	for id := uint32(1); id < 200; id += 2 {
		frame, err := f.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		fields, err := dec.DecodeFull(frame.(*http2.HeadersFrame).HeaderBlockFragment())
		if err != nil || len(fields) != 3 || fields[1].Value != strings.Repeat("x", int(id)) {
			t.Fatalf("stream %d: got %v, %v", id, fields, err)
		}
		if got := []string{fields[0].Name, fields[0].Value, fields[2].Name}; got[0] != h2shim.Header || got[1] != "7" || got[2] != h2shim.Header || lastID([]string{fields[2].Value}) != id {
			t.Errorf("stream %d: got %v", id, fields)
		}
	}
}

func TestFieldsDecodeAndLeaveTheTableAlone(t *testing.T) {
	pairs := []string{":status", "502", "", "", strings.Repeat("n", 126), strings.Repeat("v", 127), strings.Repeat("n", 128), strings.Repeat("v", 100_000)}
	dec := hpack.NewDecoder(0, nil)
	fields, err := dec.DecodeFull(h2shim.Fields(pairs...))
	if err != nil || len(fields) != len(pairs)/2 {
		t.Fatalf("got %d fields, %v", len(fields), err)
	}
	for i, f := range fields {
		if f.Name != pairs[2*i] || f.Value != pairs[2*i+1] || f.Sensitive {
			t.Errorf("field %d is %.50v", i, f)
		}
	}
}
