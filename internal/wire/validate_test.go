package wire

import (
	"errors"
	"math/rand"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
)

func TestEveryFieldIsSetInTheFullMessages(t *testing.T) {
	for _, sig := range signals {
		if missing := unset(full(sig).ProtoReflect()); len(missing) > 0 {
			t.Errorf("%s: unset: %v", sig, missing)
		}
	}
}

func TestBodiesAreReadAsOfficially(t *testing.T) {
	for _, sig := range signals {
		for i, b := range append(captured(t, sig), encode(t, full(sig)), nil) {
			if !agree(t, sig, b) {
				t.Errorf("%s %d: got malformed", sig, i)
			}
		}
	}
}

func TestMutatedBodiesAreReadAsOfficially(t *testing.T) {
	n := 7000
	if testing.Short() || underRace {
		n /= 10
	}
	for _, sig := range signals {
		r := rand.New(rand.NewSource(1))
		list, valid := seeds(t, sig), 0
		for i := range n {
			b := list[i%len(list)]
			if i%4 != 0 {
				b = rearrange(r, tables()[sig], b)
			}
			if i%2 == 0 {
				b = mutate(r, b)
			}
			if agree(t, sig, b) {
				valid++
			}
		}
		t.Logf("%s: %d of %d are valid", sig, valid, n)
		if valid < n/4 || valid > n-n/4 {
			t.Errorf("%s: %d of %d mutations are valid, want some of both", sig, valid, n)
		}
	}
}

func FuzzTraces(f *testing.F)  { fuzz(f, query.Traces) }
func FuzzMetrics(f *testing.F) { fuzz(f, query.Metrics) }
func FuzzLogs(f *testing.F)    { fuzz(f, query.Logs) }

func fuzz(f *testing.F, sig query.Signal) {
	for _, b := range seeds(f, sig) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		agree(t, sig, body)
	})
}

func TestMalformedBodiesAreExplained(t *testing.T) {
	span := lenField(2, text(5, "ok"))
	for _, c := range []struct {
		sig  query.Signal
		body []byte
		want string
	}{
		{query.Traces, []byte{10}, "resource_spans[0]: truncated"},
		{query.Traces, []byte{0x80}, "truncated"},
		{query.Traces, []byte{0}, "field number 0 out of range"},
		{query.Traces, []byte{1<<3 | 6}, "resource_spans[0]: wire type 6 does not exist"},
		{query.Traces, inSpan(text(5, "\xff")), "resource_spans[0].scope_spans[0].spans[0].name: invalid UTF-8"},
		{
			query.Traces, append(lenField(1), lenField(1, lenField(2), lenField(2, span, span, span, lenField(2, text(5, "\xff"))))...),
			"resource_spans[1].scope_spans[1].spans[3].name: invalid UTF-8",
		},
		{query.Traces, inSpan([]byte{5<<3 | 2, 9}), "resource_spans[0].scope_spans[0].spans[0].name: truncated"},
		{query.Traces, inSpan([]byte{7<<3 | 1, 9}), "resource_spans[0].scope_spans[0].spans[0].start_time_unix_nano: truncated"},
		{query.Traces, inSpan([]byte{0xa2, 6, 9}), "resource_spans[0].scope_spans[0].spans[0].field(100): truncated"},
		{query.Traces, inSpan([]byte{0xa3, 6}), "resource_spans[0].scope_spans[0].spans[0].field(100): malformed group"},
		{query.Traces, inSpan([]byte{0xa4, 6}), "resource_spans[0].scope_spans[0].spans[0].field(100): end of a group that did not start"},
		{query.Traces, inSpan(attrField(9, "k"), attrField(9, "\xff")), "resource_spans[0].scope_spans[0].spans[0].attributes[1].key: invalid UTF-8"},
		{query.Metrics, inMetric(lenField(10, lenField(1, lenField(8, lenField(2, []byte{0x80}))))), "resource_metrics[0].scope_metrics[0].metrics[0].exponential_histogram.data_points[0].positive.bucket_counts[0]: truncated"},
		{query.Metrics, inMetric(lenField(9, lenField(1, lenField(7, []byte{1})))), "resource_metrics[0].scope_metrics[0].metrics[0].histogram.data_points[0].explicit_bounds[0]: truncated"},
		{query.Logs, inLog([]byte{2 << 3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2}), "resource_logs[0].scope_logs[0].log_records[0].severity_number: varint of more than 64 bits"},
		{"profiles", nil, `got signal "profiles", want traces, metrics or logs`},
	} {
		_, err := Validate(c.sig, c.body)
		if err == nil || err.Error() != c.want {
			t.Errorf("Validate(%x): got %v, want %s", c.body, err, c.want)
		}
		if !errors.Is(err, ErrMalformed) {
			t.Errorf("%v is not ErrMalformed", err)
		}
	}
}

func TestLongPathsAreShortened(t *testing.T) {
	_, err := Validate(query.Traces, inSpan(attrField(9, "k", arrays(one, 6000))))
	const want = "resource_spans[0].scope_spans[0].spans[0].attributes[0].value.array_value.values[0].array_value.values[0].array_value.values[0].array_value" +
		".....values[0].array_value.values[0].array_value: nested deeper than 10000 messages"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// checkError wants an error that says what is wrong.
func checkError(t *testing.T, err error) {
	t.Helper()
	var m *malformed
	if !errors.As(err, &m) || m.rule == "" || !errors.Is(err, ErrMalformed) || strings.Contains(err.Error(), "%!") {
		t.Fatalf("got error %q that does not explain itself", err)
	}
}

func TestValidBodiesAreValidatedWithoutAllocating(t *testing.T) {
	for _, sig := range signals {
		for _, b := range append(captured(t, sig), encode(t, full(sig))) {
			if n := testing.AllocsPerRun(100, func() { _, _ = Validate(sig, b) }); n != 0 {
				t.Errorf("%s: got %v allocations, want none", sig, n)
			}
		}
	}
}
