package receiver

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/query"
)

// mode is how JSON is read that is not quite OTLP's.
func (r *Receiver) mode() otlpjson.Mode {
	if r.Strict {
		return otlpjson.Strict
	}
	return otlpjson.Lenient
}

// protobuf is a message's body as protobuf, ours to keep, and in which ways it
// was not quite OTLP JSON if it was JSON. Long JSON is gone from the message
// afterwards, so that no more than two forms of it are held at a time.
func (r *Receiver) protobuf(sig query.Signal, m *message, mode otlpjson.Mode) ([]byte, []otlpjson.Departure, error) {
	if !m.json {
		return m.body, nil, nil
	}
	if len(m.body) > pooled {
		return r.longProtobuf(sig, m, mode)
	}
	buf := r.bodies.buffer()
	defer r.bodies.release(buf)
	out, departures, err := r.convert(buf.AvailableBuffer(), sig, m.body, mode)
	if err != nil {
		return nil, nil, err
	}
	*buf = *bytes.NewBuffer(out) // with what it has grown to
	return bytes.Clone(out), departures, nil
}

func (r *Receiver) longProtobuf(sig query.Signal, m *message, mode otlpjson.Mode) ([]byte, []otlpjson.Departure, error) {
	room := len(m.body) // mostly more than enough
	if room > r.MaxRequestSize*4/5 {
		const number = 16                // more than one takes, so that
		room = r.MaxRequestSize + number // the cap is noticed before there is need for more
	}
	out, departures, err := r.convert(make([]byte, 0, room), sig, m.body, mode)
	if err != nil {
		return nil, nil, err
	}
	m.body = nil
	if waste := cap(out) - len(out); waste > len(out)/10 {
		out = bytes.Clone(out)
	}
	return out, departures, nil
}

// convert appends the protobuf of JSON to dst, up to the cap.
func (r *Receiver) convert(dst []byte, sig query.Signal, json []byte, mode otlpjson.Mode) ([]byte, []otlpjson.Departure, error) {
	out, departures, err := otlpjson.ToProtoWithin(r.MaxRequestSize, dst, sig, json, mode)
	switch {
	case errors.Is(err, otlpjson.ErrTooLong):
		return nil, nil, fmt.Errorf("%w, as protobuf", r.bodies.tooLarge())
	case err != nil:
		return nil, nil, fmt.Errorf("request is not OTLP JSON: %w", err)
	}
	return out, departures, nil
}
