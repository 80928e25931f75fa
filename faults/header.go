package faults

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// reserved is the header fields that belong to the transport, or that the
// answer sets by itself.
var reserved = []string{
	"connection", "content-encoding", "content-length", "content-type", "grpc-encoding", "grpc-message",
	"grpc-message-type", "grpc-status", "grpc-status-details-bin", "grpc-timeout", "keep-alive", "proxy-connection",
	"te", "trailer", "transfer-encoding", "upgrade", "user-agent",
}

// check says why the field can stand in no header, or nil.
func (h Field) check() error {
	if !isToken(h.Name) {
		return fmt.Errorf("got header field %q, want a name of letters, digits and !#$%%&'*+-.^_`|~", h.Name)
	}
	if !printable(h.Value) {
		return fmt.Errorf("got %q in header field %s, want UTF-8 without control characters", h.Value, h.Name)
	}
	return nil
}

// checkAnswer is check for a field that is added to an answer.
func (h Field) checkAnswer() error {
	if slices.Contains(reserved, strings.ToLower(h.Name)) {
		return fmt.Errorf("got header field %s, want one that the answer does not set itself", h.Name)
	}
	return h.check()
}

// isToken says whether s is a token of HTTP (RFC 9110, section 5.6.2), as the
// names of header fields and encodings are.
func isToken(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}

// printable says whether s can be the value of a header field.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
