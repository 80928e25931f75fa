package main_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// story is a trace that is being told: its spans by service, in order.
type story struct {
	f     *filler
	id    []byte
	order []string
	spans map[string][]*tracepb.Span
}

func (f *filler) story() *story {
	s := &story{f: f, id: f.id(16), spans: map[string][]*tracepb.Span{}}
	f.traces = append(f.traces, s.id)
	return s
}

// know keeps a trace's id for tests.
func (f *filler) know(name string, s *story) { f.known[name] = hex.EncodeToString(s.id) }

// span adds one that begins at a time and lasts so long.
func (s *story) span(service, name string, kind tracepb.Span_SpanKind, parent *tracepb.Span, at time.Time, lasts time.Duration, kv ...any) *tracepb.Span {
	span := &tracepb.Span{
		TraceId: s.id, SpanId: s.f.id(8), Name: name, Kind: kind, Flags: 0x101, Attributes: attrs(kv...),
		StartTimeUnixNano: nano(at), EndTimeUnixNano: nano(at.Add(lasts)),
	}
	if parent != nil {
		span.ParentSpanId = parent.SpanId
	}
	if _, ok := s.spans[service]; !ok {
		s.order = append(s.order, service)
	}
	s.spans[service] = append(s.spans[service], span)
	return span
}

// call adds a client's span and that of the server that it calls.
func (s *story) call(from, to, name string, parent *tracepb.Span, at time.Time, lasts time.Duration) *tracepb.Span {
	c := s.span(from, name, client, parent, at, lasts, "rpc.system", "grpc", "rpc.service", "shop."+to, "rpc.method", name, "server.address", to, "server.port", 8443)
	edge := lasts / 20
	return s.span(to, name, server, c, at.Add(edge), lasts-2*edge, "rpc.system", "grpc", "rpc.service", "shop."+to, "rpc.method", name, "client.address", "10.4.0.17")
}

func (s *story) database(service, statement string, parent *tracepb.Span, at time.Time, lasts time.Duration) *tracepb.Span {
	verb, _, _ := strings.Cut(statement, " ")
	return s.span(service, verb+" "+service, client, parent, at, lasts, "db.system.name", "postgresql", "db.namespace", service, "db.query.text", statement, "db.response.returned_rows", 1+s.f.rand.IntN(20), "server.address", "db-1", "server.port", 5432)
}

// fails marks spans as failed, and records an exception at the first two.
func fails(kind, why string, spans ...*tracepb.Span) {
	for i, span := range spans {
		span.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: why}
		if i < 2 {
			span.Events = append(span.Events, &tracepb.Span_Event{
				Name: "exception", TimeUnixNano: span.EndTimeUnixNano - 1000,
				Attributes: attrs("exception.type", kind, "exception.message", why, "exception.stacktrace", kind+": "+why+"\n\tat shop.payment.Gateway.charge(Gateway.java:118)\n\tat shop.payment.Service.pay(Service.java:41)\n\tat java.base/java.lang.Thread.run(Thread.java:1583)"),
			})
		}
	}
}

func (f *filler) ms(low, high int) time.Duration {
	return time.Duration(low)*time.Millisecond + time.Duration(f.rand.IntN((high-low)*1000))*time.Microsecond
}

// browse is a trace of five spans.
func (f *filler) browse(at time.Time, route string) *story {
	s := f.story()
	whole := f.ms(18, 90)
	root := s.span("web", "GET "+route, server, nil, at, whole, "http.request.method", "GET", "http.route", route, "url.path", route, "url.scheme", "https", "http.response.status_code", 200, "user_agent.original", "Mozilla/5.0 (X11; Linux x86_64) Firefox/143.0", "client.address", "203.0.113.9")
	got := s.call("web", "cart", "GetCart", root, at.Add(whole/10), whole*6/10)
	s.database("cart", "SELECT * FROM carts WHERE user_id = $1", got, at.Add(whole/5), whole*3/10)
	s.span("web", "render "+route[1:], internal, root, at.Add(whole*8/10), whole/6, "template", "page.html", "cached", f.rand.IntN(2) == 0, "size", 18.25, "tags", []any{"shop", 3, true})
	return s
}

