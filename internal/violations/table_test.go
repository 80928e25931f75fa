package violations

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// Every check is explained in a sentence, and has a row in which it fails.
func TestEveryCheckIsExplainedAndTested(t *testing.T) {
	rows := map[*Check]bool{}
	for _, r := range bodyRows {
		rows[r.check] = rows[r.check] || r.want != ""
	}
	for _, r := range requestRows() {
		rows[r.check] = rows[r.check] || r.want != ""
	}
	for _, r := range sequenceRows {
		rows[r.check] = rows[r.check] || len(r.want) > 0
	}
	for _, r := range jsonRows {
		rows[r.check] = rows[r.check] || r.want != ""
	}
	names, docs := map[string]bool{}, map[string]bool{}
	for i, c := range Table() {
		if c.index != i || names[c.Name] || docs[c.Doc] {
			t.Errorf("%s: got its name or its sentence twice, or index %d, want %d", c.Name, c.index, i)
		}
		names[c.Name], docs[c.Doc] = true, true
		if !regexp.MustCompile(`^[SCR]-\d\d$`).MatchString(c.Rule) || !regexp.MustCompile(`^[A-Z].*[^.]\.$`).MatchString(c.Doc) {
			t.Errorf("%s: got rule %q and sentence %q", c.Name, c.Rule, c.Doc)
		}
		if !rows[c] {
			t.Errorf("%s: no row of a test shows it", c.Name)
		}
	}
}

// The package comment has the table.
func TestThePackageCommentHasEveryCheck(t *testing.T) {
	src, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(src)) {
		if parts := strings.Split(strings.TrimPrefix(line, "//"), "|"); len(parts) == 4 {
			for i, p := range parts {
				parts[i] = strings.TrimSpace(p)
			}
			got = append(got, strings.Join(parts, "|"))
		}
	}
	want := []string{"check|rule|level|strict"}
	for _, c := range Table() {
		want = append(want, fmt.Sprintf("%s|%s|%s|%s", c.Name, c.Rule, c.Level, c.Strict))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, c := range Table() {
		if strings.HasPrefix(c.Rule, "R-") && !strings.Contains(string(src), "//\t"+c.Rule+"  ") {
			t.Errorf("the package comment does not say what %s is", c.Rule)
		}
	}
}

