package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// problem is an error as RFC 9457 writes it.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"` // the status in words, as about:blank asks for
	Status int    `json:"status"`
	Detail string `json:"detail"`
	// What a server's source says of a wait that failed, of which Detail has the
	// whole: why it is as it is, and what may keep more away.
	Explanation string `json:"explanation,omitempty"`
	Missing     string `json:"missing,omitempty"`
	allow       string // the Allow header of a 405
	challenge   string // the WWW-Authenticate header of a 401
}

// problemf makes a problem; %w is not kept.
func problemf(status int, format string, args ...any) *problem {
	return &problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// invalid is the problem of a request that is wrong in the named place.
func invalid(place, format string, args ...any) *problem {
	return problemf(http.StatusBadRequest, "%s: "+format, append([]any{place}, args...)...)
}

// problemOf finds the problem in an error, and makes one of any other error.
func problemOf(err error) *problem {
	var p *problem
	if errors.As(err, &p) {
		return p
	}
	return problemf(http.StatusInternalServerError, "%v", err)
}

// closed is the problem where the wait ended because nothing can come any more.
func (p *problem) closed() *problem {
	text := strings.TrimSuffix(p.Detail, "\n"+strings.TrimRight(p.Missing, "\n"))
	closed := problemf(http.StatusServiceUnavailable, "%s\n  %v: nothing more can arrive", text, query.ErrClosed)
	closed.Explanation = p.Explanation
	return closed
}

// Error implements error.
func (p *problem) Error() string { return p.Detail }

func (p *problem) write(w http.ResponseWriter) {
	if p.allow != "" {
		w.Header().Set("Allow", p.allow)
	}
	if p.challenge != "" {
		w.Header().Set("WWW-Authenticate", p.challenge)
	}
	body, err := encode(p)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	write(w, p.Status, "application/problem+json", body)
}
