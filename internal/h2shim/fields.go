package h2shim

import (
	"encoding/binary"

	"golang.org/x/net/http2"
)

// Fields encodes header fields, given as name, value, name, value and so on, as
// a header block or the end of one. The dynamic tables of HPACK stay as they
// are, on either side. Names have to be lower-case.
func Fields(pairs ...string) []byte {
	var b []byte
	for i := 0; i < len(pairs); i += 2 {
		b = appendField(b, pairs[i], pairs[i+1])
	}
	return b
}

// appendField appends a literal without indexing, with a new name (RFC 7541,
// section 6.2.2).
func appendField(b []byte, name, value string) []byte {
	return appendString(appendString(append(b, 0), name), value)
}

// appendString appends a string literal (section 5.2), not Huffman-coded.
func appendString(b []byte, s string) []byte {
	const prefix = 1<<7 - 1
	if len(s) < prefix {
		b = append(b, byte(len(s)))
	} else {
		b = binary.AppendUvarint(append(b, prefix), uint64(len(s)-prefix))
	}
	return append(b, s...)
}

const (
	headLen  = 9     // of a frame
	maxFrame = 16384 // payload that every server accepts
)

// parseHead reads the head of a frame, of which b has the whole.
func parseHead(b []byte) http2.FrameHeader {
	return http2.FrameHeader{
		Length:   binary.BigEndian.Uint32(b) >> 8,
		Type:     http2.FrameType(b[3]),
		Flags:    http2.Flags(b[4]),
		StreamID: binary.BigEndian.Uint32(b[5:]) &^ (1 << 31),
	}
}

// setLength changes the head of a frame.
func setLength(head []byte, n uint32) {
	head[0], head[1], head[2] = byte(n>>16), byte(n>>8), byte(n)
}

// appendHead appends the head of a frame.
func appendHead(b []byte, length int, t http2.FrameType, flags http2.Flags, stream uint32) []byte {
	b = append(b, byte(length>>16), byte(length>>8), byte(length), byte(t), byte(flags))
	return binary.BigEndian.AppendUint32(b, stream)
}
