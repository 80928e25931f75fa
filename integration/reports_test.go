package integration_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// What went wrong for others in public, by the repository and the number of an
// issue or a pull request there, with the official exporters as they are now.
// What a backend has to do for them by itself is tested in package otlptest.
func TestPublicReports(t *testing.T) {
	for _, r := range []struct {
		number, symptom string
		test            func(t *testing.T)
	}{
		{"open-telemetry/opentelemetry-go#4661", "RESOURCE_EXHAUSTED was always retried", exhaustionIsFinalWithoutADelay},
		{"open-telemetry/opentelemetry-python#5339", "429 was never retried, Retry-After ignored", retryAfterIsHonoured},
		{"open-telemetry/opentelemetry-go#8383", "Retry-After was read as nanoseconds", delaysKeepTheirUnit},
		{"open-telemetry/opentelemetry-rust#3634", "RetryInfo with UNAVAILABLE was ignored", retryInfoIsHonoured},
		{"MindfulSoftwareLLC/dartastic_opentelemetry#224", "502 and 504 were not retried", onlyGatewaysAreRetried},
		{"open-telemetry/opentelemetry-go#6920", "a timeout bounds an attempt over HTTP, all of them over gRPC", timeoutsBoundWhatTheyBound},
		{"open-telemetry/opentelemetry-collector#9337", "an overload was answered with 500", overloadIsRetryable},
		{"open-telemetry/opentelemetry-js#4520", "a batch that met the timeout was lost", timeoutsAreRetried},
		{"open-telemetry/opentelemetry-collector#1193", "an export without a deadline blocked for ever", exportsHaveADeadline},
		{"open-telemetry/opentelemetry-python#4529", "a restart of the collector was the end of the exporter", exportsArriveAfterARestart},
		{"open-telemetry/opentelemetry-go#1527", "connections that die and come back were flaky", reconnectsDoNotFlake},
		{"open-telemetry/opentelemetry-python#3309", "a shutdown took as long as the retries", shutdownIsBounded},
		{"open-telemetry/opentelemetry-collector-contrib#27295", "the port was in use", serversDoNotClash},
		{"open-telemetry/opentelemetry-go#2409", "a handler that hung leaked", closeEndsWhatHangs},
		{"open-telemetry/opentelemetry-go#3438", "an empty partial success was an error", emptyPartialSuccessIsNoError},
		{"MindfulSoftwareLLC/dartastic_opentelemetry#226", "a partial success was never read", partialSuccessIsReported},
		{"open-telemetry/opentelemetry-collector#11056", "retries duplicate spans", lostAnswersDuplicateLegally},
		{"open-telemetry/opentelemetry-go#3062", "GOAWAY: define Request.GetBody", goAwayIsReplayed},
		{"open-telemetry/opentelemetry-go#8185", "a redirect lost the body's encoding", redirectedBodiesStayAsTheyWere},
		{"open-telemetry/opentelemetry-collector#8263", "a success that is not OTLP's was retried", oddSuccessesAreNotRetried},
		{"open-telemetry/opentelemetry-go#2335", "ForceFlush skipped queued spans", flushBringsEverything},
		{"Effect-TS/effect#7037", "a failed export consumed the delta", lostDeltasAreOnRecord},
		{"open-telemetry/opentelemetry-go#4266", "calls over 4 MiB were dropped", largeExportsArrive},
		{"open-telemetry/opentelemetry-go#2338", "a signal's endpoint without a path got one", signalEndpointsAreTakenAsTheyAre},
		{"equinix-labs/otel-cli#200", "a base path lost its suffix", basePathsAreKept},
		{"open-telemetry/opentelemetry-go#5623", "header keys were percent-decoded", headerValuesAreDecoded},
		{"open-telemetry/opentelemetry-python#1851", "Authorization is illegal as metadata", authorizationArrives},
		{"open-telemetry/opentelemetry-go#6661", "the log exporter ignored the CA's variable", certificatesComeFromTheEnvironment},
	} {
		t.Run(r.number, func(t *testing.T) {
			t.Log(r.symptom)
			r.test(t)
		})
	}
}

func emptyPartialSuccessIsNoError(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		empty := []faults.Fault{faults.PartialSuccess(0, "")}
		if !p.grpc() { // the bytes themselves, and with a count of 0 and a field of the future in it
			for _, bytes := range []string{"\x0a\x00", "\x0a\x02\x08\x00", "\x0a\x02\x12\x00", "\x0a\x03\x98\x06\x01"} {
				empty = append(empty, faults.Raw(200, "application/x-protobuf", bytes))
			}
		}
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(empty...)))
		e := newExporter(t, srv, p, patient)
		for i, fault := range empty {
			if err := e.export(t.Context()); err != nil {
				t.Errorf("got %v for %s, want no error (C-12)", err, fault)
			}
			otlptest.Exactly(t, srv.Exports(), i+1)
		}
		srv.Reset()
		if err := srv.Inject(faults.Sequence(faults.PartialSuccess(0, "deprecated"))); err != nil {
			t.Fatal(err)
		}
		if err := e.export(t.Context()); err != nil && !strings.Contains(err.Error(), "deprecated") {
			t.Errorf("got %v for a warning, want nothing or what it says", err)
		}
		otlptest.Exactly(t, srv.Exports(), 1) // it is not sent again
		wantItems(t, srv, sampleOf(p.signal))
	})
}

