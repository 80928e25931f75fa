// Package sdk is what otlptest has for tests with the official OpenTelemetry
// SDK for Go: providers that send to a server, what arrived in the SDK's own
// types, the SDK's errors in the log of the test, and a meter of what was lost
// on the way. It is a module of its own, so that only those who use it depend
// on the SDK, and it wants the SDK's newest line.
//
//	srv := otlptest.Start(t)
//	tp := sdk.TracerProvider(t, srv, otlptest.GRPC)
//	checkout(tp) // what the code under test does
//	sdk.Flush(t, tp)
//	otlptest.One(t, srv.Spans(where.Name("charge")))
//
// # Providers
//
// [TracerProvider], [MeterProvider] and [LoggerProvider] have the official
// exporter for a protocol, pointed at the server whichever way that is reached:
// TCP, memory, TLS, a Unix socket. They take the SDK's own options, such as a
// resource or a sampler, and are shut down at the test's end, before the
// server. The test fails if that fails, because data was lost then.
//
// Spans and log records leave at once, and none is dropped. Metrics leave when
// they are flushed. After [Flush] everything is there, and otlptest.Exactly is
// sure of what it says.
//
// For another exporter, batch processor or reader put the SDK's parts together
// as production does: [SpanExporter] and its like make an exporter,
// [TraceGRPCOptions] and its like are options to add your own to, and
// [ShutdownAtEnd] ends the provider in the right way:
//
//	exporter, err := otlptracegrpc.New(ctx, append(sdk.TraceGRPCOptions(srv), otlptracegrpc.WithTimeout(time.Minute))...)
//	...
//	tp := trace.NewTracerProvider(trace.WithBatcher(exporter, trace.WithMaxQueueSize(100)))
//	sdk.ShutdownAtEnd(t, tp)
//
// Exporters and providers heed OTEL_* variables of the environment in all that
// these options leave open, such as headers, compression and the sampler.
//
// # Virtual time
//
// With otlptest.WithInMemory the providers work in a bubble of
// testing/synctest, also while the server throttles or hangs. The SDK's own
// trace processors do not: they hold a mutex while they export, and a goroutine
// that waits for a mutex stops a bubble's clock for good. With those end no
// span and flush nothing while an export may be held up; Shutdown works.
// The SDK's batch processor of log records and its periodic reader are fine.
// The exporters give up after 10 seconds unless they are told otherwise.
//
// # What arrived, in the SDK's types
//
// [SpanStubs], [ResourceMetrics], [LogRecording] and [LogRecords] turn a view
// into what tracetest, metricdatatest and logtest compare. All that both sides
// have is carried over. What has no place in the SDK's types is left out:
//
//   - the number of dropped attributes of a resource or scope, the entities of
//     a resource, the metadata of a metric, the flags of a data point, and
//     flags of spans, links and log records beyond those of W3C Trace Context
//   - in metrics that an exporter splits, what belongs together: each export is
//     one or more values of its own
//
// And what OTLP does not tell cannot be known: an array whose elements have all
// one type is a typed slice, such as a []string, whatever it was before, and an
// empty one is an empty attribute.SLICE; all histograms are of float64; of a
// span's parent there are only the ids and whether it is remote. The official
// exporter itself sends no trace state of links.
//
// What would be wrong if it were left out is an error, which names the item:
// each function says what.
//
// # Errors
//
// The SDK reports what goes wrong in the background to one handler for the
// whole process. [CaptureErrors] brings it to the log of the test. Nothing here
// does so by itself.
//
// # Loss
//
// [LossMeter] counts what was produced, so that what a full queue dropped,
// which no server can see, is seen.
package sdk
