package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// endpoint answers a request with what its JSON body holds, with an answer
// where that is not all, with nil where there is nothing to say, or with an
// error, which is a *problem unless it is the server's own.
type endpoint func(*http.Request) (any, error)

// answer is one that is not just JSON.
type answer struct {
	status      int    // 0: 200
	contentType string // empty: body is written as JSON
	body        any    // []byte with a contentType
	link        string // where the next page is
}

// ServeHTTP implements http.Handler.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	said, err := e(r)
	if err == nil && said == nil {
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err == nil {
		err = send(w, said)
	}
	if err != nil {
		problemOf(err).write(w)
	}
}

// send writes what an endpoint said. After an error nothing is written yet.
func send(w http.ResponseWriter, said any) error {
	a, special := said.(answer)
	if !special {
		a.body = said
	}
	body, ready := a.body.([]byte)
	if a.contentType == "" || !ready {
		var err error
		if body, err = encode(a.body); err != nil {
			return err
		}
		a.contentType = "application/json"
	}
	if a.link != "" {
		w.Header().Set("Link", a.link)
	}
	write(w, max(a.status, http.StatusOK), a.contentType, body)
	return nil
}

// text is an answer in words.
func text(s string) answer {
	return answer{contentType: "text/plain; charset=utf-8", body: []byte(s)}
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
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(body)
}
