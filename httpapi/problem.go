package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// endpoint answers a request with what its JSON body holds, with nil where
// there is nothing to say, or with an error, which is a *problem unless it is
// the server's own.
type endpoint func(*http.Request) (any, error)

// ServeHTTP implements http.Handler.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := e(r)
	var body []byte
	if err == nil && answer != nil {
		body, err = encode(answer)
	}
	switch {
	case err != nil:
		problemOf(err).write(w)
	case answer == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		write(w, http.StatusOK, "application/json", body)
	}
}

// encode writes a line of JSON, with < and > as they are: filters have them.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

func write(w http.ResponseWriter, status int, contentType string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(body)
}

// problem is an error as RFC 9457 writes it.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"` // the status in words, as about:blank asks for
	Status int    `json:"status"`
	Detail string `json:"detail"`
	allow  string // the Allow header of a 405
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

// Error implements error.
func (p *problem) Error() string { return p.Detail }

func (p *problem) write(w http.ResponseWriter) {
	if p.allow != "" {
		w.Header().Set("Allow", p.allow)
	}
	body, err := encode(p)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	write(w, p.Status, "application/problem+json", body)
}
