package where_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

var (
	trace   = query.TraceID{0x0a, 0xf7, 15: 0x9c}
	morning = time.Date(2026, 1, 2, 15, 4, 5, 5e8, time.UTC)
)

var texts = []struct {
	text    string
	filters []query.Filter
	print   string // where it is not text
}{
	{text: "", filters: nil},
	{text: " \t\r\n", filters: nil},
	{text: `name="charge"`, filters: filters(where.Name("charge"))},
	{text: `name=""`, filters: filters(where.Name(""))},
	{text: `name="a \"b\"\n\xff ü"`, filters: filters(where.Name("a \"b\"\n\xff ü"))},
	{text: `name="\u00fc"`, filters: filters(where.Name("ü")), print: `name="ü"`},
	{text: `service="shop"`, filters: filters(where.Service("shop"))},
	{text: `scope="net/http"`, filters: filters(where.ScopeName("net/http"))},
	{text: `rule="S-40"`, filters: filters(where.Rule("S-40"))},
	{text: `root`, filters: filters(where.Root())},
	{text: `trace=0af7000000000000000000000000009c`, filters: filters(where.TraceID(trace))},
	{text: `trace=0AF7000000000000000000000000009C`, filters: filters(where.TraceID(trace)), print: `trace=0af7000000000000000000000000009c`},
	{text: `span=0af7000000000000`, filters: filters(where.SpanID(query.SpanID{0x0a, 0xf7}))},
	{text: `span=0AF7000000000000`, filters: filters(where.SpanID(query.SpanID{0x0a, 0xf7})), print: `span=0af7000000000000`},

	{text: `kind=unspecified`, filters: filters(where.Kind(query.SpanKindUnspecified))},
	{text: `kind=consumer`, filters: filters(where.Kind(query.SpanKindConsumer))},
	{text: `kind=kind(9)`, filters: filters(where.Kind(9))},
	{text: `kind=kind(-1)`, filters: filters(where.Kind(-1))},
	{text: `kind=kind(3)`, filters: filters(where.Kind(query.SpanKindClient)), print: `kind=client`},
	{text: `status=error`, filters: filters(where.Status(query.StatusError))},
	{text: `status=status(7)`, filters: filters(where.Status(7))},

	{text: `attr.http.route="/pay"`, filters: filters(where.Attr("http.route", "/pay"))},
	{text: `attr.n=500`, filters: filters(where.Attr("n", 500))},
	{text: `attr.n=-9223372036854775808`, filters: filters(where.Attr("n", math.MinInt64))},
	{text: `attr.n=+5`, filters: filters(where.Attr("n", 5)), print: `attr.n=5`},
	{text: `attr.n=0.5`, filters: filters(where.Attr("n", 0.5))},
	{text: `attr.n=5.0`, filters: filters(where.Attr("n", 5.0))},
	{text: `attr.n=-0.0`, filters: filters(where.Attr("n", math.Copysign(0, -1)))},
	{text: `attr.n=1e+21`, filters: filters(where.Attr("n", 1e21))},
	{text: `attr.n=1E3`, filters: filters(where.Attr("n", 1e3)), print: `attr.n=1000.0`},
	{text: `attr.n=9223372036854775808`, filters: filters(where.Attr("n", 1<<63*1.0)), print: `attr.n=9.223372036854776e+18`},
	{text: `attr.n=+Inf`, filters: filters(where.Attr("n", math.Inf(1)))},
	{text: `attr.n=-Inf`, filters: filters(where.Attr("n", math.Inf(-1)))},
	{text: `attr.b=true`, filters: filters(where.Attr("b", true))},
	{text: `attr.b=false`, filters: filters(where.Attr("b", false))},
	{text: `attr.s="true"`, filters: filters(where.Attr("s", "true"))},
	{text: `attr."my key"=1`, filters: filters(where.Attr("my key", 1))},
	{text: `attr."plain"=1`, filters: filters(where.Attr("plain", 1)), print: `attr.plain=1`},
	{text: `attr.""=1`, filters: filters(where.Attr("", 1))},
	{text: `attr.a:b/c@d$e-f+g_H.9=1`, filters: filters(where.Attr("a:b/c@d$e-f+g_H.9", 1))},
	{text: `attr.k`, filters: filters(where.HasAttr("k"))},
	{text: `attr."a=b"`, filters: filters(where.HasAttr("a=b"))},
	{text: `resource.tenant="b"`, filters: filters(where.ResourceAttr("tenant", "b"))},
	{text: `resource.tenant`, filters: filters(where.HasResourceAttr("tenant"))},

	{text: `name~"^charge$"`, filters: filters(where.Name(where.Matches("^charge$")))},
	{text: `name=("a","b")`, filters: filters(where.Name(where.OneOf("a", "b")))},
	{text: `service*="shop"`, filters: filters(where.Service(where.Contains("shop")))},
	{text: `attr.n=(200,201,"x",0.5,true)`, filters: filters(where.Attr("n", where.OneOf(200, 201, "x", 0.5, true)))},
	{text: "attr.n=( 200,\n201 )", filters: filters(where.Attr("n", where.OneOf(200, 201))), print: `attr.n=(200,201)`},
	{text: `attr.n=(5)`, filters: filters(where.Attr("n", where.OneOf(5)))},
	{text: `attr.n>=500`, filters: filters(where.Attr("n", where.AtLeast(500)))},
	{text: `attr.n<0.5`, filters: filters(where.Attr("n", where.LessThan(0.5)))},
	{text: `resource.n<=-1`, filters: filters(where.ResourceAttr("n", where.AtMost(-1)))},
	{text: `resource.n>+Inf`, filters: filters(where.ResourceAttr("n", where.MoreThan(math.Inf(1))))},
	{text: `attr.route~"^/pay\\d+"`, filters: filters(where.Attr("route", where.Matches(`^/pay\d+`)))},
	{text: `attr.n=5`, filters: filters(where.Attr("n", where.Is(5)))},

	{text: `kind=(client,server)`, filters: filters(where.Kind(query.SpanKindClient, query.SpanKindServer))},
	{text: `status=error`, filters: filters(where.StatusError())},
	{text: `duration>=1s`, filters: filters(where.MinDuration(time.Second))},
	{text: `duration<1.5us`, filters: filters(where.Duration(where.LessThan(1500 * time.Nanosecond)))},
	{text: `duration=90s`, filters: filters(where.Duration(90 * time.Second)), print: `duration=1m30s`},
	{text: `duration=(1s,2s)`, filters: filters(where.Duration(where.OneOf(time.Second, 2*time.Second)))},
	{text: `during=2026-01-02T15:04:05.5Z/2026-01-02T15:05:00Z`, filters: filters(where.During(morning, morning.Add(54500*time.Millisecond)))},
	{text: `during=2026-01-02T16:04:05.5+01:00/2026-01-02T15:05:00Z`, filters: filters(where.During(morning, morning.Add(54500*time.Millisecond))), print: `during=2026-01-02T15:04:05.5Z/2026-01-02T15:05:00Z`},
	{text: `during=0001-01-01T00:00:00Z/2026-01-02T15:04:05.5Z`, filters: filters(where.During(time.Time{}, morning))},
	{text: `has_event="exception"`, filters: filters(where.HasEvent("exception"))},
	{text: `has_link=0af7000000000000000000000000009c`, filters: filters(where.HasLink(trace))},
	{text: `child(name="a" kind=server)`, filters: filters(where.Child(where.Name("a"), where.Kind(query.SpanKindServer)))},
	{text: `descendant( child(root) )`, filters: filters(where.Descendant(where.Child(where.Root()))), print: `descendant(child(root))`},
	{text: `unit="ms"`, filters: filters(where.Unit("ms"))},
	{text: `type=exponential_histogram`, filters: filters(where.Type(query.ExponentialType))},
	{text: `temporality=(delta,temporality(7))`, filters: filters(where.Temporality(query.Delta, 7))},
	{text: `not monotonic`, filters: filters(where.Not(where.Monotonic()))},
	{text: `severity>=error`, filters: filters(where.Severity(query.SeverityError))},
	{text: `severity=17`, filters: filters(where.Severity(where.Is(17)))},
	{text: `severity<=info2`, filters: filters(where.Severity(where.AtMost(query.Severity(10))))},
	{text: `severity=(warn,unspecified)`, filters: filters(where.Severity(where.OneOf(query.SeverityWarn, query.SeverityUnspecified)))},
	{text: `body="paid"`, filters: filters(where.Body("paid"))},
	{text: `body*="ref"`, filters: filters(where.Body(where.Contains("ref")))},
	{text: `body~"re?f"`, filters: filters(where.Body(where.Matches("re?f")))},
	{text: `event="checkout"`, filters: filters(where.EventName("checkout"))},
	{text: `protocol=http/protobuf`, filters: filters(where.ViaProtocol(query.HTTPProtobuf))},
	{text: `header.x-tenant="b"`, filters: filters(where.Header("X-Tenant", "b"))},
	{text: `header.X-Tenant~"b"`, filters: filters(where.Header("x-tenant", where.Matches("b"))), print: `header.x-tenant~"b"`},
	{text: `header.x-tenant`, filters: filters(where.HasHeader("X-Tenant"))},
	{text: `export=3`, filters: filters(where.InExport(3))},
	{text: `export>=3`, filters: filters(where.InExport(where.AtLeast(3)))},
	{text: `since=12`, filters: filters(where.Since(query.NewMark(12)))},
	{text: `outcome=(partial,cut)`, filters: filters(where.Outcome(query.Partial, query.Cut))},
	{text: `attempt>1`, filters: filters(where.Attempt(where.MoreThan(1)))},
	{text: `complete`, filters: filters(where.Complete())},
	{text: `spans>=3`, filters: filters(where.MinSpans(3))},

	{text: `not root`, filters: filters(where.Not(where.Root()))},
	{text: `not not attr.k`, filters: filters(where.Not(where.Not(where.HasAttr("k"))))},
	{text: `(root)`, filters: filters(where.Any(where.Root()))},
	{text: `(root or not (kind=client or attr.k))`, filters: filters(where.Any(where.Root(), where.Not(where.Any(where.Kind(query.SpanKindClient), where.HasAttr("k")))))},
	{text: "not(root)", filters: filters(where.Not(where.Any(where.Root()))), print: "not (root)"},
	{text: "(\n  root\n  or attr.k )", filters: filters(where.Any(where.Root(), where.HasAttr("k"))), print: "(root or attr.k)"},
	{
		text: `name="charge" attr.http.route="/pay" attr.status=500 resource.tenant="b" not kind=client`,
		filters: filters(where.Name("charge"), where.Attr("http.route", "/pay"), where.Attr("status", 500),
			where.ResourceAttr("tenant", "b"), where.Not(where.Kind(query.SpanKindClient))),
	},
}

