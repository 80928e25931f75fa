package httpapi_test

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// asserted is the answer about an assertion.
type asserted struct {
	Go, Q   string
	Matches int
	Imports []string
}

func assertionOf(t *testing.T, api http.Handler, path string, number int) (a asserted) {
	t.Helper()
	status, body := ask(t, api, get(fmt.Sprintf("/api/v1/%s/%d/assertion", path, number)))
	if err := json.Unmarshal([]byte(body), &a); err != nil || status != http.StatusOK {
		t.Fatalf("got %d %s: %v", status, body, err)
	}
	return a
}

// value is an attribute of any type.
func value(key string, v any) *commonpb.KeyValue {
	kv := &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{}}
	switch v := v.(type) {
	case string:
		kv.Value.Value = &commonpb.AnyValue_StringValue{StringValue: v}
	case int:
		kv.Value.Value = &commonpb.AnyValue_IntValue{IntValue: int64(v)}
	case float64:
		kv.Value.Value = &commonpb.AnyValue_DoubleValue{DoubleValue: v}
	case bool:
		kv.Value.Value = &commonpb.AnyValue_BoolValue{BoolValue: v}
	case []byte:
		kv.Value.Value = &commonpb.AnyValue_BytesValue{BytesValue: v}
	case []any:
		list := &commonpb.ArrayValue{}
		for _, e := range v {
			list.Values = append(list.Values, value("", e).Value)
		}
		kv.Value.Value = &commonpb.AnyValue_ArrayValue{ArrayValue: list}
	}
	return kv
}

func TestAnAssertionIsAsShortAsItCanBe(t *testing.T) {
	srv, api := start(t)
	m := spans("once", "pay", "pay", "pay", "pay", "pay", "twice", "twice")
	ss := m.ResourceSpans[0].ScopeSpans[0].Spans
	ss[1].Kind = tracepb.Span_SPAN_KIND_CLIENT
	ss[2].Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR}
	ss[3].Attributes = append(ss[3].Attributes, value("http.response.status_code", 500))
	ss[4].Attributes = append(ss[4].Attributes, value("retry", true), value("n", 1.5))
	ss[5].Attributes = append(ss[5].Attributes, value("n", 1.5))
	ss[7].TraceId = []byte("0123456789abcdef")
	send(t, srv, "/v1/traces", m)
	send(t, srv, "/v1/metrics", points())
	send(t, srv, "/v1/metrics", points())
	record := logs()
	record.ResourceLogs[0].ScopeLogs[0].LogRecords = append(record.ResourceLogs[0].ScopeLogs[0].LogRecords,
		&logspb.LogRecord{EventName: "paid", SeverityNumber: 9}, &logspb.LogRecord{EventName: "paid", SeverityNumber: 18}, &logspb.LogRecord{})
	send(t, srv, "/v1/logs", record)
	for _, test := range []struct {
		path    string
		number  int
		code, q string
		matches int
	}{
		{"spans", 1, `otlptest.One(t, srv.Spans(where.Name("once")))`, `name="once"`, 1},
		{"spans", 2, `otlptest.One(t, srv.Spans(where.Name("pay"), where.Kind(query.SpanKindClient)))`, `name="pay" kind=client`, 1},
		{"spans", 3, `otlptest.One(t, srv.Spans(where.Name("pay"), where.StatusError()))`, `name="pay" status=error`, 1},
		{"spans", 4, `otlptest.One(t, srv.Spans(where.Name("pay"), where.Attr("http.response.status_code", 500)))`, `name="pay" attr.http.response.status_code=500`, 1},
		{"spans", 5, `otlptest.One(t, srv.Spans(where.Name("pay"), where.Attr("retry", true)))`, `name="pay" attr.retry=true`, 1},
		{"spans", 6, `otlptest.Await(t, srv.Spans(where.Name("pay"), where.Attr("n", 1.5)), 1)`, `name="pay" attr.n=1.5`, 2},
		{"spans", 8, `otlptest.One(t, srv.Spans(where.Name("twice"), where.TraceID(query.TraceID{0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66})))`,
			`name="twice" trace=30313233343536373839616263646566`, 1},
		{"points", 2, `otlptest.One(t, srv.Points(where.Name("stock"), where.InExport(3)))`, `name="stock" export=3`, 1},
		{"logs", 1, `otlptest.One(t, srv.Logs(where.Body("paid")))`, `body="paid"`, 1},
		{"logs", 2, `otlptest.One(t, srv.Logs(where.EventName("paid"), where.Severity(where.Is(query.SeverityInfo))))`, `event="paid" severity=info`, 1},
		{"logs", 3, `otlptest.One(t, srv.Logs(where.EventName("paid"), where.Severity(where.Is(query.Severity(18)))))`, `event="paid" severity=error2`, 1},
		{"logs", 4, `otlptest.One(t, srv.Logs(where.Severity(where.Is(query.SeverityUnspecified))))`, `severity=unspecified`, 1},
	} {
		imports := []string{"github.com/otlptest/otlptest/otlptest", "github.com/otlptest/otlptest/query", "github.com/otlptest/otlptest/query/where"}
		if !strings.Contains(test.code, "query.") {
			imports = slices.Delete(imports, 1, 2)
		}
		got := assertionOf(t, api, test.path, test.number)
		if got.Go != test.code || got.Q != test.q || got.Matches != test.matches || !slices.Equal(got.Imports, imports) {
			t.Errorf("%s %d: got\n%+v\nwant\n%s\n%s of %d with %v", test.path, test.number, got, test.code, test.q, test.matches, imports)
		}
	}
	if got, want := detail(t, api, get("/api/v1/logs/9/assertion"), http.StatusNotFound), "number: got 9, of which there is no item"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// hostile is texts that a careless program would put into Go source as they are.
