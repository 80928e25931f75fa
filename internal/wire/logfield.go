package wire

import "github.com/otlptest/otlptest/query"

func severityOf(it *Item, _ string) (value, bool) {
	return enumValue(lastNum(it.raw, logSeverity)), true
}

func showSeverity(v value) query.Value {
	return query.StringValue(query.Severity(int32(v.num)).String())
}

func bodyOf(it *Item, _ string) (value, bool) {
	v := valueOf(merged(it.raw, logBody))
	return v, v.kind != query.KindEmpty
}

func eventOf(it *Item, _ string) (value, bool) { return stringValue(last(it.raw, logEventName)) }
