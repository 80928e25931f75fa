package otlptest_test

import (
	"fmt"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// shapes are the batches that the benchmarks export.
var shapes = []struct {
	name         string
	spans, attrs int
}{{"small", 100, 4}, {"large", 500, 10}}

// keptExports is how many exports a benchmark lets a server keep.
const keptExports = 500

// What an export costs, from its bytes on the wire to its answer, with a client
// that allocates nothing.
func BenchmarkExport(b *testing.B) {
	for _, w := range ways {
		for _, s := range shapes {
			b.Run(fmt.Sprintf("%s/%s", w, s.name), func(b *testing.B) {
				srv := otlptest.Start(b)
				client := newFrugal(b, srv, w.via, w.zipped)
				plain := batchOf(b, 0, s.spans, s.attrs)
				body := w.encoded(plain)
				b.SetBytes(int64(len(plain)))
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%keptExports == 0 {
						srv.Reset()
					}
					client.export(body)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s.spans), "ns/span")
			})
		}
	}
}

// What it costs to ask for violations and the ledger, for an export that nobody
// has asked about before.
func BenchmarkAsk(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			srv := otlptest.Start(b)
			client := newFrugal(b, srv, query.HTTPProtobuf, false)
			bodies := make([][]byte, keptExports)
			for i := range bodies {
				bodies[i] = batchOf(b, i, s.spans, s.attrs)
			}
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				srv.Reset()
				for _, body := range bodies {
					client.export(body)
				}
				b.StartTimer()
				srv.Violations().Len()
				srv.Report()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(bodies)*s.spans), "ns/span")
		})
	}
}

// What a test pays for a server of its own: start, the first export by a client
// of grpc-go, and stop; beside the same with a server of grpc-go alone.
func BenchmarkLifecycle(b *testing.B) {
	body := batchOf(b, 0, 1, 4)
	b.Run("otlptest", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			srv, err := otlptest.New()
			if err != nil {
				b.Fatal(err)
			}
			exportOnce(b, srv.GRPCEndpoint(), body)
			if err := srv.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("grpc-go", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			addr, stop := startBare(b)
			exportOnce(b, addr, body)
			stop()
		}
	})
}

func exportOnce(b *testing.B, addr string, body []byte) {
	b.Helper()
	conn, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	var answer []byte
	if err := conn.Invoke(b.Context(), exportMethod[query.Traces], &body, &answer, grpc.ForceCodec(rawCodec{})); err != nil {
		b.Fatal(err)
	}
}
