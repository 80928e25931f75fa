package payload

import (
	"math/rand/v2"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
)

func logs(r *rand.Rand, s Shape, i int) *logspb.LogsData {
	records := make([]*logspb.LogRecord, s.Items)
	for j := range records {
		records[j] = &logspb.LogRecord{
			TimeUnixNano:         start + uint64(j)*1e6,
			ObservedTimeUnixNano: start + uint64(j)*1e6,
			SeverityNumber:       logspb.SeverityNumber_SEVERITY_NUMBER_INFO,
			SeverityText:         "INFO",
			Body:                 &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: "request served for " + letters(r, 12)}},
			TraceId:              traceID(i),
			SpanId:               spanID(i, j),
			Attributes:           attributes(r, s.Attrs, i*s.Items+j+1, i+1),
		}
	}
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
		Resource:  resource,
		ScopeLogs: []*logspb.ScopeLogs{{Scope: scope, LogRecords: records}},
	}}}
}
