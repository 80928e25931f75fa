package query_test

import (
	"testing"

	"github.com/otlptest/otlptest/query"
)

func TestMarksAreReadAndWritten(t *testing.T) {
	for _, n := range []uint64{0, 12, 1<<63 - 1} {
		want := query.NewMark(n)
		text, err := want.MarshalText()
		if err != nil || string(text) != want.String() {
			t.Errorf("got %s, %v, want %s", text, err, want)
		}
		var got query.Mark
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Errorf("got %s, %v of %s", got, err, text)
		}
	}
	for _, text := range []string{"", "-1", "1.5", "x", "9223372036854775808"} {
		var m query.Mark
		if err := m.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("got %s of %q, want an error", m, text)
		}
	}
	if !query.NewMark(1).Before(query.NewMark(2)) || query.NewMark(2).Before(query.NewMark(2)) {
		t.Error("1 is before 2, and 2 is not")
	}
}

func TestTemporalitiesAreReadAndWritten(t *testing.T) {
	for _, want := range []query.Temporality{query.TemporalityUnspecified, query.Delta, query.Cumulative, 7} {
		if got, err := query.ParseTemporality(want.String()); err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	if _, err := query.ParseTemporality("gauge"); err == nil {
		t.Error("got no error of gauge")
	}
}
