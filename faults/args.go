package faults

import (
	"strconv"
	"strings"
)

// arg is what stands behind the name of a fault in text, and the fields that
// hold it.
type arg struct {
	uses  uses
	read  func(*parser, *Fault) error
	write func(Fault) string // empty where it is left away
}

var (
	argDelay    = arg{usesRetryDelay, (*parser).retryDelay, func(f Fault) string { return f.RetryDelay.String() }}
	argCode     = arg{usesCode, (*parser).code, func(f Fault) string { return f.Code.String() }}
	argStatus   = arg{usesHTTP, (*parser).status, func(f Fault) string { return strconv.Itoa(f.HTTP) }}
	argSize     = arg{usesSize, (*parser).size, func(f Fault) string { return strconv.FormatInt(f.Size, 10) }}
	argLast     = arg{usesLast, (*parser).last, func(f Fault) string { return strconv.FormatUint(uint64(f.Last), 10) }}
	argFor      = arg{usesFor, (*parser).outage, func(f Fault) string { return f.For.String() }}
	argHTTP2    = arg{usesHTTP2, (*parser).http2, func(f Fault) string { return f.HTTP2.String() }}
	argEncoding = arg{usesType, (*parser).encoding, Fault.encoding}
	argMessage  = arg{usesMessage, optional("a message", func(f *Fault) *string { return &f.Message }), quoted(func(f Fault) string { return f.Message })}
	argLocation = arg{usesLocation, optional("a URL", func(f *Fault) *string { return &f.Location }), quoted(func(f Fault) string { return f.Location })}
	argType     = arg{usesType, required("a content type", func(f *Fault) *string { return &f.Type }), func(f Fault) string { return strconv.Quote(f.Type) }}
	argBody     = arg{usesBody, required("a body", func(f *Fault) *string { return &f.Body }), func(f Fault) string { return strconv.Quote(f.Body) }}

	argRejected    = arg{usesRejected | usesFilters, (*parser).rejected, Fault.rejected}
	argCapacity    = arg{usesItemsPerSecond | usesMaxInFlight, (*parser).capacity, Fault.capacity}
	argHTTP2OrNone = arg{usesHTTP2, (*parser).http2OrNone, Fault.http2OrNone}
)

// optional reads a text in quotes, if there is one.
func optional(what string, into func(*Fault) *string) func(*parser, *Fault) error {
	return func(p *parser, f *Fault) (err error) {
		p.space()
		if strings.HasPrefix(p.rest(), `"`) {
			*into(f), err = p.quoted(what)
		}
		return err
	}
}

// required reads a text in quotes.
func required(what string, into func(*Fault) *string) func(*parser, *Fault) error {
	return func(p *parser, f *Fault) (err error) {
		*into(f), err = p.quoted(what)
		return err
	}
}

// quoted writes a text in quotes, and leaves an empty one away.
func quoted(from func(Fault) string) func(Fault) string {
	return func(f Fault) string {
		if s := from(f); s != "" {
			return strconv.Quote(s)
		}
		return ""
	}
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
