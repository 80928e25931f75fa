package faults

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// parseFault reads the text of one fault.
func parseFault(text string) (Fault, error) {
	p := parser{text: text}
	f, n, err := p.fault()
	if err == nil && n != 1 {
		err = p.errorAt(0, "got several faults, want one")
	}
	if err == nil && p.rest() != "" {
		err = p.errorf("got %s, want after, stored or the end", p.found())
	}
	if err != nil {
		return Fault{}, fmt.Errorf("%q: %w", text, err)
	}
	return f, nil
}

// fault reads one fault and how many of it stand there, up to the next thing.
func (p *parser) fault() (f Fault, n int, err error) {
	p.space()
	start := p.pos
	if f, err = p.kind(); err != nil {
		return f, 0, err
	}
	if n, err = p.modifiers(&f); err != nil {
		return f, 0, err
	}
	if err := f.Check(); err != nil {
		return f, 0, p.errorAt(start, "%w", err)
	}
	if n > maxFaults-p.count {
		return f, 0, p.errorAt(start, "got more than %d faults, want fewer: \"N times\" repeats a sequence", maxFaults)
	}
	p.count += n
	return f, n, nil
}

// kind reads a fault without what can follow every one.
func (p *parser) kind() (Fault, error) {
	p.space()
	read, ok := kinds[p.peek()]
	if !ok {
		return Fault{}, p.unknown()
	}
	var f Fault
	if w := p.word(); w != "accept" && w != "ok" {
		f.Kind = Kind(w)
	}
	err := read(p, &f)
	return f, err
}

// kinds is how to read what stands behind the name of a fault.
var kinds = map[string]func(*parser, *Fault) error{
	"accept":                nothing,
	"ok":                    nothing,
	string(KindUnavailable): nothing,
	string(KindHang):        nothing,
	string(KindReject):      (*parser).why,
	string(KindThrottle): func(p *parser, f *Fault) (err error) {
		f.RetryDelay, err = p.duration("throttle")
		return err
	},
	string(KindCode): func(p *parser, f *Fault) (err error) {
		if f.Code, err = p.code(); err != nil {
			return err
		}
		return p.why(f)
	},
	string(KindHTTP): func(p *parser, f *Fault) error {
		n, err := p.number(KindHTTP, strconv.IntSize)
		if err != nil {
			return err
		}
		f.HTTP = int(n)
		return p.why(f)
	},
	string(KindPartial): func(p *parser, f *Fault) (err error) {
		if f.Rejected, err = p.number(KindPartial, 64); err != nil {
			return err
		}
		return p.why(f)
	},
}

func nothing(*parser, *Fault) error { return nil }

func (p *parser) why(f *Fault) (err error) {
	f.Message, err = p.message()
	return err
}

// unknown is the error for what is no fault.
func (p *parser) unknown() error {
	w := p.peek()
	if w != "" && strings.HasPrefix(p.rest()[len(w):], ":") {
		return p.errorf("got selector %q, want traces, metrics, logs, grpc, http/protobuf, http/json or filters in []", w)
	}
	return p.errorf("got %s, want one of accept, unavailable, throttle, reject, code, http, partial, hang", p.found())
}

func (p *parser) code() (query.Code, error) {
	p.space()
	if p.peek() == "" {
		return 0, p.errorf("got %s after code, want a name such as NOT_FOUND", p.found())
	}
	c, err := parseCode(p.peek())
	if err != nil {
		return 0, p.errorf("%w", err)
	}
	p.word()
	return c, nil
}

// modifiers reads what can follow every fault, each at most once and in any
// order, and returns how many of the fault there are.
func (p *parser) modifiers(f *Fault) (n int, err error) {
	var after, stored bool
	for p.space(); ; p.space() {
		start := p.pos
		w := p.peek()
		again := false
		switch {
		case w == "after":
			p.word()
			again, after = after, true
			f.Delay, err = p.duration(w)
		case w == "stored":
			p.word()
			again, f.Keep, stored = stored, true, true
		case strings.HasPrefix(w, "x"):
			again = n > 0
			n, err = p.copies()
		default:
			return max(n, 1), nil
		}
		if again {
			return 0, p.errorAt(start, "got a second %s for one fault", w)
		}
		if err != nil {
			return 0, err
		}
	}
}

// copies reads a number behind an x.
func (p *parser) copies() (int, error) {
	n, err := strconv.Atoi(p.peek()[1:])
	if err != nil || n < 1 {
		return 0, p.errorf("got %s, want x and a number of 1 or more, as in x3", p.found())
	}
	p.word()
	return n, nil
}
