package otlpjson

import (
	"bytes"
	"errors"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

func TestEveryFieldIsSetInTheFullMessages(t *testing.T) {
	for _, sig := range signals {
		if missing := unset(full(sig).ProtoReflect()); len(missing) > 0 {
			t.Errorf("%s: unset: %v", sig, missing)
		}
	}
}

func TestMessagesAreConvertedAsOfficially(t *testing.T) {
	for _, sig := range signals {
		agree(t, sig, encode(t, full(sig)))
		agree(t, sig, nil)
		for _, b := range captured(t, sig) {
			agree(t, sig, b)
		}
	}
}

func TestRandomMessagesAreConvertedAsOfficially(t *testing.T) {
	n := 500
	if testing.Short() || underRace {
		n /= 10
	}
	for _, sig := range signals {
		r := rand.New(rand.NewSource(1))
		for range n {
			agree(t, sig, encode(t, random(r, sig)))
		}
	}
}

func TestMutatedMessagesAreConvertedAsOfficially(t *testing.T) {
	n := 1500
	if testing.Short() || underRace {
		n /= 10
	}
	for _, sig := range signals {
		r, valid := rand.New(rand.NewSource(1)), 0
		list := append(captured(t, sig), encode(t, random(r, sig)), encode(t, random(r, sig)))
		for i := range n {
			if agree(t, sig, mutate(r, list[i%len(list)])) {
				valid++
			}
		}
		if valid < n/10 {
			t.Errorf("%s: only %d of %d mutations are valid", sig, valid, n)
		}
	}
}

// mutate changes, inserts, doubles or removes a few bytes.
func mutate(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	for range r.Intn(2) + 1 {
		if len(b) == 0 {
			return b
		}
		i := r.Intn(len(b))
		switch r.Intn(5) {
		case 0:
			b[i] = byte(r.Intn(256))
		case 1:
			b[i] ^= 1 << r.Intn(8)
		case 2:
			b = slices.Delete(b, i, i+1)
		case 3:
			j := i + r.Intn(min(len(b)-i, 40))
			b = slices.Insert(b, j, b[i:j]...)
		case 4:
			b[i]++
		}
	}
	return b
}

// agree holds both directions against the official package, if the official
// unmarshaler accepts the body, which it says.
func agree(t *testing.T, sig query.Signal, body []byte) bool {
	t.Helper()
	m := official(sig)
	if proto.Unmarshal(body, m) != nil {
		_, _ = FromProto(nil, sig, body) // must not panic
		return false
	}
	tidy(m.ProtoReflect(), false)
	writesOfficially(t, sig, body, m)
	tidy(m.ProtoReflect(), true)
	writesOfficially(t, sig, encode(t, m), m)
	json := officialJSON(t, m)
	for _, mode := range []Mode{Strict, Lenient} {
		out, departures, err := ToProto(nil, sig, json, mode)
		if err != nil || len(departures) > 0 {
			t.Fatalf("ToProto(%s, %s): got departures %v, error %v", sig, json, departures, err)
		}
		same(t, "ToProto", json, decode(t, sig, out), m)
	}
	return true
}

// writesOfficially wants the official package to read a message from the JSON
// that is made of a body.
func writesOfficially(t *testing.T, sig query.Signal, body []byte, want proto.Message) {
	t.Helper()
	got, err := FromProto(nil, sig, body)
	if err != nil {
		t.Fatalf("FromProto(%s, %x): %v", sig, body, err)
	}
	back, err := readOfficially(t, sig, got, protojson.UnmarshalOptions{})
	if err != nil {
		t.Fatalf("FromProto(%s, %x): got %s, which the official unmarshaler refuses: %v", sig, body, got, err)
	}
	same(t, "FromProto", got, back, want)
}

// same wants two messages to be equal, NaN to NaN.
func same(t *testing.T, what string, json []byte, got, want proto.Message) {
	t.Helper()
	if !proto.Equal(got, want) {
		t.Fatalf("%s, %s: (-want +got):\n%s", what, json, cmp.Diff(want, got, protocmp.Transform()))
	}
}

// consistent holds what both modes make of some JSON against each other and
// against the official package. It says whether Lenient accepts it.
func consistent(t *testing.T, sig query.Signal, json []byte) bool {
	t.Helper()
	out, departures, err := ToProto(nil, sig, json, Lenient)
	strict, warnings, strictErr := ToProto(nil, sig, json, Strict)
	departs := slices.ContainsFunc(departures, func(d Departure) bool { return !d.Warning })
	if refused := strictErr != nil; refused != (err != nil || departs) {
		t.Fatalf("%s: Lenient has %v, %v; Strict %v", json, departures, err, strictErr)
	}
	if strictErr == nil && (!bytes.Equal(out, strict) || !slices.Equal(warnings, departures)) {
		t.Fatalf("%s: Lenient made %x, %v of it, Strict %x, %v", json, out, departures, strict, warnings)
	}
	readsOfficially(t, sig, json, strict, warnings, strictErr == nil, err)
	if err != nil {
		return false
	}
	if _, err := wire.Validate(sig, out); err != nil {
		t.Fatalf("%s: made %x of it: %v", json, out, err)
	}
	m := decode(t, sig, out)
	again, err := FromProto(nil, sig, out)
	if err != nil {
		t.Fatalf("%s: FromProto(%x): %v", json, out, err)
	}
	back, departures, err := ToProto(nil, sig, again, Strict)
	if err != nil || len(departures) > 0 {
		t.Fatalf("%s: %s: got %v, %v", json, again, departures, err)
	}
	same(t, "round trip", again, decode(t, sig, back), m)
	return true
}

// emptyExponent is what the official package takes for an integer.
var emptyExponent = regexp.MustCompile(`[0-9][eE][+-]?([^0-9+-]|$)`)

// quotedNumber says whether an error is of a number in quotes, after which some
// versions of the official package do not look for more.
func quotedNumber(e *Error) bool {
	return e.Got[0] == '"' && (strings.Contains(e.Want, "integer") || strings.Contains(e.Want, "number"))
}

// readsOfficially wants the official package to read the same from JSON that
// Strict accepts, and to refuse what Lenient refuses. It reads what only
// profiles have, if it knows it.
func readsOfficially(t *testing.T, sig query.Signal, json, strict []byte, warnings []Departure, accepted bool, err error) {
	t.Helper()
	if slices.ContainsFunc(warnings, func(d Departure) bool { return d.Rule == "S-50" }) || emptyExponent.Match(json) {
		return
	}
	m, officialErr := readOfficially(t, sig, json, protojson.UnmarshalOptions{DiscardUnknown: true})
	var e *Error
	switch {
	case accepted && officialErr != nil:
		t.Fatalf("Strict accepts %s, the official unmarshaler has %v", json, officialErr)
	case accepted:
		tidy(m.ProtoReflect(), false)
		same(t, "Strict", json, decode(t, sig, strict), m)
	case errors.As(err, &e) && e.Rule != "S-32" && e.Rule != "S-33" && officialErr == nil && !quotedNumber(e):
		t.Fatalf("Lenient refuses %s, the official unmarshaler accepts it: %v", json, err)
	}
}
