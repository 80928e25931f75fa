package receiver

import (
	"io"
	"sync"
	"unsafe"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// rawCodec hands over a message's bytes instead of decoding them. Messages of
// other services than OTLP's are encoded as usual.
type rawCodec struct {
	bodies *bodies

	mu       sync.Mutex
	inflated map[*byte]message // what gunzipCodec made, by its first byte, until Unmarshal takes it
}

// Name implements encoding.CodecV2.
func (*rawCodec) Name() string { return "proto" }

// Marshal implements encoding.CodecV2. It takes []byte and proto.Message.
func (*rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	var b []byte
	switch v := v.(type) {
	case []byte:
		b = v
	case proto.Message:
		var err error
		if b, err = proto.Marshal(v); err != nil {
			return nil, err
		}
	default:
		return nil, status.Errorf(codes.Internal, "raw codec: got a %T, want []byte or proto.Message", v)
	}
	if len(b) == 0 {
		return nil, nil
	}
	return mem.BufferSlice{mem.SliceBuffer(b)}, nil
}

// Unmarshal implements encoding.CodecV2. It fills a *message with a copy of
// the bytes, or with what was decompressed.
func (c *rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	m := c.message(data)
	switch v := v.(type) {
	case *message:
		*v = m
		return nil
	case proto.Message:
		if m.err != nil {
			return m.err
		}
		return proto.Unmarshal(m.body, v)
	}
	return status.Errorf(codes.Internal, "raw codec: got a %T, want *message or proto.Message", v)
}

func (c *rawCodec) message(data mem.BufferSlice) message {
	if len(data) == 1 {
		if b, ok := data[0].(mem.SliceBuffer); ok {
			if m, ok := c.take(b); ok {
				return m
			}
		}
	}
	body := data.Materialize()
	return message{body: body, wire: len(body)}
}

func (c *rawCodec) take(b []byte) (message, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m, ok := c.inflated[unsafe.SliceData(b)]
	delete(c.inflated, unsafe.SliceData(b))
	return m, ok
}

// gunzipCodec is the server's own decompressor, grpc.Decompressor: a
// registered one would be global to the process. What it makes, errors
// included, reaches the handler through the codec, since grpc-go would turn an
// error into a status of its own and loses the size on the wire.
type gunzipCodec struct{ codec *rawCodec }

// Type implements grpc.Decompressor.
func (gunzipCodec) Type() string { return "gzip" }

// Do implements grpc.Decompressor.
func (d gunzipCodec) Do(r io.Reader) ([]byte, error) {
	m := d.codec.bodies.gunzip(r)
	key := m.body
	if len(key) == 0 {
		key = make([]byte, 1)
	}
	if m.err != nil {
		m.body, key = nil, make([]byte, 1)
	}
	d.codec.mu.Lock()
	defer d.codec.mu.Unlock()
	if d.codec.inflated == nil {
		d.codec.inflated = map[*byte]message{}
	}
	d.codec.inflated[unsafe.SliceData(key)] = m
	return key, nil
}
