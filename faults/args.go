package faults

import (
	"strconv"
	"strings"
)

// arg is what stands behind the name of a fault in text. The parser reads it:
// what writes it must not lead there, so that a program that parses no rules
// does not link a parser.
type arg int

const (
	argDelay arg = iota
	argCode
	argStatus
	argSize
	argLast
	argFor
	argHTTP2
	argHTTP2OrNone
	argEncoding
	argMessage
	argLocation
	argType
	argBody
	argRejected
	argCapacity
)

// uses is the fields that hold it.
func (a arg) uses() uses {
	return [...]uses{
		argDelay:       usesRetryDelay,
		argCode:        usesCode,
		argStatus:      usesHTTP,
		argSize:        usesSize,
		argLast:        usesLast,
		argFor:         usesFor,
		argHTTP2:       usesHTTP2,
		argHTTP2OrNone: usesHTTP2,
		argEncoding:    usesType,
		argMessage:     usesMessage,
		argLocation:    usesLocation,
		argType:        usesType,
		argBody:        usesBody,
		argRejected:    usesRejected | usesFilters,
		argCapacity:    usesItemsPerSecond | usesMaxInFlight,
	}[a]
}

// text is how it is written, and empty where it is left away.
func (a arg) text(f Fault) string {
	switch a {
	case argDelay:
		return f.RetryDelay.String()
	case argCode:
		return f.Code.String()
	case argStatus:
		return strconv.Itoa(f.HTTP)
	case argSize:
		return strconv.FormatInt(f.Size, 10)
	case argLast:
		return strconv.FormatUint(uint64(f.Last), 10)
	case argFor:
		return f.For.String()
	case argHTTP2:
		return f.HTTP2.String()
	case argHTTP2OrNone:
		return f.http2OrNone()
	case argEncoding:
		return f.encoding()
	case argMessage:
		return quoted(f.Message)
	case argLocation:
		return quoted(f.Location)
	case argType:
		return strconv.Quote(f.Type)
	case argBody:
		return strconv.Quote(f.Body)
	case argRejected:
		return f.rejected()
	}
	return f.capacity()
}

// quoted writes a text in quotes, and leaves an empty one away.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(s)
}

func (f Fault) encoding() string {
	if isToken(f.Type) {
		return f.Type
	}
	return strconv.Quote(f.Type)
}

func (f Fault) rejected() string {
	if len(f.Filters) > 0 {
		return "[" + filterText(f.Filters) + "]"
	}
	return strconv.FormatInt(f.Rejected, 10)
}

func (f Fault) capacity() string {
	var words []string
	if f.ItemsPerSecond != 0 {
		words = append(words, decimal(f.ItemsPerSecond)+"/s")
	}
	if f.MaxInFlight != 0 {
		words = append(words, strconv.Itoa(f.MaxInFlight)+" open")
	}
	return strings.Join(words, " ")
}

func (f Fault) http2OrNone() string {
	if f.HTTP2 == NoError {
		return ""
	}
	return f.HTTP2.String()
}

// decimal writes a number so that it is read back to the same, without an
// exponent where people would write none.
func decimal(n float64) string {
	if n >= 1e-6 && n < 1e21 {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}
