package wire

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/proto"
)

// origin is an export that says which one it is.
type origin int

func (o origin) Export() query.Export { return query.Export{Number: int(o)} }

// decoded is the item as it is handed out, but for its Ref, and the official
// message that the Ref leads to.
func decoded(it *Item) modelled {
	switch it.kind {
	case expr.Span:
		s := it.Span()
		m := s.Proto()
		s.Ref = query.Ref{}
		return modelled{s, m}
	case expr.Point:
		p := it.Point()
		m := p.Proto()
		p.Ref = query.Ref{}
		return modelled{p, m}
	}
	l := it.Log()
	m := l.Proto()
	l.Ref = query.Ref{}
	return modelled{l, m}
}

// agree holds everything that reads a body against the official unmarshaler.
// It says whether the body is valid.
func agree(t *testing.T, sig query.Signal, body []byte) bool {
	t.Helper()
	want := official(sig)
	wantErr := proto.Unmarshal(body, want)
	n, err := Validate(sig, body)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("Validate(%s, %x): got error %v, the official unmarshaler has %v", sig, body, err, wantErr)
	}
	if err != nil {
		checkError(t, err)
		agreeOnNothing(sig, body)
		return false
	}
	items := model(want)
	if n != len(items) {
		t.Fatalf("Validate(%s, %x): got %d items, the official message has %d", sig, body, n, len(items))
	}
	const first = 7
	i := 0
	for it := range Items(sig, body, origin(3), first) {
		if it.Index() != i || it.Number() != first+i {
			t.Fatalf("item %d: got index %d, number %d", i, it.Index(), it.Number())
		}
		if i >= len(items) {
			t.Fatalf("Items(%s, %x): got more than %d items", sig, body, len(items))
		}
		got := decoded(it)
		if reflect.DeepEqual(items[i].item, got.item) {
			// Equal down to the bits, for which cmp is slow.
		} else if diff := cmp.Diff(items[i].item, got.item); diff != "" {
			t.Fatalf("item %d of %s %x: (-official +got):\n%s", i, sig, body, diff)
		}
		agreeOnFields(t, it, got.item)
		if !proto.Equal(items[i].proto, got.proto) {
			t.Fatalf("item %d of %s %x: got proto %v, want %v", i, sig, body, got.proto, items[i].proto)
		}
		i++
	}
	if i != len(items) {
		t.Fatalf("Items(%s, %x): got %d items, want %d", sig, body, i, len(items))
	}
	if again := encode(t, want); Key(sig, body) != Key(sig, again) {
		t.Fatalf("Key(%s, %x): differs from that of the same message encoded officially, %x", sig, body, again)
	}
	return true
}

// agreeOnFields holds what filters see of an item against the decoded one.
func agreeOnFields(t *testing.T, it *Item, item any) {
	t.Helper()
	want := map[expr.Key]any{}
	var attrs query.Attrs
	var resource query.Resource
	var scope query.Scope
	switch item := item.(type) {
	case query.Span:
		attrs, resource, scope = item.Attrs, item.Resource, item.Scope
		want[expr.Name], want[expr.TraceID], want[expr.SpanID], want[expr.Root] = item.Name, item.TraceID, item.SpanID, item.IsRoot()
		want[expr.Kind], want[expr.Status] = item.Kind.String(), item.Status.Code.String()
	case query.Point:
		attrs, resource, scope = item.Attrs, item.Resource, item.Scope
		want[expr.Name] = item.Name
		want[expr.Unit], want[expr.Type], want[expr.Monotonic] = item.Unit, string(item.Type), item.Monotonic
		if item.Type != query.Gauge && item.Type != query.SummaryType {
			want[expr.Temporality] = item.Temporality.String()
		}
	case query.Log:
		attrs, resource, scope = item.Attrs, item.Resource, item.Scope
		want[expr.TraceID], want[expr.SpanID] = item.TraceID, item.SpanID
		want[expr.Severity], want[expr.Event] = item.Severity.String(), item.EventName
	}
	want[expr.Scope] = scope.Name
	for key, want := range want {
		got, found := it.Field(expr.Expr{Key: key})
		switch id := want.(type) {
		case query.TraceID:
			want, found = id.String(), found || id.IsZero()
		case query.SpanID:
			want, found = id.String(), found || id.IsZero()
		}
		if found && got.Any() != want && !got.IsEmpty() || !found && want != "" {
			t.Fatalf("Field(%s): got %s, %v, want %v", key, got, found, want)
		}
	}
	agreeOnAttrs(t, it, expr.Attr, attrs)
	agreeOnAttrs(t, it, expr.Resource, resource.Attrs)
}

// agreeOnAttrs wants each attribute to be found, with the value that the first
// of its key has.
func agreeOnAttrs(t *testing.T, it *Item, key expr.Key, attrs query.Attrs) {
	t.Helper()
	for _, kv := range attrs {
		e := expr.Expr{Key: key, Name: kv.Key}
		want := attrs.Get(kv.Key)
		if got, found := it.Field(e); !found || !got.Equal(want) {
			t.Fatalf("Field(%s): got %s, %v, want %s", e.Field(), got, found, want)
		}
		switch e.Arg = want.Any(); e.Arg.(type) {
		case string, bool, int64, float64:
			if !it.Holds(e) {
				t.Fatalf("Holds(%s): got false", e)
			}
		}
	}
}

// agreeOnNothing reads a malformed body with everything there is: it must
// come to an end without a panic.
func agreeOnNothing(sig query.Signal, body []byte) {
	for it := range Items(sig, body, origin(1), 1) {
		it.Span()
		it.Point()
		it.Log()
		child := expr.Expr{Op: expr.Child, Sub: []expr.Expr{{Op: expr.Exists, Key: expr.Attr, Name: "k"}}}
		it.Match(Compile([]expr.Expr{child}, Items(sig, body, origin(1), 1)))
		for key := range fields {
			for _, e := range probes(key) {
				it.Holds(e)
				it.Field(e)
			}
		}
	}
	Key(sig, body)
}
