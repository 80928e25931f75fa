package otlpjson

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
)

// sample is a body as a client writes it: testdata/<client>-<signal>.json.
type sample struct {
	name string // of the file
	sig  query.Signal
	json []byte
}

// samples are those of a signal.
func samples(tb testing.TB, sig query.Signal) (list []sample) {
	tb.Helper()
	names, err := filepath.Glob("testdata/*-" + string(sig) + ".json")
	if err != nil || len(names) == 0 {
		tb.Fatalf("no samples of %s: %v", sig, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, sample{name, sig, b})
	}
	return list
}

// TestSamplesOfClients compares what is made of each sample, and the
// departures, with a file. OTLPTEST_UPDATE=1 writes it anew.
func TestSamplesOfClients(t *testing.T) {
	for _, sig := range signals {
		for _, s := range samples(t, sig) {
			t.Run(filepath.Base(s.name), s.test)
		}
	}
}

func (s sample) test(t *testing.T) {
	consistent(t, s.sig, s.json)
	out, departures, err := ToProto(nil, s.sig, s.json, Lenient)
	if err != nil {
		t.Fatal(err)
	}
	got, err := FromProto(nil, s.sig, out)
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	for _, d := range departures {
		got = fmt.Appendf(got, "%s\n", d)
	}
	golden := strings.TrimSuffix(s.name, ".json") + ".golden"
	if os.Getenv("OTLPTEST_UPDATE") == "1" {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(got) != string(want) {
		t.Errorf("got\n%s\nwant (%s, %v)\n%s", got, golden, err, want)
	}
}
