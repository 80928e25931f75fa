// Package payload makes the encoded OTLP export requests that the benchmarks
// send. The same arguments always make the same request, and no two indexes
// make equal ones.
package payload

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	respb "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/protobuf/proto"
)

// Shape is how a batch looks, after OTEP-0035 Appendix B.
type Shape struct {
	Name    string
	Items   int // spans, data points or log records of a batch
	Attrs   int // attributes of each
	Batches int // that the OTEP sends
}

// The shapes of the OTEP.
var (
	Small = Shape{"small", 100, 4, 8000}
	Large = Shape{"large", 500, 10, 800}
)

// Kind is what a request consists of.
type Kind string

// The kinds.
const (
	Spans      Kind = "spans"
	Sums       Kind = "sums"
	Histograms Kind = "histograms"
	Logs       Kind = "logs"
)

// Method is the full name of the gRPC method that takes the kind.
func (k Kind) Method() string {
	switch k {
	case Spans:
		return "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
	case Logs:
		return "/opentelemetry.proto.collector.logs.v1.LogsService/Export"
	}
	return "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export"
}

// Path is where the kind is posted over HTTP.
func (k Kind) Path() string {
	switch k {
	case Spans:
		return "/v1/traces"
	case Logs:
		return "/v1/logs"
	}
	return "/v1/metrics"
}

// Requests encodes the first n requests of a kind and shape.
func Requests(k Kind, s Shape, n int) [][]byte {
	out := make([][]byte, n)
	Each(n, func(i int) {
		b, err := proto.Marshal(request(k, s, i))
		if err != nil {
			panic(err) // every request made here can be encoded
		}
		out[i] = b
	})
	return out
}

// Each calls f with 0 to n-1, on all processors.
func Each(n int, f func(i int)) {
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	wg.Wait()
}

func request(k Kind, s Shape, i int) proto.Message {
	r := rand.New(rand.NewPCG(99, uint64(i)))
	switch k {
	case Spans:
		return spans(r, s, i)
	case Logs:
		return logs(r, s, i)
	}
	return metrics(r, k, s, i)
}

// start is when everything in every request happens.
var start = uint64(time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC).UnixNano())

var (
	resource = &respb.Resource{Attributes: []*commonpb.KeyValue{
		integer("process.start_time", 12345678),
		integer("process.pid", 1234),
		text("host.name", "fakehost"),
		text("service.name", "generator"),
	}}
	scope = &commonpb.InstrumentationScope{Name: "bench", Version: "1.0.0"}
)

var keys = []string{
	"http.request.method", "http.route", "url.path", "url.scheme", "server.address",
	"client.address", "user_agent.original", "network.peer.address", "db.system.name",
	"db.namespace", "db.operation.name", "messaging.system", "messaging.destination.name",
	"rpc.system", "rpc.service", "rpc.method", "enduser.id", "session.id", "code.function.name",
	"thread.name", "k8s.pod.name", "error.type", "peer.service", "app.tenant",
}

// SequenceKey is the attribute that numbers the items of a kind, from 1.
const SequenceKey = "load_generator.seq_num"

// attributes are n of different keys: the item's number, the request's, and
// texts of 1 to 20 characters.
func attributes(r *rand.Rand, n, item, request int) []*commonpb.KeyValue {
	kvs := make([]*commonpb.KeyValue, 0, n)
	kvs = append(kvs, integer(SequenceKey, int64(item)), integer("load_generator.batch_seq_num", int64(request)))
	for first := r.IntN(len(keys)); len(kvs) < n; {
		kvs = append(kvs, text(keys[(first+len(kvs))%len(keys)], letters(r, 1+r.IntN(20))))
	}
	return kvs
}

func letters(r *rand.Rand, n int) string {
	const all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	b := make([]byte, n)
	for i := range b {
		b[i] = all[r.IntN(len(all))]
	}
	return string(b)
}

func text(k, v string) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: k, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: v}}}
}

func integer(k string, v int64) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: k, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: v}}}
}

func traceID(i int) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, 0x0af7651916cd43dd), uint64(i)+1)
}

func spanID(i, j int) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(i+1)<<20|uint64(j))
}