// checkout is a trace of 12 spans and three for each article, and four more
// where an order is announced. It returns the span that announces it.
func (f *filler) checkout(at time.Time, articles int, failing string) (*story, *tracepb.Span) {
	s := f.story()
	f.orders++
	order := fmt.Sprintf("o-%d", 1000+f.orders)
	each := 14 * time.Millisecond
	whole := time.Duration(articles)*each + 190*time.Millisecond
	ms := func(n int) time.Time { return at.Add(time.Duration(n) * time.Millisecond) }
	root := s.span("web", "POST /checkout", server, nil, at, whole, "http.request.method", "POST", "http.route", "/checkout", "url.path", "/checkout", "url.query", "voucher=AUTUMN", "http.response.status_code", 201, "http.request.body.size", 1812, "enduser.id", "u-4711", "order.id", order)
	root.TraceState = "shop=eu-west,other=1"
	check := s.span("web", "validate form", internal, root, ms(1), 6*time.Millisecond, "fields", []any{"name", "address", "voucher"})
	check.Events = append(check.Events, &tracepb.Span_Event{Name: "voucher applied", TimeUnixNano: nano(ms(4)), Attributes: attrs("voucher", "AUTUMN", "discount", 0.15)})
	place := s.call("web", "checkout", "PlaceOrder", root, ms(8), whole-12*time.Millisecond)
	cart := s.call("checkout", "cart", "GetCart", place, ms(28), 30*time.Millisecond)
	s.database("cart", "SELECT article, amount FROM carts WHERE user_id = $1", cart, ms(34), 14*time.Millisecond)
	for i := range articles {
		begin := ms(60).Add(time.Duration(i) * each)
		reserve := s.call("checkout", "inventory", "Reserve", place, begin, each-2*time.Millisecond)
		s.database("inventory", "UPDATE stock SET reserved = reserved + $1 WHERE article = $2", reserve, begin.Add(2*time.Millisecond), 7*time.Millisecond)
	}
	begin := ms(64).Add(time.Duration(articles) * each)
	charge := s.call("checkout", "payment", "Charge", place, begin, 84*time.Millisecond)
	charge.Attributes = append(charge.Attributes, attr("order.id", order), attr("payment.amount", 129.95), attr("payment.card", attrs("brand", "visa", "last4", "4242")), attr("payment.nonce", []byte{0xde, 0xad, 0xbe, 0xef}))
	gateway := s.span("payment", "POST", client, charge, begin.Add(8*time.Millisecond), 62*time.Millisecond, "http.request.method", "POST", "url.full", "https://api.bank.example/v1/charges", "server.address", "api.bank.example", "server.port", 443, "http.response.status_code", 200)
	gateway.Events = append(gateway.Events, &tracepb.Span_Event{Name: "tls handshake done", TimeUnixNano: nano(begin.Add(20 * time.Millisecond))})
	s.database("payment", "INSERT INTO charges (order_id, amount) VALUES ($1, $2)", charge, begin.Add(72*time.Millisecond), 5*time.Millisecond)
	if failing != "" {
		fails("CardDeclined", failing, gateway, charge, place, root)
		return s, nil
	}
	return s, s.span("checkout", "orders publish", producer, place, begin.Add(88*time.Millisecond), 3*time.Millisecond, "messaging.system", "kafka", "messaging.destination.name", "orders", "messaging.operation.type", "send", "messaging.message.id", order)
}

// fulfil is a trace of its own that links to the span that announced the order.
func (f *filler) fulfil(at time.Time, of *tracepb.Span) *story {
	s := f.story()
	root := s.span("inventory", "orders process", consumer, nil, at, 46*time.Millisecond, "messaging.system", "kafka", "messaging.destination.name", "orders", "messaging.operation.type", "process", "messaging.batch.message_count", 1)
	root.Links = []*tracepb.Span_Link{{TraceId: of.TraceId, SpanId: of.SpanId, Attributes: attrs("messaging.message.id", "o-1001")}}
	s.database("inventory", "UPDATE stock SET sold = sold + $1 WHERE article = $2", root, at.Add(4*time.Millisecond), 9*time.Millisecond)
	mail := s.call("inventory", "mailer", "SendConfirmation", root, at.Add(15*time.Millisecond), 28*time.Millisecond)
	s.span("mailer", "SMTP send", client, mail, at.Add(19*time.Millisecond), 20*time.Millisecond, "server.address", "smtp.example", "server.port", 587)
	return s
}

