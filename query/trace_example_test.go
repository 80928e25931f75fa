package query_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// shopTrace is made of spans that were not received; query.Assemble takes those of
// a view as well: query.Assemble(srv.Spans().All()).
func shopTrace() query.Trace {
	start := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	span := func(id, parent byte, name string, from, to time.Duration) query.Span {
		s := query.Span{TraceID: query.TraceID{1}, SpanID: query.SpanID{id}, Name: name, Start: start.Add(from), End: start.Add(to)}
		if parent != 0 {
			s.ParentSpanID = query.SpanID{parent}
		}
		return s
	}
	charge := span(2, 1, "charge", 10*time.Millisecond, 60*time.Millisecond)
	charge.Attrs = query.Attrs{query.Attr("currency", "EUR")}
	spans := []query.Span{
		span(3, 1, "reserve", 10*time.Millisecond, 40*time.Millisecond), charge,
		span(4, 1, "ship", 70*time.Millisecond, 90*time.Millisecond), span(1, 0, "checkout", 0, 100*time.Millisecond),
	}
	return query.Assemble(slices.Values(spans))[0]
}

func ExampleAssemble() {
	trace := shopTrace()
	for depth, n := range trace.Walk() {
		fmt.Println(depth, n.Name, len(n.Children))
	}
	fmt.Print(trace)
	// Output:
	// 0 checkout 3
	// 1 reserve 0
	// 1 charge 0
	// 1 ship 0
	// trace 01000000000000000000000000000000  4 spans, 1 service, 100ms
	//   checkout  100ms
	//     reserve  30ms
	//     charge  50ms
	//     ship  20ms
}

func ExampleTrace_CriticalPath() {
	for _, s := range shopTrace().CriticalPath() {
		fmt.Println(s.Duration(), s.Span.Name)
	}
	// Output:
	// 10ms checkout
	// 50ms charge
	// 10ms checkout
	// 20ms ship
	// 10ms checkout
}

func ExampleTrace_Find() {
	for s := range shopTrace().Find(where.HasAttr("currency")).All() {
		fmt.Println(s.Name)
	}
	// Output: charge
}

func ExampleShape() {
	trace := shopTrace()
	fmt.Println(query.Shape("checkout",
		query.Shape("charge", where.Attr("currency", "EUR")),
		query.Shape("reserve"),
		query.Shape("ship")).Check(trace))

	fmt.Println(query.Shape("checkout", query.AndOthers,
		query.Shape("charge", where.Attr("currency", "USD"), query.Shape("POST /pay"))).Check(trace))
	// Output:
	// <nil>
	// trace 01000000000000000000000000000000 does not have the shape: 2 differences
	//   want                          | got
	//   checkout                      | checkout
	// !   charge  attr.currency="USD" |   charge  attr.currency="EUR"
	// -     POST /pay                 |
	//                                 |   reserve
	//                                 |   ship
	//   checkout > charge: attr.currency: got "EUR", want "USD"
	//   checkout > charge > POST /pay: missing
}
