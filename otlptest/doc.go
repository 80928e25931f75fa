// Package otlptest runs a real OpenTelemetry backend inside a Go test.
//
// # Starting
//
// [Start] serves OTLP over gRPC and HTTP, on ports of its own, until the test
// ends; [New] is the same without a test. A whole test is
//
//	srv := otlptest.Start(t)
//	exporter, err := otlptracegrpc.New(ctx,
//		otlptracegrpc.WithEndpoint(srv.GRPCEndpoint()), otlptracegrpc.WithInsecure())
//	... // the code under test, with a provider that has this exporter
//	provider.ForceFlush(ctx)
//	span := otlptest.One(t, srv.Spans(where.Name("GET /pay")))
//
// An export is stored before its answer leaves: once a provider's ForceFlush
// has returned, the data is there, and no test has to sleep. The options say
// how the server is served: [WithTLS], [WithAuth], [WithOnePort] and so on.
//
// # Pointing an exporter at it
//
// An exporter over gRPC takes [Server.GRPCEndpoint], one over HTTP a URL below
// [Server.HTTPEndpoint]:
//
//	otlptracehttp.WithEndpointURL(srv.HTTPEndpoint() + "/v1/traces")
//
// One that is configured by its environment finds the server after
// [Server.Setenv], if it is made later. With TLS it needs [Server.ClientTLS].
//
// # Other processes
//
// A program under test gets the same environment from [Server.Env]. It names
// the server and blanks every variable that could send the data elsewhere:
//
//	cmd.Env = append(os.Environ(), srv.Env(otlptest.HTTPProtobuf)...)
//
// Programs that are not tests, in any language, are served by the command
// otlptest, and ask it by the API of package httpapi.
//
// # Asserting
//
// [Server.Spans], [Server.Points], [Server.Logs], [Server.Traces] and
// [Server.Exports] are live views, narrowed by the filters of package where,
// all of which must hold:
//
//	srv.Spans(where.Service("shop"), where.Attr("http.response.status_code", where.AtLeast(500)))
//
// [Await] waits for at least n items, [One] for a single one; [Exactly] looks
// at what is there now, and [Never] makes sure that nothing comes. "Exactly n
// in the end" cannot be waited for: flush the provider, then use [Exactly].
// Only these functions, [HasShape] and [Golden] fail tests; all else returns
// values and errors, for go-cmp or any assertion library. They wait as long as
// [WithWaitTimeout] says, and end before the test's own deadline does.
//
// When one of them fails, its text shows what came closest and where it
// differs, where that stands in its trace, and what became of every export.
// Where nothing has come it has the server's addresses, and says if a variable
// of this process or another test's server may have got the data.
//
// Subtests that share a server tell what is theirs by [Server.Mark], or begin
// with [Server.Reset].
//
// # Traces and shapes
//
// A query.Trace is the spans of a trace as trees, put together across exports:
//
//	otlptest.Await(t, srv.Traces(where.Complete(), where.MinSpans(3)), 1)
//
// [HasShape] waits for one that looks as it should, and shows the nearest one
// beside it if none does:
//
//	otlptest.HasShape(t, srv.Traces(), query.Shape("GET /pay", query.Shape("charge")))
//
// # Metrics
//
// [Server.Points] has each data point. What it measures over time is a
// query.Series, whose totals, rates and quantiles respect temporality and
// resets:
//
//	jobs, err := query.OneSeries(srv.Points(where.Name("jobs")))
//	total, err := jobs.Total()
//
// # Golden files
//
// [Golden] compares all that matches with a file, as a text that is the same in
// every run: ids are numbered, and times are left out on a real clock. With
// OTLPTEST_UPDATE=1 in the environment it writes the file. What differs from
// run to run is hidden by [RedactAttr] and [RedactMatch].
//
// # Misbehaving
//
// [Server.Inject] and [WithFaults] take the rules of package faults: what the
// backend answers to which export. A scripted fault that no export met fails
// the test at its end, since a test that never saw its fault proves nothing.
// [Server.Down], [Server.Up] and [Server.Restart] take the whole server away and
// back to its address, and [Server.Hold] keeps answers back until they are
// released, in any order.
//
// # The ledger and its checks
//
// [Server.Report] is the ledger of what the client did about it: each batch, its
// attempts and what they were promised, items that were lost or came twice. Its
// Verify holds it against checks:
//
//	err := srv.Report().Verify(query.NoLoss(), query.HonoursRetryDelay())
//
// # Finding what is wrong with an exporter
//
// [Server.Violations] is every departure from OTLP that the server saw, with
// the rule, the place, what was there and what is right. Nothing is refused for
// it, unless with [WithStrict]. [Server.Connections] is the connections, with
// why one could not be used, such as a TLS handshake that failed.
//
// # Virtual time
//
// With [WithInMemory] nothing leaves the process, and everything works inside
// a testing/synctest bubble, where minutes of throttling pass in milliseconds:
// give the exporter [Server.DialGRPC] or [Server.HTTPClient]. [WithRoundTrip]
// makes that network take its time. TLS works there too: the certificates are
// valid from 1999, since a bubble's clock starts in 2000. Some traps:
//
//   - The SDK's trace processors hold a mutex while they export, and a
//     goroutine that waits for a mutex stops a bubble's clock for good. Under
//     throttling call the exporter's ExportSpans, or batch and call
//     Shutdown(context.Background()); a ForceFlush that takes longer than the
//     batch timeout hangs, and so do two spans that end at once with a syncer.
//     The metrics exporters and the gRPC log exporter hold one, too: use one
//     exporter for each request that is to be open at a time, and shut down
//     providers, not exporters. The providers of the module sdk hold none.
//   - A provider that is shut down with a context which is over already leaves
//     its processors running, and cannot be asked again.
//   - gRPC takes about 1, 2.6 and 5.2 seconds, each a fifth more or less, before
//     it dials again: after an outage of 5 seconds an exporter's 10 may be over.
//   - Over HTTP/1.1 a client that gives up while a fault keeps its body from
//     being read is noticed only if no more than 64 KiB of it are to come.
//   - t.Context() is cancelled before cleanups run: a cleanup that shuts a
//     provider down with it exports nothing.
//   - An exporter that is never shut down keeps its connection, and with it
//     goroutines that the bubble waits for. The log of the test names it.
//   - A bubble's clock stands still while a goroutine waits for a real network,
//     and when the bubble's function has returned. [Start] refuses to serve on
//     TCP there.
//   - The Deadline method of a test panics in a bubble. Waits here know that, and
//     end by [WithWaitTimeout] alone.
package otlptest
