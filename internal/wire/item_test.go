package wire

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func TestItemsAreNumberedAcrossGroups(t *testing.T) {
	body := many(func(name string) []byte { return text(5, name) })
	var got []string
	for it := range Items(query.Traces, body, origin(3), 41) {
		s := it.Span()
		if it.Index() != len(got) || it.Number() != 41+len(got) || s.Ref.Number() != it.Number() {
			t.Errorf("item %d: got index %d, number %d, Ref.Number %d", len(got), it.Index(), it.Number(), s.Ref.Number())
		}
		if s.Ref.Export().Number != 3 {
			t.Errorf("got export %d, want 3", s.Ref.Export().Number)
		}
		got = append(got, s.Resource.Service()+s.Scope.Name+" "+s.Name)
	}
	want := []string{"ax ax1", "ax ax2", "ay ay1", "ay ay2", "bx bx1", "bx bx2", "by by1", "by by2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestItemsStopWhenTold(t *testing.T) {
	bodies := map[query.Signal][]byte{}
	for _, sig := range signals {
		bodies[sig] = encode(t, full(sig))
	}
	for sig, body := range bodies {
		items, err := Validate(sig, body)
		if err != nil {
			t.Fatal(err)
		}
		for stop := 1; stop <= items; stop++ {
			n := 0
			for range Items(sig, body, nil, 1) {
				if n++; n == stop {
					break
				}
			}
			if n != stop {
				t.Errorf("%s: got %d items, want to stop at %d", sig, n, stop)
			}
		}
	}
}

func TestAnItemIsReusedForAnotherBody(t *testing.T) {
	it := new(Item)
	var got []any
	collect := func(it *Item) bool {
		got = append(got, decoded(it).item)
		return true
	}
	var want []any
	for _, sig := range signals {
		for _, body := range captured(t, sig) {
			if !it.Scan(sig, body, origin(1), 1, collect) {
				t.Error("Scan: got false")
			}
			for it := range Items(sig, body, origin(1), 1) {
				want = append(want, decoded(it).item)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if it.Scan(query.Traces, aSpan, nil, 1, func(*Item) bool { return false }) {
		t.Error("Scan: got true from a yield that is false")
	}
}

func TestAnItemOfAnotherKindIsZero(t *testing.T) {
	for what, it := range all(t) {
		if what != "span" && !cmp.Equal(it.Span(), query.Span{}) {
			t.Errorf("%s: got a span", what)
		}
		if what != "log" && !cmp.Equal(it.Log(), query.Log{}) {
			t.Errorf("%s: got a log record", what)
		}
		if (what == "span" || what == "log") && !cmp.Equal(it.Point(), query.Point{}) {
			t.Errorf("%s: got a point", what)
		}
	}
	for range Items("profiles", aSpan, nil, 1) {
		t.Error("got an item of an unknown signal")
	}
}

func TestItemsOfAGroupShareWhatIsDecoded(t *testing.T) {
	span := lenField(2, text(5, "n"))
	body := lenField(1, lenField(1, attrField(1, "a", one)), lenField(2, lenField(1, attrField(3, "b", one)), span, span))
	var spans []query.Span
	for it := range Items(query.Traces, body, nil, 1) {
		spans = append(spans, it.Span())
	}
	if len(spans) != 2 || &spans[0].Resource.Attrs[0] != &spans[1].Resource.Attrs[0] || &spans[0].Scope.Attrs[0] != &spans[1].Scope.Attrs[0] {
		t.Errorf("got a resource and a scope for each span")
	}
	metric := inMetric(text(1, "m"), attrField(12, "c", one), lenField(5, lenField(1), lenField(1)))
	var points []query.Point
	for it := range Items(query.Metrics, metric, nil, 1) {
		points = append(points, it.Point())
	}
	if len(points) != 2 || &points[0].Metadata[0] != &points[1].Metadata[0] {
		t.Errorf("got a metadata for each point")
	}
}

func TestStringsShareTheBody(t *testing.T) {
	body := inSpan(text(5, "charge"))
	s := only(t, query.Traces, body).Span()
	if p := unsafe.StringData(s.Name); p != &body[len(body)-len("charge")] {
		t.Error("the name was copied")
	}
}

func TestRefsLeadToTheOfficialMessage(t *testing.T) {
	for _, sig := range signals {
		m := full(sig)
		want := model(m)
		for it := range Items(sig, encode(t, m), origin(5), 1) {
			if got := decoded(it).proto; !proto.Equal(got, want[it.Index()].proto) {
				t.Errorf("%s %d: got %v, want %v", sig, it.Index(), got, want[it.Index()].proto)
			}
		}
	}
}

// Whatever is changed in a full message changes what is decoded from it, so
// that no field is forgotten by the decoder and by what it is compared with.
func TestEveryFieldIsDecoded(t *testing.T) {
	for _, sig := range signals {
		m := full(sig)
		items := func() (list []any) {
			for it := range Items(sig, encode(t, m), nil, 1) {
				list = append(list, decoded(it).item)
			}
			return list
		}
		want := items()
		withoutEach(m.ProtoReflect(), func(what protoreflect.FullName) {
			if !ofProfiles[what] && reflect.DeepEqual(want, items()) {
				t.Errorf("%s is not decoded", what)
			}
		})
	}
}

// ofProfiles are fields that refer to tables that only profiles have.
var ofProfiles = map[protoreflect.FullName]bool{
	"opentelemetry.proto.common.v1.KeyValue.key_strindex":          true,
	"opentelemetry.proto.common.v1.AnyValue.string_value_strindex": true,
}
