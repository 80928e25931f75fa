package receiver

import (
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/query"
)

const protobufType = "application/x-protobuf"

// paths are the HTTP paths of OTLP (S-18).
var paths = map[string]query.Signal{
	"/v1/traces":  query.Traces,
	"/v1/metrics": query.Metrics,
	"/v1/logs":    query.Logs,
}

// HTTP makes the HTTP server of the receiver. Serve it on what Listen returns.
func (r *Receiver) HTTP() *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Protocols:         protocols,
		Handler:           http.HandlerFunc(r.serveHTTP),
		ConnContext:       withConn,
		ConnState:         r.countHTTP,
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // what clients do wrong is in the record
	}
}

// countHTTP knows which connections net/http still serves: its Close does not
// wait for them.
func (r *Receiver) countHTTP(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		r.serving.Add(1)
	case http.StateClosed, http.StateHijacked:
		r.serving.Done()
	}
}

// Wait waits, once Serve of both servers has returned, until the last
// connection is done with.
func (r *Receiver) Wait() {
	r.admitting.Wait()
	r.serving.Wait()
}

func (r *Receiver) serveHTTP(w http.ResponseWriter, req *http.Request) {
	e := query.Export{
		Signal:   paths[req.URL.Path],
		Path:     req.URL.Path,
		Header:   header(req),
		Encoding: strings.ToLower(req.Header.Get("Content-Encoding")),
		Arrived:  time.Now(),
	}
	media, _, _ := mime.ParseMediaType(req.Header.Get("Content-Type"))
	if media == protobufType {
		e.Protocol = query.HTTPProtobuf
	}
	c, _ := req.Context().Value(connKey{}).(*conn)
	defer r.begin(c, &e)()
	var a answer
	if refusal, ok := unfit(req, e, media); ok {
		drain(req.Body)
		e.Received = time.Now()
		r.record(e, refusal)
		a = refusal
	} else {
		a = r.receive(req.Context(), e, r.readHTTP(req, e.Encoding))
	}
	if a.none() {
		panic(http.ErrAbortHandler) // closes the connection without an answer
	}
	if a.httpStatus() == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	a.writeHTTP(w)
}

// unfit is the answer to a request that is refused for what its head says
// (S-30).
func unfit(req *http.Request, e query.Export, media string) (answer, bool) {
	no := func(status int, code codes.Code, format string, args ...any) (answer, bool) {
		return answer{outcome: query.Refused, http: status, code: code, message: fmt.Sprintf(format, args...)}, true
	}
	switch {
	case e.Signal == "":
		return no(http.StatusNotFound, codes.Unimplemented, "got path %q, want /v1/traces, /v1/metrics or /v1/logs", req.URL.Path)
	case req.Method != http.MethodPost:
		return no(http.StatusMethodNotAllowed, codes.Unimplemented, "got method %s, want POST", req.Method)
	case media != protobufType:
		return no(http.StatusUnsupportedMediaType, codes.InvalidArgument, "got Content-Type %q, want %s", req.Header.Get("Content-Type"), protobufType)
	case e.Encoding != "" && e.Encoding != "identity" && e.Encoding != "gzip":
		return no(http.StatusUnsupportedMediaType, codes.InvalidArgument, "got Content-Encoding %q, want gzip or identity", e.Encoding)
	}
	return answer{}, false
}

func (r *Receiver) readHTTP(req *http.Request, encoding string) message {
	var m message
	if encoding == "gzip" {
		m = r.gunzip.decompress(req.Body)
	} else {
		m = r.gunzip.read(req.Body, req.ContentLength)
	}
	if m.err != nil {
		drain(req.Body)
	}
	return m
}

// drain reads what is left of a body that is not wanted, so that the client
// has sent all of it and reads the answer. Past a bound the connection is
// closed instead.
func drain(body io.Reader) { io.CopyN(io.Discard, body, 256<<20) }

// header is the header fields in lower case, Host included.
func header(req *http.Request) query.Header {
	h := make(query.Header, len(req.Header)+1)
	for k, v := range req.Header {
		h[strings.ToLower(k)] = v
	}
	h["host"] = []string{req.Host}
	return h
}