var hostile = []string{
	"", " ", `a "quoted" name`, "new\nline\r\t", "back`tick", `back\slash`, "\x00\x01\x7f", "\u202egnp.exe", "\ufeffbom", "\u2028", "😀 ключ",
	`"); panic("x")`, "query.SpanKind", "*/", "%d%s", strings.Repeat("x", 10_000), "\u0301", "not", "(", "1",
}

// hostileData is requests by their path, with items that are hard to tell apart
// and hard to write down.
func hostileData() map[string][]proto.Message {
	values := []any{0, -1, math.MaxInt64, math.MinInt64, 0.5, 1.0, 1e21, 5e-324, math.Copysign(0, -1), math.NaN(), math.Inf(1), true, false, []byte{0, 255}, []any{"a", 1}, "1", nil}
	m, ls, ps := spans(hostile...), logs(), points()
	ss, scope := m.ResourceSpans[0].ScopeSpans[0], ls.ResourceLogs[0].ScopeLogs[0]
	gauge := ps.ResourceMetrics[0].ScopeMetrics[0].Metrics[0].GetGauge()
	for i, v := range values {
		attrs := []*commonpb.KeyValue{value("same", 1), value("v", v), value(hostile[i], hostile[i]), value("v", "second")}
		ss.Spans = append(ss.Spans, &tracepb.Span{TraceId: []byte("0123456789abcdef"), SpanId: []byte{9, 9, 9, 9, 9, 9, 9, byte(i + 1)}, Name: "same", Kind: tracepb.Span_SpanKind(i), Attributes: attrs})
		scope.LogRecords = append(scope.LogRecords, &logspb.LogRecord{Body: value("", v).Value, SeverityNumber: logspb.SeverityNumber(2 * i), Attributes: attrs})
		gauge.DataPoints = append(gauge.DataPoints, &metricspb.NumberDataPoint{Attributes: attrs})
	}
	for _, text := range hostile {
		scope.LogRecords = append(scope.LogRecords, &logspb.LogRecord{EventName: text}, &logspb.LogRecord{Body: value("", text).Value})
		ps.ResourceMetrics[0].ScopeMetrics[0].Metrics = append(ps.ResourceMetrics[0].ScopeMetrics[0].Metrics, &metricspb.Metric{Name: text, Data: &metricspb.Metric_Gauge{
			Gauge: &metricspb.Gauge{DataPoints: []*metricspb.NumberDataPoint{{}}},
		}})
	}
	return map[string][]proto.Message{"/v1/traces": {m, spans("a", "a")}, "/v1/metrics": {ps, points()}, "/v1/logs": {ls, logs()}}
}

