package encodings_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/encodings"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

var options = encodings.Register()

func spans(t testing.TB, name string) []byte {
	t.Helper()
	b, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{Name: name}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// streams encode by a writer.
var streams = map[string]func(io.Writer) io.WriteCloser{
	"zstd": func(w io.Writer) io.WriteCloser {
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err)
		}
		return z
	},
	"x-snappy-framed": func(w io.Writer) io.WriteCloser { return snappy.NewBufferedWriter(w) },
	"zlib":            func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	"deflate": func(w io.Writer) io.WriteCloser {
		f, err := flate.NewWriter(w, flate.DefaultCompression)
		if err != nil {
			panic(err)
		}
		return f
	},
}

func encode(name string, b []byte) []byte {
	if name == "snappy" {
		return snappy.Encode(nil, b)
	}
	var buf bytes.Buffer
	w := streams[name](&buf)
	w.Write(b)
	w.Close()
	return buf.Bytes()
}

var names = []string{"zstd", "snappy", "x-snappy-framed", "deflate", "zlib"}

func post(t *testing.T, srv *otlptest.Server, encoding string, body []byte) int {
	t.Helper()
	req, err := http.NewRequest("POST", srv.HTTPEndpoint()+"/v1/traces", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	req.Header.Set("Content-Encoding", encoding)
	res, err := srv.HTTPClient().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

func call(t *testing.T, srv *otlptest.Server, encoding string, body *tracepb.TracesData) error {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+srv.GRPCEndpoint(), grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithContextDialer(srv.DialGRPC))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.Invoke(context.Background(), "/opentelemetry.proto.collector.trace.v1.TraceService/Export", body, &tracepb.TracesData{}, grpc.UseCompressor(encoding), grpc.MaxCallSendMsgSize(1<<30))
}

func message(t *testing.T, name string) *tracepb.TracesData {
	t.Helper()
	m := new(tracepb.TracesData)
	if err := proto.Unmarshal(spans(t, name), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// Twice, since what is kept of one bubble could not be used in the next.
func TestEncodingsAreUndone(t *testing.T) {
	for range 2 {
		synctest.Test(t, func(t *testing.T) {
			srv := otlptest.Start(t, append(options, otlptest.WithInMemory())...)
			for _, name := range names {
				body := encode(name, spans(t, "over HTTP "+name))
				if status := post(t, srv, name, body); status != 200 {
					t.Errorf("got status %d for %s, want 200", status, name)
				}
				otlptest.One(t, srv.Spans(where.Name("over HTTP "+name)))
				if name == "x-snappy-framed" {
					continue
				}
				if err := call(t, srv, name, message(t, "over gRPC "+name)); err != nil {
					t.Errorf("over gRPC by %s: %v", name, err)
				}
				otlptest.One(t, srv.Spans(where.Name("over gRPC "+name)))
			}
			for e := range srv.Exports().All() {
				if e.Encoding == "" || e.BodySize == 0 || e.WireSize == 0 {
					t.Errorf("got %+v, want an encoding and both sizes", e)
				}
			}
		})
	}
}

// A small body that decompresses to more than the cap costs no more than that.
func TestBombsAreRefused(t *testing.T) {
	srv := otlptest.Start(t, append(options, otlptest.WithMaxRequestSize(1<<18))...)
	big := strings.Repeat("x", 4<<20)
	for _, name := range names {
		if status := post(t, srv, name, encode(name, spans(t, big))); status != http.StatusRequestEntityTooLarge {
			t.Errorf("got status %d for a bomb of %s, want 413", status, name)
		}
		if name == "x-snappy-framed" {
			continue
		}
		if err := call(t, srv, name, message(t, big)); status.Code(err) != codes.ResourceExhausted {
			t.Errorf("got %v for a bomb of %s, want RESOURCE_EXHAUSTED", err, name)
		}
	}
	otlptest.Exactly(t, srv.Spans(), 0)
}

// A block says how long it is, and is refused for that before it costs memory.
func TestSnappyBombCostsNoMemory(t *testing.T) {
	const limit = 1 << 18
	srv := otlptest.Start(t, append(options, otlptest.WithMaxRequestSize(limit))...)
	bomb := snappy.Encode(nil, make([]byte, 4<<20))
	if len(bomb) > limit {
		t.Fatalf("the bomb has %d bytes itself", len(bomb))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if status := post(t, srv, "snappy", bomb); status != http.StatusRequestEntityTooLarge {
		t.Errorf("got status %d, want 413", status)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 8*limit { // the client and the server together
		t.Errorf("it took %d bytes of memory, with a cap of %d", got, limit)
	}
}

func TestWhatIsNotEncodedIsRefused(t *testing.T) {
	srv := otlptest.Start(t, options...)
	for _, name := range names {
		for _, body := range []string{"not compressed, but long enough to hold a header of any kind", "\xff\x01"} {
			if status := post(t, srv, name, []byte(body)); status != http.StatusBadRequest {
				t.Errorf("got status %d for %q as %s, want 400", status, body, name)
			}
		}
		whole := encode(name, spans(t, strings.Repeat("charge", 1000)))
		if status := post(t, srv, name, whole[:len(whole)-3]); status != http.StatusBadRequest {
			t.Errorf("got status %d for %s that is cut off, want 400", status, name)
		}
	}
	for e := range srv.Exports().All() {
		if e.Outcome != query.Malformed {
			t.Errorf("got %v, want it malformed", e)
		}
	}
}
