package otlptest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// violates checks where a server has seen violations of a rule, all of that
// level. The paths begin with the signal's item, and are as protobuf has them.
func violates(t *testing.T, srv *otlptest.Server, rule string, level query.Level, paths ...string) {
	t.Helper()
	var got []string
	for v := range srv.Violations(where.Rule(rule)).All() {
		if v.Level != level || v.Export < 1 || v.Got == "" || v.Want == "" {
			t.Errorf("got violation %+v, want level %s and all fields", v, level)
		}
		_, path, _ := strings.Cut(strings.TrimPrefix(v.Path, "resource"), "].") // resource_spans[0] and its like
		_, path, _ = strings.Cut(path, "].")
		got = append(got, path)
	}
	want := slices.Clone(paths)
	if e := srv.Exports().Slice()[0]; e.Protocol == query.HTTPJSON {
		for i := range want {
			want[i] = camel(want[i])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places of violations of %s (-want +got):\n%s", rule, diff)
	}
}

// camel is a path as JSON has it.
func camel(path string) string {
	parts := strings.Split(path, "_")
	for i := range parts[1:] {
		parts[i+1] = strings.ToUpper(parts[i+1][:1]) + parts[i+1][1:]
	}
	return strings.Join(parts, "")
}

// conforms checks that a server has seen no violation of the data.
func conforms(t *testing.T, srv *otlptest.Server) {
	t.Helper()
	for v := range srv.Violations(where.Not(where.Rule("C-35"))).All() { // the clients here do not say who they are
		t.Errorf("got violation %s, want none", v)
	}
}

// strictly sends a message to a strict server, which has to refuse n of its
// items for a rule, and to keep the others.
func strictly(t *testing.T, via query.Protocol, m proto.Message, rule string, n int) {
	t.Helper()
	srv := otlptest.Start(t, otlptest.WithStrict())
	r := newWire(t, srv).export(via, m)
	e := otlptest.One(t, srv.Exports())
	why := r.Message
	switch {
	case n == 0:
		if r.String() != success(via) {
			t.Errorf("got %s from a strict server, want %s", r, success(via))
		}
	case n == e.Items:
		if want := refusal(via, codes.InvalidArgument, 400); !strings.HasPrefix(r.String(), want+` "`) {
			t.Errorf("got %s from a strict server, want %s", r, want)
		}
	default:
		var rejected int64
		if rejected, why = partialSuccess(t, signalOf(m), via, r); rejected != int64(n) {
			t.Errorf("got %s from a strict server, want %d rejected", r, n)
		}
	}
	if (n > 0) != strings.Contains(why, "("+rule+")") {
		t.Errorf("got message %q from a strict server that refuses %d items, want the rule %s in it", why, n, rule)
	}
	if got := stored(srv, signalOf(m)); got != e.Items-n {
		t.Errorf("got %d of %d items stored by a strict server, want all but %d", got, e.Items, n)
	}
}
