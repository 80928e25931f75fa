package faults

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// The bounds of what can be answered at will.
const (
	maxSize     = 1 << 30
	maxTrailers = 16 << 20
)

// Check says why the fault cannot work, or nil. The error names the term.
func (f Fault) Check() error {
	if _, ok := rowOf(f.Kind); !ok {
		return fmt.Errorf("got fault %q, want one of %s", string(f.Kind), kindNames())
	}
	checks := []func(Fault) error{
		Fault.checkUses, Fault.checkRange, Fault.checkTimes, Fault.checkReading, Fault.checkRetry,
		Fault.checkMessage, Fault.checkHeader, Fault.checkDetails, Fault.checkFilters,
	}
	for _, check := range checks {
		if err := check(f); err != nil {
			return fmt.Errorf("%s: %w", f.name(), err)
		}
	}
	return nil
}

func (f Fault) checkUses() error {
	can := f.can()
	for _, p := range f.fields() {
		if p.set && can&p.field == 0 {
			return fmt.Errorf("does not use %s", p.words)
		}
	}
	return nil
}

// checkRange looks at what the kind by itself wants.
func (f Fault) checkRange() error {
	if check, ok := ranges[f.Kind]; ok {
		return check(f)
	}
	return nil
}

var ranges = map[Kind]func(Fault) error{
	KindCode:      Fault.checkCode,
	KindHTTP:      func(f Fault) error { return f.statusWithin(400, 599) },
	KindRedirect:  Fault.checkRedirect,
	KindRaw:       Fault.checkRaw,
	KindPartial:   Fault.checkPartial,
	KindOversized: func(f Fault) error { return f.sizeUpTo(maxSize) },
	KindTrailers:  func(f Fault) error { return f.sizeUpTo(maxTrailers) },
	KindEncoded:   Fault.checkEncoding,
	KindCapacity:  Fault.checkCapacity,
	KindRST:       Fault.checkHTTP2,
	KindGoAway:    Fault.checkGoAway,
	KindDown:      Fault.checkOutage,
}

func (f Fault) checkCode() error {
	if f.Code == 0 || f.Code > query.Code(codes.Unauthenticated) {
		return fmt.Errorf("got %s, want one of the codes 1 (CANCELLED) to 16 (UNAUTHENTICATED)", f.Code)
	}
	return nil
}

func (f Fault) statusWithin(low, high int) error {
	if f.HTTP < low || f.HTTP > high {
		return fmt.Errorf("got status %d, want %d to %d", f.HTTP, low, high)
	}
	return nil
}

func (f Fault) checkRedirect() error {
	if !slices.Contains([]int{301, 302, 303, 307, 308}, f.HTTP) {
		return fmt.Errorf("got status %d, want 301, 302, 303, 307 or 308", f.HTTP)
	}
	if f.Location == "" {
		return nil
	}
	u, err := url.Parse(f.Location)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || !utf8.ValidString(f.Location) {
		return fmt.Errorf("got URL %q, want one with http or https and a host, or none for the server itself", f.Location)
	}
	return nil
}

func (f Fault) checkRaw() error {
	if err := f.statusWithin(200, 599); err != nil {
		return err
	}
	if f.Body != "" && slices.Contains([]int{204, 205, 304}, f.HTTP) {
		return fmt.Errorf("got a body with status %d, which has none", f.HTTP)
	}
	if !printable(f.Type) {
		return fmt.Errorf("got content type %q, want UTF-8 without control characters", f.Type)
	}
	return nil
}

func (f Fault) checkPartial() error {
	if f.Rejected < 0 {
		return fmt.Errorf("got %d rejected items, want 0 or more", f.Rejected)
	}
	if f.Rejected > 0 && len(f.Filters) > 0 {
		return fmt.Errorf("got %d rejected items and filters, want one of the two", f.Rejected)
	}
	return nil
}

func (f Fault) sizeUpTo(most int64) error {
	if f.Size < 1 || f.Size > most {
		return fmt.Errorf("got %d bytes, want 1 to %d", f.Size, most)
	}
	return nil
}