// tell sends a trace, each service its spans.
func (f *filler) tell(ctx context.Context, s *story) error {
	for _, service := range s.order {
		if err := f.send(ctx, spansRequest(service, s.spans[service]...)); err != nil {
			return err
		}
	}
	return nil
}

// bigTrace is how many articles make a checkout of exactly 60 spans.
const bigTrace = 16

// shop sends everything. It takes about two seconds.
func (f *filler) shop(ctx context.Context) error {
	for _, part := range []func(context.Context) error{f.sales, f.oddTraces, f.troubles, f.measurements, f.records, f.violations} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sales is traces as they should be, over the last ten minutes.
func (f *filler) sales(ctx context.Context) error {
	routes := []string{"/cart", "/articles/{id}", "/search", "/"}
	for i := range 40 {
		at := f.now.Add(time.Duration(i-41) * 15 * time.Second)
		stories := []*story{f.browse(at, routes[i%len(routes)])}
		if i%5 == 2 {
			why := ""
			if i%10 == 7 {
				why = "card declined: insufficient funds"
			}
			s, published := f.checkout(at.Add(2*time.Second), 1+f.rand.IntN(5), why)
			if why != "" {
				f.know("failed", s)
			}
			stories = append(stories, s)
			if published != nil {
				stories = append(stories, f.fulfil(at.Add(3*time.Second), published))
			}
		}
		for _, s := range stories {
			if err := f.tell(ctx, s); err != nil {
				return err
			}
		}
	}
	big, published := f.checkout(f.now.Add(-20*time.Second), bigTrace, "")
	if err := f.tell(ctx, big); err != nil {
		return err
	}
	linked := f.fulfil(f.now.Add(-19*time.Second), published)
	f.know("big", big)
	f.know("linked", linked)
	return f.tell(ctx, linked)
}

// oddTraces is what the waterfall has to say something about: an orphan, a span
// that came twice, a child from a machine whose clock is wrong.
func (f *filler) oddTraces(ctx context.Context) error {
	at := f.now.Add(-12 * time.Second)
	orphan := f.browse(at, "/cart")
	orphan.spans["cart"][0].ParentSpanId = f.id(8)
	twice := f.browse(at.Add(2*time.Second), "/search")
	skewed := f.browse(at.Add(4*time.Second), "/articles/{id}")
	for _, span := range skewed.spans["cart"] {
		span.StartTimeUnixNano -= uint64(350 * time.Millisecond)
		span.EndTimeUnixNano -= uint64(350 * time.Millisecond)
	}
	f.know("orphan", orphan)
	f.know("twice", twice)
	f.know("skewed", skewed)
	for _, s := range []*story{orphan, twice, skewed} {
		if err := f.tell(ctx, s); err != nil {
			return err
		}
	}
	return f.send(ctx, spansRequest("web", twice.spans["web"][0]))
}

// troubles is exports that meet faults, and what clients do then.
func (f *filler) troubles(ctx context.Context) error {
	if f.control == "" {
		return nil
	}
	at := f.now.Add(-5 * time.Second)
	const ms = time.Millisecond
	for _, trouble := range []struct {
		rules string
		again []time.Duration
	}{
		{`traces [service="web"]: throttle 300ms`, []time.Duration{310 * ms}},
		{`traces [service="web"]: unavailable x2`, []time.Duration{60 * ms, 130 * ms}},
		{`traces [service="web"]: throttle 500ms`, []time.Duration{90 * ms}}, // too early
		{`traces [service="web"]: unavailable`, nil},                         // given up
		{`traces [service="web"]: reject "the tenant is unknown"`, nil},
		{`traces [service="web"]: partial 2 "no spans without a tenant"`, nil},
		{`traces [service="web"]: accept`, []time.Duration{40 * ms}}, // sent twice
	} {
		if err := f.fault(ctx, trouble.rules); err != nil {
			return err
		}
		s := f.browse(at, "/search")
		_ = f.send(ctx, spansRequest("web", s.spans["web"]...), trouble.again...) // which may be refused
		if err := f.send(ctx, spansRequest("cart", s.spans["cart"]...)); err != nil {
			return err
		}
		at = at.Add(200 * ms)
	}
	return f.fault(ctx, "metrics [service=\"billing\"]: throttle 30s x2, unavailable\nlogs http/json: always partial 1 \"too large\"") // that nobody meets yet
}
