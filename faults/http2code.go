package faults

import (
	"fmt"
	"strings"
)

// HTTP2Code is an error code of HTTP/2 (RFC 9113, section 7).
type HTTP2Code uint32

// The error codes.
const (
	NoError HTTP2Code = iota
	ProtocolError
	InternalError
	FlowControlError
	SettingsTimeout
	StreamClosed
	FrameSizeError
	RefusedStream
	Cancel
	CompressionError
	ConnectError
	EnhanceYourCalm
	InadequateSecurity
	HTTP11Required
)

var http2Names = [...]string{
	"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
	"FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
	"INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
}

// String is the code's name in the protocol, or HTTP2(N).
func (c HTTP2Code) String() string {
	if int(c) < len(http2Names) {
		return http2Names[c]
	}
	return fmt.Sprintf("HTTP2(%d)", uint32(c))
}

// parseHTTP2 reads a code's name in any case.
func parseHTTP2(name string) (HTTP2Code, error) {
	for i, n := range http2Names {
		if strings.EqualFold(n, name) {
			return HTTP2Code(i), nil
		}
	}
	return 0, fmt.Errorf("got HTTP/2 error %q, want one of %s", name, strings.Join(http2Names[:], ", "))
}