func (f Fault) checkEncoding() error {
	if !isToken(f.Type) {
		return fmt.Errorf("got encoding %q, want a name such as gzip", f.Type)
	}
	return nil
}

func (f Fault) checkCapacity() error {
	switch n := f.ItemsPerSecond; {
	case n != n || n < 0 || n > math.MaxFloat64:
		return fmt.Errorf("got %v items per second, want a number of 0 or more", n)
	case f.MaxInFlight < 0:
		return fmt.Errorf("got %d open requests, want 0 or more", f.MaxInFlight)
	case n == 0 && f.MaxInFlight == 0:
		return fmt.Errorf("got no limit, want items per second, open requests or both")
	case n != 0 && f.Early():
		return fmt.Errorf("%s begins before the body is read, and items are not known before", f.early())
	}
	return nil
}

func (f Fault) checkHTTP2() error {
	if f.HTTP2 > HTTP11Required {
		return fmt.Errorf("got error code %d, want 0 (NO_ERROR) to %d (%s)", uint32(f.HTTP2), HTTP11Required, HTTP11Required)
	}
	return nil
}

func (f Fault) checkGoAway() error {
	if f.Last != 0 && f.Last%2 == 0 || f.Last > math.MaxInt32 {
		return fmt.Errorf("got last stream %d, want 0 or an odd number up to %d", f.Last, math.MaxInt32)
	}
	return f.checkHTTP2()
}

func (f Fault) checkOutage() error {
	if f.For <= 0 {
		return fmt.Errorf("got a time of outage of %s, want more than 0", f.For)
	}
	return nil
}

func (f Fault) checkTimes() error {
	for _, t := range []struct {
		what string
		d    time.Duration
		when string
	}{
		{"a retry delay", f.RetryDelay, ""},
		{"a delay", f.ReadDelay, " before reading"},
		{"a delay", f.Delay, " before the answer"},
	} {
		if t.d < 0 {
			return fmt.Errorf("got %s of %s%s, want 0 or more", t.what, t.d, t.when)
		}
	}
	return nil
}

func (f Fault) checkReading() error {
	switch {
	case f.ReadRate < 0:
		return fmt.Errorf("got read-rate %d, want 1 or more bytes a second, or 0 for as fast as they come", f.ReadRate)
	case f.Unread && f.ReadDelay != 0:
		return fmt.Errorf("got unread with read-after, want one of the two")
	case f.Unread && f.ReadRate != 0:
		return fmt.Errorf("got unread with read-rate, want one of the two")
	case f.Unread && f.Keep:
		return fmt.Errorf("got unread with stored: what is not read cannot be stored")
	}
	return nil
}

// checkRetry is for the kinds that may tell a delay, or not.
func (f Fault) checkRetry() error {
	if f.Kind != KindCode && f.Kind != KindHTTP || f.Retry {
		return nil
	}
	if f.RetryDelay != 0 {
		return fmt.Errorf("got a retry delay of %s without retry, want both", f.RetryDelay)
	}
	if f.Dated {
		return fmt.Errorf("got dated without retry, want both")
	}
	return nil
}

func (f Fault) checkMessage() error {
	if !utf8.ValidString(f.Message) {
		return fmt.Errorf("got message %q, want valid UTF-8", f.Message)
	}
	return nil
}

func (f Fault) checkHeader() error {
	for _, h := range f.Header {
		if err := h.checkAnswer(); err != nil {
			return err
		}
	}
	return nil
}

func (f Fault) checkDetails() error {
	for _, d := range f.Details {
		if !protoreflect.FullName(d.Type).IsValid() {
			return fmt.Errorf("got a detail of type %q, want a message's full name such as google.rpc.QuotaFailure", d.Type)
		}
	}
	return nil
}

func (f Fault) checkFilters() error {
	_, err := narrow("fault", allItems, f.Filters, allItems)
	return err
}

const allItems = expr.Span | expr.Point | expr.Log
