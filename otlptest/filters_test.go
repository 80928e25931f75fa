package otlptest_test

import (
	"bytes"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// related is a span with ids of one digit each; a parent of 0 is none.
func related(name string, id, parent byte) *tracepb.Span {
	s := span(name)
	s.SpanId = bytes.Repeat([]byte{id}, 8)
	if parent != 0 {
		s.ParentSpanId = bytes.Repeat([]byte{parent}, 8)
	}
	return s
}

// namesOf is the names of the spans that match, in order of arrival.
func namesOf(srv *otlptest.Server, filters ...query.Filter) string {
	var list []string
	for s := range srv.Spans(filters...).All() {
		list = append(list, s.Name)
	}
	return strings.Join(list, " ")
}

func TestChildrenAndDescendantsAreFoundAcrossExports(t *testing.T) {
	srv := otlptest.Start(t)
	send(t, srv, related("leaf", 4, 3), related("orphan", 5, 9))
	send(t, srv, related("middle", 3, 2))
	send(t, srv, related("child", 2, 1), related("root", 1, 0), related("root", 1, 0))
	self := related("self", 7, 7)
	send(t, srv, self)
	for _, c := range []struct{ filter, want string }{
		{`child(name="root")`, "child"},
		{`child(name="root" root)`, "child"},
		{`child(name="root" kind=server)`, ""},
		{`child(child(name="root"))`, "middle"},
		{`descendant(name="root")`, "leaf middle child"},
		{`descendant(name="child")`, "leaf middle"},
		{`descendant(name="orphan")`, ""},
		{`descendant(service="shop")`, "leaf middle child self"},
		{`not descendant(name="root")`, "orphan root root self"},
		{`not descendant(attr.none)`, "leaf orphan middle child root root self"},
		{`(child(name="root") or name="orphan")`, "orphan child"},
		{`child(name="self")`, "self"},
	} {
		fs, err := where.Parse(c.filter)
		if err != nil {
			t.Fatal(err)
		}
		if got := namesOf(srv, fs...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.filter, got, c.want)
		}
	}
	if n := srv.Exports(where.Child(where.Name("root"))).Len(); n != 1 {
		t.Errorf("got %d exports with a child of root, want 1", n)
	}
}

func TestMarksDivideWhatSubtestsSee(t *testing.T) {
	srv := otlptest.Start(t)
	var before query.Mark
	send(t, srv, span("a"))
	first := srv.Mark()
	send(t, srv, span("b"))
	second := srv.Mark()
	if first == second || !first.Before(second) || first == before {
		t.Errorf("got marks %s and %s", first, second)
	}
	for want, m := range map[string]query.Mark{"a b": before, "b": first, "": second} {
		if got := namesOf(srv, where.Since(m)); got != want {
			t.Errorf("since %s: got %q, want %q", m, got, want)
		}
	}
	if got := srv.Exports(where.Since(first)).Slice(); len(got) != 1 || got[0].Number != 2 {
		t.Errorf("got %v, want export 2", got)
	}
	srv.Reset()
	send(t, srv, span("c"))
	if got := namesOf(srv, where.Since(first)); got != "c" {
		t.Errorf("got %q since a mark from before the reset, want c", got)
	}
	if srv.Mark() == first {
		t.Error("a mark came again after the reset")
	}
}

func TestExportsAreFilteredByWhatBecameOfThem(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Unavailable(), faults.PartialSuccess(1, ""))))
	send(t, srv, span("charge"))
	send(t, srv, span("charge"))
	post(t, srv, "/v1/traces", []byte("\xff"))
	send(t, srv, span("refund"))
	for filter, want := range map[string]string{
		`outcome=refused`:            "1",
		`outcome=(accepted,partial)`: "2 4",
		`not outcome=accepted`:       "1 2 3",
		`attempt=1`:                  "1 4",
		`attempt>1`:                  "2",
		`attempt>=1`:                 "1 2 4",
		`export=(2,3)`:               "2 3",
		`protocol=http/protobuf`:     "1 2 3 4",
		`header.content-type="application/x-protobuf"`:       "1 2 3 4",
		`header.content-type~"json"`:                         "",
		`header.x-none`:                                      "",
		`name="charge" attempt=2`:                            "2",
		`(outcome=malformed or name="refund")`:               "3 4",
		`(outcome=malformed or name="refund") export>=4`:     "4",
		`not (outcome=malformed or name="refund")`:           "1 2",
		`(not outcome=malformed or name="refund")`:           "1 2 4",
		`((outcome=refused or name="x") or outcome=partial)`: "1 2",
	} {
		fs, err := where.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for e := range srv.Exports(fs...).All() {
			number, _, _ := strings.Cut(e.String(), " ")
			got = append(got, number)
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: got %q, want %q", filter, got, want)
		}
	}
}

func TestItemsAreFilteredByTheExportThatBroughtThem(t *testing.T) {
	srv := otlptest.Start(t)
	send(t, srv, span("a"))
	send(t, srv, span("b"))
	for filter, want := range map[string]string{
		`export=2`: "b", `export<2`: "a", `protocol=grpc`: "", `not protocol=grpc`: "a b",
		`header.Content-Type*="protobuf" name="a"`: "a", `(export=1 or name="b")`: "a b",
	} {
		fs, err := where.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		if got := namesOf(srv, fs...); got != want {
			t.Errorf("%s: got %q, want %q", filter, got, want)
		}
	}
}

func TestRulesSelectByFilters(t *testing.T) {
	for text, want := range map[string][3]int{
		`[attempt=1]: unavailable; [attempt=2]: 9 times always reject`:          {503, 400, 200},
		`[attr.status>=500 name~"^ch"]: 9 times always reject`:                  {400, 400, 200},
		`[header.content-type*="proto" name="refund"]: 9 times always http 502`: {200, 200, 502},
		`[protocol=grpc]: 9 times always reject`:                                {200, 200, 200},
		`[(attempt=2 or name=("refund","x"))]: 9 times always reject`:           {200, 200, 400},
		`[since=0]: 9 times always reject`:                                      {400, 400, 400},
		`partial [attr.status<=500 protocol=http/protobuf] x2`:                  {200, 200, 200},
	} {
		rules, err := faults.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		srv := otlptest.Start(t, otlptest.WithFaults(rules...), otlptest.WithUnusedFaultsAllowed())
		var got [3]int
		for i, name := range []string{"charge", "charge", "refund"} {
			s := span(name)
			if name == "charge" {
				s = span(name, "status", 500)
			}
			got[i] = send(t, srv, s)
		}
		if got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}
