package wire

import (
	"math"
	"time"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func (c chance) filter(sig query.Signal, depth int) query.Filter {
	if depth > 0 {
		sub := func() query.Filter { return c.filter(sig, depth-1) }
		switch c.Intn(6) {
		case 0:
			return where.Not(sub())
		case 1:
			return where.Any(sub(), sub())
		case 2:
			if sig == query.Traces {
				return pick(c, where.Child, where.Descendant)(sub())
			}
		}
	}
	if c.Intn(2) == 0 {
		return c.shared()
	}
	switch sig {
	case query.Traces:
		return c.spanFilter()
	case query.Metrics:
		return c.pointFilter()
	}
	return c.logFilter()
}

func (c chance) shared() query.Filter {
	switch c.Intn(13) {
	case 0:
		return where.Service(c.onText())
	case 1:
		return where.ScopeName(c.onText())
	case 2, 3:
		return where.Attr(c.key(), c.onValue())
	case 4:
		return where.HasAttr(c.key())
	case 5, 6:
		return where.ResourceAttr(c.key(), c.onValue())
	case 7:
		return where.HasResourceAttr(c.key())
	case 8:
		from := time.Unix(0, int64(c.Intn(4)*1e9))
		return where.During(from, from.Add(time.Duration(c.Intn(3))*time.Second))
	case 9:
		return where.ViaProtocol(pick(c, query.GRPC, query.HTTPJSON))
	case 10:
		return pick(c, where.Header("X-Tenant", c.onText()), where.HasHeader(pick(c, "x-tenant", "other")))
	case 11:
		return where.InExport(c.onNumber(1 + c.Intn(4)))
	}
	return where.Since(query.NewMark(uint64(8 + c.Intn(8))))
}

func (c chance) spanFilter() query.Filter {
	trace := query.TraceID([]byte("0123456789abcdef"))
	switch c.Intn(10) {
	case 0:
		return where.Name(c.onText())
	case 1:
		return where.Kind(query.SpanKind(c.Intn(7)), query.SpanKind(c.Intn(7)))
	case 2:
		return where.Status(query.StatusCode(c.Intn(4)))
	case 3:
		return where.TraceID(trace)
	case 4:
		return where.HasEvent(c.onText())
	case 5:
		return where.HasLink(trace)
	case 6:
		return where.Duration(c.onNumber(pick[time.Duration](c, 0, time.Nanosecond, time.Second, -time.Second, 2*time.Second, math.MaxInt64)))
	case 7:
		return where.StatusError()
	case 8:
		return c.onSpan()
	}
	return where.Root()
}

func (c chance) pointFilter() query.Filter {
	switch c.Intn(5) {
	case 0:
		return where.Name(c.onText())
	case 1:
		return where.Unit(c.onText())
	case 2:
		return where.Type(pick(c, query.Gauge, query.Sum, query.HistogramType, query.ExponentialType, query.SummaryType))
	case 3:
		return where.Temporality(query.Temporality(c.Intn(4)), query.Temporality(c.Intn(4)))
	}
	return where.Monotonic()
}

func (c chance) logFilter() query.Filter {
	switch c.Intn(5) {
	case 0:
		if c.Intn(2) == 0 {
			return where.Severity(c.onNumber(c.Intn(25)))
		}
		return where.Severity(c.onNumber(query.Severity(c.Intn(25))))
	case 1:
		return where.Body(c.onValue())
	case 2:
		return where.EventName(c.onText())
	case 3:
		return c.onSpan()
	}
	return where.TraceID(query.TraceID([]byte("0123456789abcdeg")))
}

func (c chance) onSpan() query.Filter {
	return where.SpanID(query.SpanID([]byte(pick(c, "1234567a", "1234567b"))))
}

func (c chance) onText() where.Condition {
	switch c.Intn(4) {
	case 0:
		return where.Matches(pick(c, "^a", "b$", ".", "^$", "[é1]"))
	case 1:
		return where.Contains(c.text())
	case 2:
		return where.OneOf(c.text(), c.text())
	}
	return where.Is(c.text())
}

func (c chance) onNumber(n any) where.Condition {
	return pick(c, where.Is, where.AtLeast, where.AtMost, where.MoreThan, where.LessThan)(n)
}

func (c chance) onValue() where.Condition {
	switch c.Intn(6) {
	case 0, 1:
		return c.onText()
	case 2:
		return c.onNumber(c.int())
	case 3:
		return c.onNumber(c.float())
	case 4:
		return where.OneOf(c.text(), c.int(), c.float(), c.Intn(2) == 0)
	}
	return where.Is(c.Intn(2) == 0)
}