func filters(fs ...query.Filter) []query.Filter { return fs }

func join(fs []query.Filter) string {
	texts := make([]string, len(fs))
	for i, f := range fs {
		texts[i] = f.String()
	}
	return strings.Join(texts, " ")
}

func TestTextIsReadAndWritten(t *testing.T) {
	for _, c := range texts {
		got, err := where.Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%s): %v", c.text, err)
			continue
		}
		if !reflect.DeepEqual(got, c.filters) {
			t.Errorf("Parse(%s)\n got %#v\nwant %#v", c.text, got, c.filters)
		}
		want := c.print
		if want == "" && len(c.filters) > 0 {
			want = c.text
		}
		if got := join(got); got != want {
			t.Errorf("Parse(%s) is printed as %s, want %s", c.text, got, want)
		}
	}
}

func TestNaNIsReadAndWritten(t *testing.T) {
	got, err := where.Parse("attr.n=NaN")
	if err != nil || join(got) != "attr.n=NaN" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestTextErrors(t *testing.T) {
	const terms = "want one of name, service, scope, attr.KEY, resource.KEY, during, kind, status, trace, span, root, duration, has_event, has_link, " +
		"child(, descendant(, unit, type, temporality, monotonic, severity, body, event, " +
		"protocol, header.NAME, export, since, outcome, attempt, complete, spans, rule, not, ("
	const text, all = "want =, ~ or *=", "want =, ~, *=, <, <=, >= or >"
	const values = "want a string in double quotes, a number, true or false"
	const unended = `got a string that does not end, or an escape that is none, want "…"`
	deep := strings.Repeat("not ", 101) + "root"
	for _, c := range []struct{ text, want string }{
		{`length>1s`, `at character 1: got "length", ` + terms},
		{`Name="x"`, `at character 1: got "Name", ` + terms},
		{`root, name="x"`, `at character 5: got ",", want a space before the next term`},
		{`ü`, `at character 1: got "ü", ` + terms},
		{`name="ü" !`, `at character 10: got "!", ` + terms},
		{`name.x="y"`, `at character 1: got "name.x", ` + terms},
		{`root.x`, `at character 1: got "root.x", ` + terms},
		{`func("big")`, `at character 1: a func cannot be given as text`},
		{`)`, `at character 1: got ")", ` + terms},
		{`root)`, `at character 5: got ")", ` + terms},

		{`name`, `at character 5: got the end after name, ` + text},
		{`name>"x"`, `at character 5: got ">" after name, ` + text},
		{`name = "x"`, `at character 5: got " " after name, ` + text},
		{`name=`, `at character 6: got the end, want a value for name`},
		{`name=charge`, `at character 6: got "charge", want a string in double quotes, as in name="charge"`},
		{`service=5`, `at character 9: got "5", want a string in double quotes, as in service="charge"`},
		{`name="charge`, `at character 6: ` + unended},
		{`name="\q"`, `at character 6: ` + unended},
		{`name="a"service="b"`, `at character 9: got "service", want a space before the next term`},
		{`root=true`, `at character 5: root takes no value`},
		{`root"x"`, `at character 5: got "\"", want a space before the next term`},

		{`attr`, `at character 1: got "attr", want a key after it, as in attr.http.route`},
		{`resource="x"`, `at character 1: got "resource", want a key after it, as in resource.http.route`},
		{`attr.`, `at character 6: got the end, want an attribute's key`},
		{`attr. x`, `at character 6: got " ", want an attribute's key`},
		{`attr."x`, `at character 6: ` + unended},
		{`attr.x"y"`, `at character 7: got "\"", want a space before the next term`},
		{`attr.x=`, `at character 8: got the end, want a value for attr.x`},
		{`attr.x=="y"`, `at character 8: got "=", want a value for attr.x`},
		{`attr.x!="y"`, `at character 7: got "!" after attr.x, ` + all},
		{`attr.x>"5"`, `at character 8: got "5", want a number`},
		{`attr.x<true`, `at character 8: got true, want a number`},
		{`attr.x<=NaN`, `at character 9: got NaN, want a number: none is more or less than NaN`},
		{`attr.x>1s`, `at character 8: got "1s", ` + values},
		{`attr.x~5`, `at character 8: got "5", want a string in double quotes, as in attr.x~"charge"`},
		{`attr.x~"("`, "at character 8: got \"(\", want a regular expression: error parsing regexp: missing closing ): `(`"},
		{`attr.x*=`, `at character 9: got the end, want a value for attr.x`},
		{`attr.x=()`, `at character 9: got ")", want a value for attr.x`},
		{`attr.x=(1 2)`, `at character 11: got "2", want "," or ")"`},
		{`attr.x=(1,)`, `at character 11: got ")", want a value for attr.x`},
		{`attr.x=(1`, `at character 10: got the end, want "," or ")"`},
		{`attr.x=(1,x)`, `at character 11: got "x", ` + values},
		{`attr.x>=(1,2)`, `at character 9: got "(", want a value for attr.x`},

		{`duration>5`, `at character 10: got "5", want a duration such as 1.5s or 200ms`},
		{`duration="1s"`, `at character 10: got a string, want a bare word, as in duration=1s`},
		{`duration~"1"`, `at character 9: got "~" after duration, want =, <, <=, >= or >`},
		{`during=2026-01-02T15:04:05Z`, `at character 8: got "2026-01-02T15:04:05Z", want two times with a slash between them, as in 2026-01-02T15:04:05Z/2026-01-02T15:05:00Z`},
		{`during=now/2026-01-02T15:04:05Z`, `at character 8: got "now", want a time such as 2026-01-02T15:04:05.5Z`},
		{`during=2026-01-02T15:04:06Z/2026-01-02T15:04:05Z`, `at character 8: got a window that ends at 2026-01-02T15:04:05Z, before it begins at 2026-01-02T15:04:06Z`},
		{`severity>=bad`, `at character 11: got severity "bad", want one of trace, debug, info, warn, error, fatal, one with a number of 2 to 4 behind it such as error2, unspecified, or a number`},
		{`severity>=25`, `at character 11: got severity 25, want 0 to 24`},
		{`type=counter`, `at character 6: got metric type "counter", want one of exponential_histogram, gauge, histogram, sum, summary`},
		{`temporality=x`, `at character 13: got temporality "x", want one of unspecified, delta, cumulative`},
		{`monotonic=true`, `at character 10: monotonic takes no value`},
		{`protocol=http`, `at character 10: got protocol "http", want one of grpc, http/json, http/protobuf`},
		{`outcome=ok`, `at character 9: got outcome "ok", want one of abandoned, accepted, cut, malformed, open, partial, refused`},
		{`attempt=0`, `at character 9: got 0, want 1 or more`},
		{`export=1.5`, `at character 8: got "1.5", want a whole number`},
		{`since=-1`, `at character 7: got mark "-1", want a number of 0 or more`},
		{`since>1`, `at character 6: got ">" after since, want =`},
		{`header="x"`, `at character 1: got "header", want a key after it, as in header.x-tenant`},
		{`header.`, `at character 8: got the end, want the name of a header field`},
		{`header."a b"="x"`, `at character 8: got header field "a b", want a name such as x-tenant`},
		{`has_event=1`, `at character 11: got "1", want a string in double quotes, as in has_event="charge"`},
		{`has_link=1`, `at character 10: got id "1" of 1 characters, want 32 hexadecimal digits`},
		{`child`, `at character 6: got the end after child, want a term in parentheses, as in child(name="charge")`},
		{`child root`, `at character 6: got " " after child, want a term in parentheses, as in child(name="charge")`},
		{`child()`, `at character 7: got ")", ` + terms},
		{`child(root`, `at character 11: got the end, ` + terms},
		{`descendant(x)`, `at character 12: got "x", ` + terms},
		{`attr.x=abc`, `at character 8: got "abc", ` + values},
		{`attr.x=0x10`, `at character 8: got "0x10", ` + values},
		{`attr.x=0x1p4`, `at character 8: got "0x1p4", ` + values},
		{`attr.x=infinity`, `at character 8: got "infinity", ` + values},
		{`attr.x=nan`, `at character 8: got "nan", ` + values},
		{`attr.x=1e999`, `at character 8: got "1e999", ` + values},
		{`attr.x=5,6`, `at character 9: got ",", want a space before the next term`},

		{`kind="client"`, `at character 6: got a string, want a bare word, as in kind=client`},
		{`kind=Client`, `at character 6: got kind "Client", want one of unspecified, internal, server, client, producer, consumer`},
		{`kind=kind(9`, `at character 6: got kind "kind", want one of unspecified, internal, server, client, producer, consumer`},
		{`kind=kind(x)`, `at character 6: got kind "kind(x)", want one of unspecified, internal, server, client, producer, consumer`},
		{`status=failed`, `at character 8: got status "failed", want one of unset, ok, error`},
		{`trace=0af7`, `at character 7: got id "0af7" of 4 characters, want 32 hexadecimal digits`},
		{`trace=zaf7651916cd43dd8448eb211c80319c`, `at character 7: got id "zaf7651916cd43dd8448eb211c80319c", want hexadecimal digits: encoding/hex: invalid byte: U+007A 'z'`},
		{`trace=00000000000000000000000000000000`, `at character 7: got the zero trace id, want a valid one`},
		{`span=0af7`, `at character 6: got id "0af7" of 4 characters, want 16 hexadecimal digits`},
		{`span=zaf7651916cd43dd`, `at character 6: got id "zaf7651916cd43dd", want hexadecimal digits: encoding/hex: invalid byte: U+007A 'z'`},
		{`span=0000000000000000`, `at character 6: got the zero span id, want a valid one`},
		{`span="0af7"`, `at character 6: got a string, want a bare word, as in span=b7ad6b7169203331`},
		{`trace="0af7"`, `at character 7: got a string, want a bare word, as in trace=0af7651916cd43dd8448eb211c80319c`},

		{`rule=S-40`, `at character 6: got "S-40", want a string in double quotes, as in rule="S-40"`},
		{`root rule="S-4O"`, `at character 11: got rule "S-4O", want a number such as "S-40"`},
		{`rule`, `at character 5: got the end after rule, want =`},

		{`not`, `at character 4: got the end, ` + terms},
		{`(`, `at character 2: got the end, ` + terms},
		{`()`, `at character 2: got ")", ` + terms},
		{`(root`, `at character 6: got the end, want "or" or ")"`},
		{`(root kind=client)`, `at character 7: got "kind", want "or" or ")"`},
		{`(root or)`, `at character 9: got ")", ` + terms},
		{`(root)root`, `at character 7: got "root", want a space before the next term`},
		{deep, `at character 405: terms are nested more than 100 deep`},
	} {
		got, err := where.Parse(c.text)
		if err == nil {
			t.Errorf("Parse(%s): got %v, want an error", c.text, got)
			continue
		}
		if _, at, _ := strings.Cut(err.Error(), ": "); at != c.want {
			t.Errorf("Parse(%s)\n got %s\nwant %s", c.text, at, c.want)
		}
	}
	_, err := where.Parse(`name=x`)
	if want := `filter "name=x": at character 6: got "x"`; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want it to begin with %s", err, want)
	}
}
