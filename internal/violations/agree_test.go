package violations

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// seed is a body to start from.
type seed struct {
	sig  query.Signal
	body []byte
}

func seeds(t testing.TB) (all []seed) {
	for _, m := range clean() {
		all = append(all, seed{signalOf(m), encode(t, m)})
	}
	for _, row := range bodyRows {
		all = append(all, seed{signalOf(row.body), encode(t, row.body)})
	}
	return all
}

// agree checks everything that has to hold for any body.
func agree(t *testing.T, s seed) {
	t.Helper()
	s.body = append([]byte{}, s.body...) // nil would be no body
	items, err := wire.Validate(s.sig, s.body)
	if err != nil {
		Look(s.sig, s.body, true, nil) // it must not panic
		Judge(s.sig, s.body)
		return
	}
	f := Look(s.sig, s.body, false, nil)
	if again := Look(s.sig, slices.Clone(s.body), false, nil); !reflect.DeepEqual(f, again) {
		t.Fatalf("%s %x: got\n%+v\nand then\n%+v", s.sig, s.body, f, again)
	}
	v := Judge(s.sig, s.body)
	if v.Rejected > items || v.RefuseRequest != (v.Rejected == items && items > 0) || (v.Message == "") != (v.Rejected == 0) {
		t.Fatalf("%s %x: got %+v of %d items", s.sig, s.body, v, items)
	}
	compare(t, s, f)
}

// compare checks that the official decoder's message has the same faults.
func compare(t *testing.T, s seed, f *Findings) {
	t.Helper()
	m := map[query.Signal]proto.Message{query.Traces: &tracepb.TracesData{}, query.Metrics: &metricspb.MetricsData{}, query.Logs: &logspb.LogsData{}}[s.sig]
	if err := proto.Unmarshal(s.body, m); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range f.list {
		if v.Rule == "S-50" || v.More > 0 {
			return // the oracle knows neither
		}
		got = append(got, v.Rule+" "+v.Path)
	}
	slices.Sort(got)
	if want := ask(m); !slices.Equal(got, want) && !deep(want) {
		t.Fatalf("%s %x:\n got %s\nwant %s", s.sig, s.body, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// deep says whether a path is so long that it is shortened.
func deep(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return strings.Count(p, ".") >= 15 })
}

func TestFindingsAreThoseOfTheOfficialMessage(t *testing.T) {
	all := seeds(t)
	for _, s := range all {
		agree(t, s)
	}
	r := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for range 8_000 {
		s := all[r.IntN(len(all))]
		s.body = mutate(r, s.body)
		if _, err := wire.Validate(s.sig, s.body); err == nil {
			valid++
		}
		agree(t, s)
	}
	if valid < 3_000 {
		t.Errorf("got %d mutated bodies that are valid, want 3000 at least", valid)
	}
}

// mutate changes a body a little, mostly so that it stays valid.
func mutate(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	if r.IntN(3) > 0 {
		return rearrange(r, b, 6)
	}
	for range 1 + r.IntN(3) {
		if len(b) > 0 {
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		}
	}
	return b
}

// rearrange drops, repeats, moves or changes fields of a message, or of one in
// it.
func rearrange(r *rand.Rand, b []byte, depth int) []byte {
	fields := fieldsOf(b)
	if len(fields) == 0 {
		return b
	}
	i, j := r.IntN(len(fields)), r.IntN(len(fields))
	num, typ, head := protowire.ConsumeTag(fields[i])
	switch n := r.IntN(10); {
	case n == 0:
		fields = slices.Delete(fields, i, i+1)
	case n == 1:
		fields = slices.Insert(fields, j, fields[i])
	case n == 2:
		fields[i], fields[j] = fields[j], fields[i]
	case typ == protowire.BytesType && depth > 0:
		v, _ := protowire.ConsumeBytes(fields[i][head:])
		if isMessage(v) {
			fields[i] = protowire.AppendBytes(protowire.AppendTag(nil, num, typ), rearrange(r, slices.Clone(v), depth-1))
		}
	case typ == protowire.Fixed64Type:
		fields[i] = protowire.AppendFixed64(protowire.AppendTag(nil, num, typ), uint64(r.IntN(3)))
	case typ == protowire.VarintType:
		fields[i] = protowire.AppendVarint(protowire.AppendTag(nil, num, typ), uint64(r.IntN(8)))
	}
	return slices.Concat(fields...)
}

func isMessage(b []byte) bool {
	for len(b) > 0 {
		_, _, n := protowire.ConsumeField(b)
		if n < 0 {
			return false
		}
		b = b[n:]
	}
	return true
}

// FuzzLook checks that no body makes a check panic, that findings are the same
// each time, and that they are those of the official message.
func FuzzLook(f *testing.F) {
	for _, s := range seeds(f)[len(clean()):] { // small ones, which are soon minimized
		f.Add(uint8(slices.Index(signals, s.sig)), s.body)
	}
	f.Fuzz(func(t *testing.T, sig uint8, body []byte) {
		agree(t, seed{signals[int(sig)%len(signals)], body})
	})
}
