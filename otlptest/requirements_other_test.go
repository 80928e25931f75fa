package otlptest_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/otlptest/otlptest/otlptest"
)

var otherRequirements = []requirement{
	{number: "S-52", text: "A dump is UTF-8, with one request of one signal a line, in JSON.", test: dumpsAreLinesOfJSON},
}

func dumpsAreLinesOfJSON(t *testing.T) {
	srv := otlptest.Start(t)
	w := newWire(t, srv)
	for _, sig := range signals {
		var want []string
		for i, via := range protocols {
			m := full(sig)
			if i > 0 {
				m = sample(sig, i)
			}
			w.export(via, m)
			want = append(want, sorted(string(otlpJSON(t, m))))
		}
		var dump strings.Builder
		if err := srv.WriteJSONL(&dump, sig); err != nil {
			t.Fatal(err)
		}
		text, ended := strings.CutSuffix(dump.String(), "\n")
		if !ended || !utf8.ValidString(text) || strings.Contains(text, "\r") {
			t.Errorf("got %q, want lines of UTF-8 that end with \\n", dump.String())
		}
		lines := strings.Split(text, "\n")
		if len(lines) != len(want) {
			t.Fatalf("got %d lines of %s, want %d", len(lines), sig, len(want))
		}
		for i, line := range lines {
			if got := sorted(line); got != want[i] {
				t.Errorf("got line %d\n%s\nwant\n%s", i+1, got, want[i])
			}
		}
	}
}