// methods is how a Go test asks for the items of a path.
var methods = map[string]string{"spans": "Spans", "points": "Points", "logs": "Logs"}

func TestAnAssertionHoldsForItsItem(t *testing.T) {
	srv, api := start(t)
	everything(t, srv)
	for path, ms := range hostileData() {
		for _, m := range ms {
			send(t, srv, path, m)
		}
	}
	unique := 0
	for path := range methods {
		for _, item := range pageOf(t, api, "/api/v1/"+path).Items {
			number := int(item["number"].(float64))
			a := assertionOf(t, api, path, number)
			if _, err := parser.ParseExpr(a.Go); err != nil || !strings.Contains(a.Go, "srv."+methods[path]+"(") {
				t.Errorf("%s %d: got %s: %v", path, number, a.Go, err)
			}
			filters, err := where.Parse(a.Q)
			if err != nil {
				t.Errorf("%s %d: %v", path, number, err)
			}
			found := map[string]func() []int{
				"spans": func() []int {
					return numbersOf(srv.Spans(filters...).Slice(), func(s query.Span) query.Ref { return s.Ref })
				},
				"points": func() []int {
					return numbersOf(srv.Points(filters...).Slice(), func(p query.Point) query.Ref { return p.Ref })
				},
				"logs": func() []int {
					return numbersOf(srv.Logs(filters...).Slice(), func(l query.Log) query.Ref { return l.Ref })
				},
			}[path]()
			if len(found) != a.Matches || !slices.Contains(found, number) || (a.Matches > 1) != strings.HasPrefix(a.Go, "otlptest.Await(") {
				t.Errorf("%s %d: %.300s: got %v, want that it is one of %d", path, number, a.Q, found, a.Matches)
			}
			if a.Matches == 1 {
				unique++
			}
		}
	}
	if unique < 100 {
		t.Errorf("got %d items that are told from all others, want most", unique)
	}
}

func numbersOf[T any](items []T, ref func(T) query.Ref) (list []int) {
	for _, item := range items {
		list = append(list, ref(item).Number())
	}
	return list
}

// TestAssertionsCompileAndPass runs all of them in a test of their own.
func TestAssertionsCompileAndPass(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test")
	}
	srv, api := start(t)
	dir := t.TempDir()
	var setup, asserts strings.Builder
	imports := map[string]bool{"bytes": true, "os": true, "testing": true}
	for path, ms := range hostileData() {
		for i, m := range ms {
			send(t, srv, path, m)
			body, err := proto.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, fmt.Sprintf("%s%d", filepath.Base(path), i))
			if err := os.WriteFile(file, body, 0o600); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&setup, "post(t, srv, %q, %q)\n", path, file)
		}
	}
	for path := range methods {
		for _, item := range pageOf(t, api, "/api/v1/"+path).Items {
			a := assertionOf(t, api, path, int(item["number"].(float64)))
			for _, name := range a.Imports {
				imports[name] = true
			}
			if a.Matches == 1 {
				fmt.Fprintf(&asserts, "if got := %s; got.Ref.Number() != %v { t.Error(got.Ref.Number()) }\n", a.Go, item["number"])
			} else {
				fmt.Fprintf(&asserts, "if got := %s; len(got) != %d { t.Error(len(got)) }\n", a.Go, a.Matches)
			}
		}
	}
	var source strings.Builder
	fmt.Fprint(&source, "package generated\n\nimport (\n")
	for name := range imports {
		fmt.Fprintf(&source, "%q\n", name)
	}
	fmt.Fprintf(&source, `)

func post(t *testing.T, srv *otlptest.Server, path, file string) {
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+path, "application/x-protobuf", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
}

func TestAll(t *testing.T) {
srv := otlptest.Start(t, otlptest.WithInMemory())
%s%s}
`, &setup, &asserts)
	file := filepath.Join(dir, "all_test.go")
	if err := os.WriteFile(file, []byte(source.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "test", file).CombinedOutput(); err != nil {
		t.Errorf("got %v:\n%s", err, out)
	}
}
