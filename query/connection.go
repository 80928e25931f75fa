package query

import (
	"fmt"
	"strings"
	"time"
)

// Connection is one network connection that a client made, as it stood when it
// was looked at.
type Connection struct {
	Number    int       `json:"number"`              // from 1, in the order in which they were accepted
	Peer      string    `json:"peer"`                // the client's address
	Listener  string    `json:"listener"`            // the address that it came to
	Protocol  Protocol  `json:"protocol,omitempty"`  // of its last request; empty where that is not known
	UserAgent string    `json:"userAgent,omitempty"` // of its last request; empty before the first
	TLS       string    `json:"tls,omitempty"`       // the version, such as "TLS 1.3"; empty in plaintext
	Requests  int       `json:"requests"`            // that it has carried, those that are open included
	Open      int       `json:"open"`                // requests on it that are not answered yet
	Opened    time.Time `json:"opened"`
	Closed    time.Time `json:"closed,omitzero"` // zero while it is open
	Err       string    `json:"error,omitempty"` // why it could not be used, such as a handshake that failed
}

// String is such as "connection 2 (OTel OTLP Exporter Go/1.47.0)", with why it
// failed if it did.
func (c Connection) String() string {
	who := c.UserAgent
	if who == "" {
		who = "from " + c.Peer
	}
	s := fmt.Sprintf("connection %d (%s)", c.Number, who)
	if c.Err != "" {
		s += ": " + strings.TrimSpace(c.Err)
	}
	return s
}