// The tags are those of the official messages.
func TestTagsAreThoseOfTheMessages(t *testing.T) {
	span, link, point := &tracepb.Span{}, &tracepb.Span_Link{}, &metricspb.NumberDataPoint{}
	histo, exp, summ, log := &metricspb.HistogramDataPoint{}, &metricspb.ExponentialHistogramDataPoint{}, &metricspb.SummaryDataPoint{}, &logspb.LogRecord{}
	metric, exemplar, value := &metricspb.Metric{}, &metricspb.Exemplar{}, &commonpb.AnyValue{}
	for _, c := range []struct {
		tag   uint64
		m     proto.Message
		field protoreflect.Name
	}{
		{dataGroups, &tracepb.TracesData{}, "resource_spans"}, {dataGroups, &metricspb.MetricsData{}, "resource_metrics"}, {dataGroups, &logspb.LogsData{}, "resource_logs"},
		{groupHead, &tracepb.ResourceSpans{}, "resource"}, {groupItems, &metricspb.ResourceMetrics{}, "scope_metrics"},
		{groupHead, &logspb.ScopeLogs{}, "scope"}, {groupItems, &logspb.ScopeLogs{}, "log_records"}, {groupItems, &metricspb.ScopeMetrics{}, "metrics"},
		{resourceAttrs, &resourcepb.Resource{}, "attributes"},
		{scopeName, &commonpb.InstrumentationScope{}, "name"}, {scopeVersion, &commonpb.InstrumentationScope{}, "version"}, {scopeAttrs, &commonpb.InstrumentationScope{}, "attributes"},
		{kvKey, &commonpb.KeyValue{}, "key"}, {kvValue, &commonpb.KeyValue{}, "value"},
		{anyString, value, "string_value"}, {anyBool, value, "bool_value"}, {anyInt, value, "int_value"}, {anyDouble, value, "double_value"},
		{listValues, &commonpb.ArrayValue{}, "values"}, {listValues, &commonpb.KeyValueList{}, "values"},

		{spanTraceID, span, "trace_id"}, {spanID, span, "span_id"}, {spanParentID, span, "parent_span_id"}, {spanName, span, "name"}, {spanKind, span, "kind"},
		{spanStart, span, "start_time_unix_nano"}, {spanEnd, span, "end_time_unix_nano"}, {spanAttrs, span, "attributes"}, {spanEvents, span, "events"},
		{spanLinks, span, "links"}, {spanStatus, span, "status"}, {spanFlags, span, "flags"}, {statusCode, &tracepb.Status{}, "code"}, {eventAttrs, &tracepb.Span_Event{}, "attributes"},
		{linkTraceID, link, "trace_id"}, {linkSpanID, link, "span_id"}, {linkState, link, "trace_state"}, {linkAttrs, link, "attributes"}, {linkFlags, link, "flags"},

		{logTime, log, "time_unix_nano"}, {logSeverity, log, "severity_number"}, {logBody, log, "body"}, {logAttrs, log, "attributes"}, {logFlags, log, "flags"},
		{logTraceID, log, "trace_id"}, {logSpanID, log, "span_id"}, {logObserved, log, "observed_time_unix_nano"}, {logEventName, log, "event_name"},

		{metricName, metric, "name"}, {metricUnit, metric, "unit"}, {metricGauge, metric, "gauge"}, {metricSum, metric, "sum"}, {metricHistogram, metric, "histogram"},
		{metricExponential, metric, "exponential_histogram"}, {metricSummary, metric, "summary"}, {metricMetadata, metric, "metadata"},
		{dataPoints, &metricspb.Sum{}, "data_points"}, {dataTemporality, &metricspb.Sum{}, "aggregation_temporality"}, {dataMonotonic, &metricspb.Sum{}, "is_monotonic"},
		{dataPoints, &metricspb.ExponentialHistogram{}, "data_points"}, {dataTemporality, &metricspb.Histogram{}, "aggregation_temporality"},

		{pointStart, point, "start_time_unix_nano"}, {pointTime, point, "time_unix_nano"}, {numberDouble, point, "as_double"}, {numberInt, point, "as_int"},
		{numberExemplars, point, "exemplars"}, {numberAttrs, point, "attributes"}, {numberFlags, point, "flags"},
		{pointStart, histo, "start_time_unix_nano"}, {pointTime, histo, "time_unix_nano"}, {histogramCount, histo, "count"}, {histogramSum, histo, "sum"},
		{histogramCounts, histo, "bucket_counts"}, {histogramBounds, histo, "explicit_bounds"}, {histogramExemplars, histo, "exemplars"}, {histogramAttrs, histo, "attributes"}, {histogramFlags, histo, "flags"},
		{pointStart, exp, "start_time_unix_nano"}, {pointTime, exp, "time_unix_nano"}, {exponentialAttrs, exp, "attributes"}, {exponentialCount, exp, "count"}, {exponentialSum, exp, "sum"},
		{exponentialZeros, exp, "zero_count"}, {exponentialPositive, exp, "positive"}, {exponentialNegative, exp, "negative"}, {exponentialFlags, exp, "flags"}, {exponentialExemplars, exp, "exemplars"},
		{bucketsCounts, &metricspb.ExponentialHistogramDataPoint_Buckets{}, "bucket_counts"},
		{pointStart, summ, "start_time_unix_nano"}, {pointTime, summ, "time_unix_nano"}, {summaryCount, summ, "count"}, {summarySum, summ, "sum"}, {summaryQuantiles, summ, "quantile_values"},
		{summaryAttrs, summ, "attributes"}, {summaryFlags, summ, "flags"}, {quantileQuantile, &metricspb.SummaryDataPoint_ValueAtQuantile{}, "quantile"},
		{exemplarDouble, exemplar, "as_double"}, {exemplarInt, exemplar, "as_int"}, {exemplarSpanID, exemplar, "span_id"}, {exemplarTraceID, exemplar, "trace_id"}, {exemplarAttrs, exemplar, "filtered_attributes"},
	} {
		fd := c.m.ProtoReflect().Descriptor().Fields().ByName(c.field)
		if fd == nil || uint64(fd.Number()) != c.tag>>3 || c.tag&7 != wireType(fd) {
			t.Errorf("%T.%s: got number %d and wire type %d", c.m, c.field, c.tag>>3, c.tag&7)
		}
	}
}

func wireType(fd protoreflect.FieldDescriptor) uint64 {
	if fd.IsPacked() {
		return bytesType
	}
	switch fd.Kind() {
	case protoreflect.MessageKind, protoreflect.StringKind, protoreflect.BytesKind:
		return bytesType
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return uint64(protowire.Fixed64Type)
	case protoreflect.Fixed32Kind:
		return uint64(protowire.Fixed32Type)
	}
	return varintType
}