func partialSuccessIsReported(t *testing.T) {
	t.Run("two of five", twoOfFiveAreRefused)
	t.Run("in JSON", answersInJSONAreRead)
	eachPath(t, func(t *testing.T, p path) {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.PartialSuccess(1, "too long"))))
		wantMention(t, newExporter(t, srv, p, patient).export(t.Context()), "too long")
		e := otlptest.One(t, srv.Exports())
		if e.Outcome != query.Partial || e.Rejected != 1 || e.Stored != e.Items-1 || stored(srv, p.signal) != e.Stored {
			t.Errorf("got %s with %d of %d items stored, want all but 1", e, e.Stored, e.Items)
		}
	})
}

func flushBringsEverything(t *testing.T) {
	const n = 1000
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			srv := otlptest.Start(t, otlptest.WithFaults(faults.Always(faults.Accept().After(50*time.Millisecond))))
			p := newPipelines(t, srv, protocol)
			defer p.shutdown(t)
			for i := range n {
				p.record(fmt.Sprint("item ", i), i)
			}
			p.flush(t)
			otlptest.Exactly(t, srv.Spans(), n)
			otlptest.Exactly(t, srv.Points(), n)
			otlptest.Exactly(t, srv.Logs(), n)
		})
	}
}

// The SDK drops what could not be delivered, and the next delta begins where
// the lost one ended.
func lostDeltasAreOnRecord(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Unavailable(), faults.Accept())))
			e, err := path{query.Metrics, protocol}.newExporter(srv, retries{})
			if err != nil {
				t.Fatal(err)
			}
			provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(e.metrics, sdkmetric.WithInterval(time.Hour))))
			defer provider.Shutdown(context.Background())
			counter, err := provider.Meter("integration").Int64Counter("jobs")
			if err != nil {
				t.Fatal(err)
			}
			counter.Add(t.Context(), 5)
			if provider.ForceFlush(t.Context()) == nil {
				t.Error("the export that was refused succeeded")
			}
			counter.Add(t.Context(), 3)
			if err := provider.ForceFlush(t.Context()); err != nil {
				t.Fatal(err)
			}
			p := otlptest.One(t, srv.Points(where.Name("jobs")))
			lost := otlptest.Exactly(t, srv.Exports(where.Name("jobs")), 2)[0]
			if lost.Acknowledged() || lost.Stored != 0 || p.Temporality != query.Delta {
				t.Errorf("got %s first, then %+v, want a refused export and a delta", lost, p)
			}
			before := sumPoint(t, lost)
			switch {
			case p.Value.Int() == 3 && p.Start.Equal(query.Time(before.TimeUnixNano)): // 5 was lost
			case p.Value.Int() == 8 && p.Start.Equal(query.Time(before.StartTimeUnixNano)): // 5 was kept
			default:
				t.Errorf("got %s from %s after %v was refused, want 3 from its end or 8 from its start", p.Value, p.Start, before)
			}
		})
	}
}

func largeExportsArrive(t *testing.T) {
	text := strings.Repeat("x", 5<<20)
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			srv := otlptest.Start(t)
			p := newPipelines(t, srv, protocol)
			defer p.shutdown(t)
			p.record(text, 0)
			p.counter.Add(t.Context(), 1, metric.WithAttributes(attribute.String("text", text)))
			p.flush(t)
			otlptest.One(t, srv.Spans(where.Name(text)))
			otlptest.One(t, srv.Points(where.Attr("text", text)))
			if l := otlptest.One(t, srv.Logs()); l.Body.Str() != text {
				t.Errorf("got a body of %d bytes, want %d", len(l.Body.Str()), len(text))
			}
		})
	}
}

func signalEndpointsAreTakenAsTheyAre(t *testing.T) {
	eachHTTPPath(t, func(t *testing.T, p path) {
		srv := otlptest.Start(t)
		srv.Setenv(t, p.protocol)
		t.Setenv("OTEL_EXPORTER_OTLP_"+strings.ToUpper(string(p.signal))+"_ENDPOINT", srv.HTTPEndpoint())
		if p.exportByEnvironment() == nil {
			t.Error("an export to a path that is none of OTLP's succeeded")
		}
		e := otlptest.One(t, srv.Exports())
		if e.Path != "/" || e.Status.HTTP != 404 || e.Signal != p.signal || e.Stored != 0 || !proto.Equal(sampleOf(p.signal).data, e.Proto()) {
			t.Errorf("got %s of %s with %v, want / and the sample (C-26)", e, e.Signal, e.Proto())
		}
		ofPaths := where.Any(where.Rule("C-25"), where.Rule("C-26"), where.Rule("C-27"))
		if v := otlptest.One(t, srv.Violations(ofPaths)); v.Export != 1 || !strings.Contains(v.Got, `"/"`) {
			t.Errorf("got violation %s, want the path of the export", v)
		}
	})
}

