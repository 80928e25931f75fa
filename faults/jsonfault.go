package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/otlptest/otlptest/query"
)

// MarshalJSON writes an object; see JSON at the top of this package. Kinds and
// codes are written by name, and durations as Go does: "1.5s". A filter that
// text cannot hold, as a where.Func, is an error.
func (f Fault) MarshalJSON() ([]byte, error) {
	if err := writable(f.Filters); err != nil {
		return nil, err
	}
	return writeObject(f.json(), f.needs()...)
}

// needs is the fields without which an object is not a fault.
func (f Fault) needs() []string {
	r, _ := rowOf(f.Kind)
	return append([]string{"kind"}, r.needs...)
}

// UnmarshalJSON reads what MarshalJSON writes, or a string with the fault's
// text, such as "throttle 30s". A field that is unknown, or missing where the
// kind needs it, and a fault that cannot work ([Fault.Check]) are errors.
func (f *Fault) UnmarshalJSON(b []byte) error {
	read, err := readFault(b)
	if err != nil {
		return fmt.Errorf("fault: %w", err)
	}
	*f = read
	return nil
}

func readFault(b []byte) (Fault, error) {
	var text string
	if bytes.HasPrefix(b, []byte{'"'}) && json.Unmarshal(b, &text) == nil {
		return parseFault(text)
	}
	var f Fault
	o, err := readObject(b, f.json()...)
	if err != nil {
		return Fault{}, err
	}
	if err := o.needs(b, f.needs()...); err != nil {
		return Fault{}, err
	}
	if o.has("body") && o.has("bodyBase64") {
		return Fault{}, errors.New("got body and bodyBase64, want one of the two")
	}
	return f, f.Check()
}

// json is every field, in the order in which they are written.
func (f *Fault) json() []field {
	const yes = "true or false"
	return []field{
		asText("kind", `a name such as "throttle"`, &f.Kind, parseKind, func(Kind) string { return f.name() }),
		asText("code", `a name such as "NOT_FOUND"`, &f.Code, parseCode, query.Code.String),
		into("http", "a status such as 502", &f.HTTP),
		into("message", "a string", &f.Message),
		f.jsonRetryDelay(),
		into("dated", yes, &f.Dated),
		into("rejected", "a whole number", &f.Rejected),
		f.jsonWhere(),
		asList("details", "a list of objects with @type", "detail", &f.Details, parseDetail, func(d Detail) any { return json.RawMessage(d.json()) }),
		asHeader(&f.Header, "name", "value"),
		into("type", "a string", &f.Type),
		f.jsonBody(),
		f.jsonBodyBase64(),
		into("location", "a URL", &f.Location),
		into("size", "a number of bytes", &f.Size),
		asText("http2", `a name such as "CANCEL"`, &f.HTTP2, parseHTTP2, HTTP2Code.String),
		into("last", "the number of a stream", &f.Last),
		asDuration("for", &f.For),
		into("itemsPerSecond", "a number", &f.ItemsPerSecond),
		into("maxInFlight", "a whole number", &f.MaxInFlight),
		asDuration("readAfter", &f.ReadDelay),
		into("readRate", "a number of bytes a second", &f.ReadRate),
		into("unread", yes, &f.Unread),
		asDuration("after", &f.Delay),
		into("headersFirst", yes, &f.HeadersFirst),
		into("closing", yes, &f.Closing),
		into("stored", yes, &f.Keep),
		into("lost", yes, &f.Drop),
	}
}

// jsonRetryDelay is the field that sets Retry, too, for kinds that need not
// tell a delay.
func (f *Fault) jsonRetryDelay() field {
	d := asDuration("retryDelay", &f.RetryDelay)
	read := d.read
	d.read = func(b json.RawMessage) error {
		f.Retry = f.Kind != KindThrottle && f.Kind != KindExhausted
		return read(b)
	}
	d.empty = d.empty && !f.Retry
	return d
}

// jsonWhere is the filters of a partial success, of which there is at least
// one.
func (f *Fault) jsonWhere() field {
	w := asFilters("where", &f.Filters)
	read := w.read
	w.read = func(b json.RawMessage) error {
		err := read(b)
		if err == nil && len(f.Filters) == 0 {
			err = errors.New("got no filter, want at least one")
		}
		return err
	}
	return w
}

// jsonBody is the body where it is text.
func (f *Fault) jsonBody() field {
	b := into("body", "a string", &f.Body)
	b.empty = b.empty || !utf8.ValidString(f.Body)
	return b
}

// jsonBodyBase64 is the body where it is not.
func (f *Fault) jsonBodyBase64() field {
	return field{
		name: "bodyBase64", want: "bytes in base64",
		read: func(b json.RawMessage) error {
			var body []byte
			err := json.Unmarshal(b, &body)
			f.Body = string(body)
			return err
		},
		write: func() any { return []byte(f.Body) },
		empty: utf8.ValidString(f.Body),
	}
}

// parseKind reads the name of a kind; whether there is such a kind is for
// [Fault.Check] to say.
func parseKind(name string) (Kind, error) {
	if name == "" {
		return "", errors.New("got an empty name")
	}
	return kindOf(name), nil
}
