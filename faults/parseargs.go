package faults

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// arg reads what stands behind the name of a fault, into the fault.
func (p *parser) arg(a arg, f *Fault) (err error) {
	switch a {
	case argDelay:
		f.RetryDelay, err = p.duration(f.name())
	case argCode:
		return p.code(f)
	case argStatus:
		f.HTTP, err = number[int](p, f.name())
	case argSize:
		f.Size, err = number[int64](p, f.name())
	case argLast:
		return p.last(f)
	case argFor:
		f.For, err = p.duration(f.name())
	case argHTTP2:
		return p.http2(f)
	case argHTTP2OrNone:
		return p.http2OrNone(f)
	case argEncoding:
		return p.encoding(f)
	case argMessage:
		f.Message, err = p.perhapsQuoted("a message")
	case argLocation:
		f.Location, err = p.perhapsQuoted("a URL")
	case argType:
		f.Type, err = p.quoted("a content type")
	case argBody:
		f.Body, err = p.quoted("a body")
	case argRejected:
		return p.rejected(f)
	case argCapacity:
		return p.capacity(f)
	}
	return err
}

// perhapsQuoted reads a text in quotes, if there is one.
func (p *parser) perhapsQuoted(what string) (string, error) {
	if p.space(); !strings.HasPrefix(p.rest(), `"`) {
		return "", nil
	}
	return p.quoted(what)
}

func (p *parser) last(f *Fault) error {
	p.space()
	n, err := strconv.ParseUint(p.peek(), 10, 32)
	if err != nil {
		return p.errorf("got %s after goaway, want the number of the last stream, or 0", p.found())
	}
	p.word()
	f.Last = uint32(n)
	return nil
}

func (p *parser) code(f *Fault) (err error) {
	p.space()
	if p.peek() == "" {
		return p.errorf("got %s after code, want a name such as NOT_FOUND", p.found())
	}
	if f.Code, err = parseCode(p.peek()); err != nil {
		return p.errorf("%w", err)
	}
	p.word()
	return nil
}

func (p *parser) http2(f *Fault) (err error) {
	p.space()
	if p.peek() == "" {
		return p.errorf("got %s after %s, want a name such as CANCEL", p.found(), f.name())
	}
	if f.HTTP2, err = parseHTTP2(p.peek()); err != nil {
		return p.errorf("%w", err)
	}
	p.word()
	return nil
}

// http2OrNone reads an error code where neither a modifier nor the end comes.
func (p *parser) http2OrNone(f *Fault) error {
	p.space()
	w := p.peek()
	if _, next := modifierOf(w); next || w == "" || w[0] == 'x' {
		return nil
	}
	return p.http2(f)
}

// encoding reads a name, bare or in quotes.
func (p *parser) encoding(f *Fault) (err error) {
	p.space()
	if w := p.peek(); w != "" {
		f.Type = p.word()
		return nil
	}
	f.Type, err = p.quoted("an encoding such as gzip")
	return err
}

// rejected reads a number or filters.
func (p *parser) rejected(f *Fault) (err error) {
	p.space()
	start := p.pos
	if !strings.HasPrefix(p.rest(), "[") {
		f.Rejected, err = number[int64](p, f.name())
		return err
	}
	f.Filters, err = p.filters()
	if err == nil && len(f.Filters) == 0 {
		err = p.errorAt(start, "got no filter after partial, want at least one in []")
	}
	return err
}

// filters reads filters in square brackets.
func (p *parser) filters() ([]query.Filter, error) {
	n := closing(p.rest())
	if n < 0 {
		return nil, p.errorf("got filters that do not end, want a closing bracket")
	}
	fs, err := where.Parse(p.rest()[1:n])
	if err != nil {
		return nil, p.errorAt(p.pos+1, "%w", err)
	}
	p.pos += n + 1
	return fs, nil
}

// closing is where the bracket that s begins with is closed: brackets within
// quotes do not count. It is negative where it is not.
func closing(s string) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == ']' && !quoted:
			return i
		}
	}
	return -1
}

// capacity reads "1000/s", "4 open" or both.
func (p *parser) capacity(f *Fault) error {
	p.space()
	start := p.pos
	if rate, ok := strings.CutSuffix(p.peek(), "/s"); ok {
		n, err := strconv.ParseFloat(rate, 64)
		if err != nil || n == 0 || math.IsNaN(n) {
			return p.errorf("got %s after capacity, want a number of items a second such as 1000/s", p.found())
		}
		p.word()
		f.ItemsPerSecond = n
	}
	if p.space(); startsWithDigit(p.peek()) {
		n, err := number[int](p, "capacity")
		if err != nil {
			return err
		}
		if p.space(); n == 0 || p.peek() != "open" {
			return p.errorf("got %s after %d, want open after a number of 1 or more, as in 4 open", p.found(), n)
		}
		p.word()
		f.MaxInFlight = n
	}
	if p.pos == start {
		return p.errorf("got %s after capacity, want items a second such as 1000/s, open requests such as 4 open, or both", p.found())
	}
	return nil
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// detail reads a message in the details of a status, as JSON.
func (p *parser) detail(f *Fault) error {
	p.space()
	if !strings.HasPrefix(p.rest(), "{") {
		return p.errorf("got %s after detail, want a JSON object with @type", p.found())
	}
	var raw json.RawMessage
	from := json.NewDecoder(strings.NewReader(p.rest()))
	if err := from.Decode(&raw); err != nil {
		return p.errorf("got no JSON object after detail: %w", err)
	}
	d, err := parseDetail(raw)
	if err != nil {
		return p.errorf("%w", err)
	}
	p.pos += int(from.InputOffset())
	f.Details = append(f.Details, d)
	return nil
}
