//go:build unix

package otlptest_test

import (
	"syscall"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// What a script costs: the CPU time of 10,000 exports that rules decide, as a
// ratio to that of 10,000 that none does, in rounds that alternate. Both are
// accepted, and come over one connection of gRPC.
func BenchmarkScripted(b *testing.B) {
	many := faults.Always(faults.Accept()).Times(1 << 30)
	for name, rules := range map[string][]faults.Rule{
		"sequence": {many},
		"selectors": {
			faults.Always(faults.Hang()).On(query.Metrics),
			faults.Always(faults.Hang()).Via(query.HTTPJSON),
			faults.Always(faults.Hang()).OnHeader("x-tenant", "b"),
			faults.Always(faults.Hang()).OnConnection(7),
			faults.Always(faults.Hang()).Between(time.Hour, 0),
			faults.Rate(1e-12, 1, faults.Hang()),
			many.On(query.Traces),
		},
		"items":    {faults.Always(faults.Hang()).Where(where.Name("none")), many.Where(where.Name("a"))},
		"attempts": {faults.Always(faults.Hang()).OnAttempt(2), many},
	} {
		b.Run(name, func(b *testing.B) { compareCPU(b, rules) })
	}
}

func compareCPU(b *testing.B, rules []faults.Rule) {
	const exports, rounds = 10_000, 10
	var cpu [2]time.Duration
	for b.Loop() {
		plain := newExportLoop(b)
		scripted := newExportLoop(b, otlptest.WithFaults(rules...), otlptest.WithUnusedFaultsAllowed())
		for range rounds {
			cpu[0] += plain.run(b, exports/rounds)
			cpu[1] += scripted.run(b, exports/rounds)
		}
		plain.close()
		scripted.close()
	}
	b.ReportMetric(float64(cpu[1])/float64(cpu[0]), "scripted/unscripted")
	b.ReportMetric(float64(cpu[0])/float64(exports*b.N), "ns-cpu/export")
}

// exportLoop is a client of a server of its own.
type exportLoop struct {
	srv  *otlptest.Server
	conn *grpc.ClientConn
	body []byte
}

func newExportLoop(b *testing.B, opts ...otlptest.Option) *exportLoop {
	b.Helper()
	srv, err := otlptest.New(opts...)
	if err != nil {
		b.Fatal(err)
	}
	var spans []*tracepb.Span
	for range 20 {
		spans = append(spans, span("a", "http.route", "/pay", "http.response.status_code", 200))
	}
	body, err := proto.Marshal(traces(spans...))
	if err != nil {
		b.Fatal(err)
	}
	conn, err := grpc.NewClient("passthrough:///"+srv.GRPCEndpoint(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	return &exportLoop{srv, conn, body}
}

// run exports so often, and returns the CPU time that it took on both sides.
func (l *exportLoop) run(b *testing.B, n int) time.Duration {
	b.Helper()
	before := cpuTime(b)
	var answer []byte
	for range n {
		if err := l.conn.Invoke(b.Context(), exportMethod[query.Traces], &l.body, &answer, grpc.ForceCodec(rawCodec{})); err != nil {
			b.Fatal(err)
		}
	}
	return cpuTime(b) - before
}

func (l *exportLoop) close() {
	l.conn.Close()
	l.srv.Close()
}

// cpuTime is what the process has used so far.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
