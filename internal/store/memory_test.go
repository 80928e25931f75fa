package store_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
)

// grpcHeader is the metadata of a call, in memory of its own as a transport
// makes it.
func grpcHeader(i int) query.Header {
	return headerOf(":authority=127.0.0.1:4317", "content-type=application/grpc", "user-agent=OTel OTLP Exporter Go/1.47.0 grpc-go/1.79.1",
		"grpc-accept-encoding=gzip", "te=trailers", "api-key=0123456789abcdef", "tenant=shop", fmt.Sprintf("request-id=%032d", i))
}

// httpHeader is the header of a request.
func httpHeader(i int) query.Header {
	return headerOf("host=127.0.0.1:4318", "content-type=application/x-protobuf", "user-agent=OTel OTLP Exporter Go/1.47.0",
		"accept-encoding=gzip", "content-encoding=gzip", "api-key=0123456789abcdef", fmt.Sprintf("content-length=%d", 100+i))
}

func headerOf(fields ...string) query.Header {
	h := make(query.Header, len(fields))
	for _, f := range fields {
		name, value, _ := strings.Cut(strings.Clone(f), "=")
		h[name] = []string{value}
	}
	return h
}

// receive makes a record as the receiver does, whose body others share.
func receive(s *store.Store, c *store.Conn, i int, p query.Protocol, header query.Header, body []byte) {
	e := query.Export{Signal: query.Traces, Protocol: p, Header: header, Arrived: time.Now(), Conn: c.Number(), Peer: c.Peer()}
	e.Path = strings.Clone("/opentelemetry.proto.collector.trace.v1.TraceService/Export")
	if p != query.GRPC {
		e.Method, e.Path, e.Encoding = strings.Clone("POST"), strings.Clone("/v1/traces"), strings.ToLower("GZIP")
	}
	e.Reused, e.TLS = c.Begin(p, header.Get("user-agent"))
	e.Received, e.BodySize, e.Items, e.Outcome = time.Now(), len(body), 1, query.Open
	r := s.NewRecord(e, body)
	if i%10 == 0 {
		r.Fault(query.FaultRef{Rule: 1, Fault: 1, Text: "unavailable"})
	} else {
		r.KeepAll()
	}
	s.Append(r)
	s.Finish(r, func(e *query.Export) {
		e.Answered, e.Outcome = time.Now(), query.Accepted
		if i%10 == 0 {
			e.Outcome, e.Status.Code, e.Status.Message = query.Refused, 14, fmt.Sprint("unavailable, as ", "scripted")
		}
	})
	c.End()
}

// heap is the bytes in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The ledger stays under 1 KiB for each export beyond its payload, also once a
// report was made of it.
func TestAnExportTakesLessThanAKibibyte(t *testing.T) {
	if underRace || testing.Short() {
		t.Skip("it takes seconds, and the race detector memory of its own")
	}
	const exports = 100_000
	body := bodyOf(t, 1)
	for p, header := range map[query.Protocol]func(int) query.Header{query.GRPC: grpcHeader, query.HTTPProtobuf: httpHeader} {
		before := heap()
		s := store.New(time.Second)
		c := s.Connect(query.Connection{Peer: "127.0.0.1:50000", TLS: "TLS 1.3"})
		for i := range exports {
			receive(s, c, i, p, header(i), body)
		}
		received := int64(heap()-before) / exports
		start := time.Now()
		batches := len(store.Report(s).Batches)
		took := time.Since(start)
		reported := int64(heap()-before) / exports
		t.Logf("%s: %d bytes an export, %d after a report of %d batches, which took %s", p, received, reported, batches, took)
		if received >= 1024 || reported >= 1024 {
			t.Errorf("%s: got %d bytes an export, %d after a report, want less than 1024", p, received, reported)
		}
		runtime.KeepAlive(s)
	}
}

func BenchmarkReport(b *testing.B) {
	s := store.New(time.Second)
	c := s.Connect(query.Connection{Peer: "127.0.0.1:50000"})
	for i := range 100_000 {
		receive(s, c, i, query.GRPC, grpcHeader(i), bodyOf(b, i))
	}
	for name, report := range map[string]func(query.Report){
		"batches": func(query.Report) {}, "items": func(r query.Report) { r.Items() }, "text": func(r query.Report) { _ = r.String() },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				report(store.Report(s))
			}
		})
	}
}
