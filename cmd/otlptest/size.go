package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// size is a number of bytes, as text with a unit or without: 64MiB.
type size int64

// units is those of sizes, the longer ones before those that they end with.
var units = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1},
}

// UnmarshalText reads a size.
func (s *size) UnmarshalText(text []byte) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(string(text), u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if bytes := n * u.bytes; err == nil && bytes >= 1 && bytes < math.MaxInt64 && bytes == math.Trunc(bytes) {
			*s = size(bytes)
			return nil
		}
		break
	}
	return fmt.Errorf("got %q, want a number of bytes such as 1000000 or 64MiB", text)
}

// String writes a size with the unit that makes it short.
func (s size) String() string {
	for _, u := range []int{2, 1, 0} {
		if unit := units[u]; float64(s) >= unit.bytes {
			return strconv.FormatFloat(float64(s)/unit.bytes, 'f', 1, 64) + " " + unit.name
		}
	}
	return strconv.FormatInt(int64(s), 10) + " B"
}
