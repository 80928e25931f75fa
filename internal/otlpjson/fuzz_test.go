package otlpjson

import (
	"math/rand"
	"testing"

	"github.com/otlptest/otlptest/query"
)

func FuzzToProto(f *testing.F) {
	for i, sig := range signals {
		for _, json := range seeds(f, sig) {
			f.Add(byte(i), json)
		}
	}
	f.Fuzz(func(t *testing.T, sig byte, json []byte) {
		consistent(t, signals[int(sig)%len(signals)], json)
	})
}

func FuzzFromProto(f *testing.F) {
	for i, sig := range signals {
		for _, body := range append(captured(f, sig), encode(f, random(rand.New(rand.NewSource(1)), sig))) {
			f.Add(byte(i), body)
		}
	}
	f.Fuzz(func(t *testing.T, sig byte, body []byte) {
		agree(t, signals[int(sig)%len(signals)], body)
	})
}

// FuzzTwin makes messages of any content from a seed.
func FuzzTwin(f *testing.F) {
	f.Add(int64(1), byte(0))
	f.Fuzz(func(t *testing.T, seed int64, sig byte) {
		s := signals[int(sig)%len(signals)]
		agree(t, s, encode(t, random(rand.New(rand.NewSource(seed)), s)))
	})
}

// seeds is where mutations of a signal's JSON start from: that of real
// clients, and every row of the documentation that is not very long.
func seeds(tb testing.TB, sig query.Signal) (list [][]byte) {
	for _, s := range samples(tb, sig) {
		list = append(list, s.json)
	}
	list = append(list, officialJSON(tb, random(rand.New(rand.NewSource(1)), sig)))
	for _, r := range rows {
		for _, in := range r.inputs {
			if in.sig == sig && len(in.json) < 1000 {
				list = append(list, []byte(in.json))
			}
		}
	}
	return list
}

func TestMutatedJSONIsReadConsistently(t *testing.T) {
	n := 6000
	if testing.Short() || underRace {
		n /= 10
	}
	for _, sig := range signals {
		r, accepted := rand.New(rand.NewSource(1)), 0
		list := seeds(t, sig)
		for i := range n {
			json := list[i%len(list)]
			if i >= len(list) {
				json = mutate(r, json)
			}
			if consistent(t, sig, json) {
				accepted++
			}
		}
		t.Logf("%s: %d of %d are accepted", sig, accepted, n)
		if accepted < n/20 || accepted > n-n/20 {
			t.Errorf("%s: %d of %d mutations are accepted, want some of both", sig, accepted, n)
		}
	}
}
