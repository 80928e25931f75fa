package sdk

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/log/logtest"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdklogtest "go.opentelemetry.io/otel/sdk/log/logtest"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/query"
)

// LogRecording is the log records of a view as of now, by their scope, as a
// logtest.Recorder has them: logtest.AssertEqual compares it. Context is nil,
// but for a record with a trace id or span id, where it is one that
// trace.SpanContextFromContext reads them from. Since no two contexts are
// equal, a comparison leaves it out by logtest.Transform.
//
// A Recording has no place for the resource and the number of dropped
// attributes, for which see [LogRecords]; and Error is nil, since all that is
// sent of an error is attributes. It is an error if the attributes of a scope
// have a key twice.
func LogRecording(v query.View[query.Log]) (logtest.Recording, error) {
	if err := v.Err(); err != nil {
		return nil, fmt.Errorf("log recording: %w", err)
	}
	rec := logtest.Recording{}
	for l := range v.All() {
		s, err := scopeOf(l.Scope)
		if err != nil {
			return nil, fmt.Errorf("log record %s: %w", l.Body, err)
		}
		scope := logtest.Scope{Name: s.Name, Version: s.Version, SchemaURL: s.SchemaURL, Attributes: s.Attributes}
		rec[scope] = append(rec[scope], recorded(l))
	}
	return rec, nil
}

func recorded(l query.Log) logtest.Record {
	r := logtest.Record{
		EventName: l.EventName, Timestamp: l.Time, ObservedTimestamp: l.ObservedTime,
		Severity: log.Severity(l.Severity), SeverityText: l.SeverityText,
		Body: value(l.Body), Attributes: attributes(l.Attrs),
	}
	if !l.TraceID.IsZero() || !l.SpanID.IsZero() {
		r.Context = trace.ContextWithSpanContext(context.Background(), trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID(l.TraceID), SpanID: trace.SpanID(l.SpanID), TraceFlags: flags(l.Flags),
		}))
	}
	return r
}

// LogRecords is the log records of a view as of now, in the order received, as
// processors and exporters of the SDK get them, with all that such a record has
// room for. It is an error if attributes of a record, its scope or its resource
// have a key twice; in a map the last one wins.
func LogRecords(v query.View[query.Log]) ([]sdklog.Record, error) {
	if err := v.Err(); err != nil {
		return nil, fmt.Errorf("log records: %w", err)
	}
	var records []sdklog.Record
	for l := range v.All() {
		r, err := logRecord(l)
		if err != nil {
			return nil, fmt.Errorf("log record %s: %w", l.Body, err)
		}
		records = append(records, r)
	}
	return records, nil
}

func logRecord(l query.Log) (sdklog.Record, error) {
	res, scope, err := origin(l.Resource, l.Scope)
	if err != nil {
		return sdklog.Record{}, err
	}
	r := sdklogtest.RecordFactory{
		EventName: l.EventName, Timestamp: l.Time, ObservedTimestamp: l.ObservedTime,
		Severity: log.Severity(l.Severity), SeverityText: l.SeverityText,
		Body: value(l.Body), Attributes: attributes(l.Attrs), DroppedAttributes: int(l.DroppedAttrs),
		TraceID: trace.TraceID(l.TraceID), SpanID: trace.SpanID(l.SpanID), TraceFlags: flags(l.Flags),
		Resource: res, InstrumentationScope: &scope,
	}.NewRecord()
	if r.AttributesLen() != len(l.Attrs) {
		return sdklog.Record{}, fmt.Errorf("attributes with the same key, or without one, cannot be a record's: %s", l.Attrs)
	}
	return r, nil
}