func basePathsAreKept(t *testing.T) {
	eachHTTPPath(t, func(t *testing.T, p path) {
		srv := otlptest.Start(t, otlptest.WithPathPrefix("/mycollector"))
		for i, slash := range []string{"", "/"} {
			srv.Setenv(t, p.protocol)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", srv.HTTPEndpoint()+slash)
			if err := p.exportByEnvironment(); err != nil {
				t.Errorf("export: %v", err)
			}
			if e := otlptest.Exactly(t, srv.Exports(), i+1)[i]; e.Path != "/mycollector/v1/"+string(p.signal) {
				t.Errorf("got path %s, want it below /mycollector (C-25)", e.Path)
			}
		}
	})
}

// C-31: values are percent-decoded, keys are not.
func headerValuesAreDecoded(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		srv := otlptest.Start(t)
		srv.Setenv(t, p.protocol)
		headers, want := "c=x%20y, d = e%3Df", query.Header{"c": {"x y"}, "d": {"e=f"}}
		if !p.grpc() { // where names may have such characters
			headers, want["a%20b"] = headers+",a%20b=1", []string{"1"}
		}
		t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", headers)
		if err := p.exportByEnvironment(); err != nil {
			t.Errorf("export: %v", err)
		}
		got := otlptest.Exactly(t, srv.Exports(), 1)[0].Header
		for name, values := range want {
			if !slices.Equal(got[name], values) {
				t.Errorf("got header %s with %q, want %q", name, got[name], values)
			}
		}
		if _, decoded := got["a b"]; decoded {
			t.Error("a key was decoded")
		}
	})
}

func authorizationArrives(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		srv := otlptest.Start(t, otlptest.WithAuth(otlptest.Bearer("secret")))
		srv.Setenv(t, p.protocol)
		ours := os.Getenv("OTEL_EXPORTER_OTLP_HEADERS")
		t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "")
		if p.exportByEnvironment() == nil {
			t.Error("an export without a header succeeded")
		}
		otlptest.Exactly(t, srv.Exports(), 1) // it is final
		for i, headers := range []string{ours, "Authorization=Bearer%20secret"} {
			t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", headers)
			if err := p.exportByEnvironment(); err != nil {
				t.Errorf("export with %s: %v", headers, err)
			}
			if e := otlptest.Exactly(t, srv.Exports(), i+2)[i+1]; e.Header.Get("Authorization") != "Bearer secret" || !e.Acknowledged() {
				t.Errorf("got %s with header %v, want it accepted", e, e.Header)
			}
		}
	})
}

func certificatesComeFromTheEnvironment(t *testing.T) {
	failed := where.Func("failed", func(c query.Connection) bool { return c.Err != "" })
	eachPath(t, func(t *testing.T, p path) {
		srv := otlptest.Start(t, otlptest.WithTLS())
		srv.Setenv(t, p.protocol)
		if err := p.exportByEnvironment(); err != nil {
			t.Errorf("export: %v", err)
		}
		wantItems(t, srv, sampleOf(p.signal))
		otlptest.Exactly(t, srv.Connections(failed), 0)
		t.Setenv("OTEL_EXPORTER_OTLP_CERTIFICATE", "")
		e, err := p.exporterFromEnvironment()
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		wait := inBackground(func() error { return e.export(ctx) })
		for _, c := range otlptest.Await(t, srv.Connections(failed), 1) {
			if !strings.Contains(c.Err, "bad certificate") || c.Requests != 0 {
				t.Errorf("got %+v, want a handshake that failed", c)
			}
		}
		cancel() // or it tries again for long
		if wait() == nil {
			t.Error("an export to a server that is not trusted succeeded")
		}
		if err := e.shutdown(context.Background()); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		otlptest.Exactly(t, srv.Exports(), 1)
	})
}

// sumPoint is the only data point of an export's only metric, a sum.
func sumPoint(t *testing.T, e query.Export) *metricspb.NumberDataPoint {
	t.Helper()
	m, ok := e.Proto().(*metricspb.MetricsData)
	if !ok {
		t.Fatalf("got a %T in %s, want metrics", e.Proto(), e)
	}
	return m.ResourceMetrics[0].ScopeMetrics[0].Metrics[0].GetSum().DataPoints[0]
}
