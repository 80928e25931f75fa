package where_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

var trace = query.TraceID{0x0a, 0xf7, 15: 0x9c}

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
	const terms = "want one of name, service, scope, attr.KEY, resource.KEY, kind, status, trace, root, rule, not, ("
	const values = "want a string in double quotes, a number, true or false"
	const unended = `got a string that does not end, or an escape that is none, want "…"`
	deep := strings.Repeat("not ", 101) + "root"
	for _, c := range []struct{ text, want string }{
		{`duration>1s`, `at character 1: got "duration", ` + terms},
		{`Name="x"`, `at character 1: got "Name", ` + terms},
		{`root, name="x"`, `at character 5: got ",", want a space before the next term`},
		{`ü`, `at character 1: got "ü", ` + terms},
		{`name="ü" !`, `at character 10: got "!", ` + terms},
		{`name.x="y"`, `at character 1: got "name.x", ` + terms},
		{`root.x`, `at character 1: got "root.x", ` + terms},
		{`func("big")`, `at character 1: a func cannot be given as text`},
		{`)`, `at character 1: got ")", ` + terms},
		{`root)`, `at character 5: got ")", ` + terms},

		{`name`, `at character 5: got the end after name, want =`},
		{`name>"x"`, `at character 5: got ">" after name, want =`},
		{`name = "x"`, `at character 5: got " " after name, want =`},
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
		{`attr.x!="y"`, `at character 7: got "!" after attr.x, want =`},
		{`attr.x>5`, `at character 7: got ">" after attr.x, want =`},
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
		{`trace="0af7"`, `at character 7: got a string, want a bare word, as in kind=client`},

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
