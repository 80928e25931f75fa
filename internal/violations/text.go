package violations

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/otlptest/otlptest/query"
)

// What was got is made into words only for what is listed.
type (
	words       string     // as it is
	id          []byte     // the bytes of an id
	number      uint64     // a number
	flags       uint64     // bits
	float       float64    // a number
	enum        uint64     // an enumeration's number
	lengths     [2]int     // of bucket counts and bounds
	follows     [2]float64 // a number, and the one before it
	inBuckets   total      // a count that is not what the buckets have
	repeatedKey []byte     // a key that was there before
)

func (s words) String() string  { return string(s) }
func (n number) String() string { return strconv.FormatUint(uint64(n), 10) }
func (f flags) String() string  { return fmt.Sprintf("%#x", uint64(f)) }
func (f float) String() string  { return strconv.FormatFloat(float64(f), 'g', -1, 64) }
func (e enum) String() string   { return strconv.Itoa(int(int32(e))) }

func (l lengths) String() string { return fmt.Sprintf("%d bucket counts and %d bounds", l[0], l[1]) }
func (f follows) String() string { return fmt.Sprintf("%s after %s", float(f[0]), float(f[1])) }
func (t inBuckets) String() string {
	return fmt.Sprintf("%d, while the buckets hold %d", t.count, t.buckets)
}

func (k repeatedKey) String() string { return "the key " + quote(string(k)) + " again" }

// String is such as "8 zero bytes".
func (b id) String() string {
	switch {
	case len(b) == 0:
		return "none"
	case zero(b):
		return fmt.Sprintf("%d zero bytes", len(b))
	case len(b) == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", len(b))
}

func zero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// quote is a string in quotes, shortened.
func quote(s string) string { return strconv.Quote(short(s)) }

// short cuts a text that is too long for a line.
func short(s string) string {
	const most = 60
	if len(s) <= most {
		return strings.ToValidUTF8(s, string(utf8.RuneError))
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// clock is a time of the protocol, to the nanosecond.
func clock(unixNano uint64) string {
	if unixNano == 0 {
		return "none"
	}
	return query.Time(unixNano).Format(time.RFC3339Nano)
}

// interval is two times of which the second should not be before the first.
type interval struct{ from, to uint64 }

// String is such as "an end 5ms before the start 2024-05-17T12:00:00Z".
func (i interval) String() string {
	return fmt.Sprintf("an end %s before the start %s", query.Time(i.from).Sub(query.Time(i.to)), clock(i.from))
}
