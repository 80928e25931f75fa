package receiver

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/internal/h2shim"
	"github.com/otlptest/otlptest/query"
)

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
	if allowOrigin(w, req) {
		return
	}
	x := exchange{Receiver: r, ctx: req.Context(), line: lineOf(req), unread: req.ProtoMajor == 1 && req.ContentLength != 0}
	e, media := r.headHTTP(req)
	if !r.begin(x.line.conn, &e) {
		panic(http.ErrAbortHandler) // the connection is closed
	}
	defer r.end(x.line.conn)
	x.export = e
	asJSON := media == jsonType
	var a answer
	if refusal, ok := r.unfit(req, e, media); ok {
		m := r.readHTTP(req, e.Encoding)
		m.json = asJSON
		a = r.turnAway(e, m, refusal)
	} else {
		a = x.run(asJSON, func(slowly int64) message {
			if slowly > 0 {
				own := x // so that only a slow one is on the heap
				req.Body = &slowBody{req.Body, slowly, own.pause, time.Now().Add(r.HangLimit)}
			}
			return r.readHTTP(req, e.Encoding)
		})
	}
	if a.none() {
		panic(http.ErrAbortHandler) // closes the connection without an answer
	}
	if a.fault().Closing {
		x.line.closing()
	}
	a.writeHTTP(w, req, e.Signal, asJSON)
}

// lineOf is what a request came by; the shim's field is gone from it then.
func lineOf(req *http.Request) line {
	l := line{path: req.URL.Path}
	l.conn, _ = req.Context().Value(connKey{}).(*conn)
	if ids := req.Header.Values(h2shim.Header); len(ids) > 0 && req.ProtoMajor == 2 {
		l.stream = streamID(ids)
		req.Header.Del(h2shim.Header)
	}
	return l
}

// streamID reads what the shim added, behind what the client may have sent.
func streamID(ids []string) uint32 {
	id, err := strconv.ParseUint(ids[len(ids)-1], 10, 32)
	if err != nil {
		return 0
	}
	return uint32(id)
}

// slowBody is a body that is read at so many bytes a second, up to a time.
type slowBody struct {
	io.ReadCloser
	rate  int64
	pause func(time.Duration) (ended bool)
	until time.Time
}

func (s *slowBody) Read(b []byte) (int, error) {
	const tenth = 10 // of a second, between two pieces
	if !time.Now().Before(s.until) {
		return s.ReadCloser.Read(b)
	}
	n, err := s.ReadCloser.Read(b[:min(int64(len(b)), max(1, s.rate/tenth))])
	if s.pause(pace(n, s.rate)) {
		return n, errBroken
	}
	return n, err
}

// headHTTP is what a request's head says, with its media type.
func (r *Receiver) headHTTP(req *http.Request) (e query.Export, media string) {
	e = query.Export{
		Signal:   r.signalOf(req.URL.Path),
		Method:   req.Method,
		Path:     req.URL.Path,
		Header:   header(req),
		Encoding: strings.ToLower(req.Header.Get("Content-Encoding")),
		Arrived:  time.Now(),
	}
	media, _, _ = strings.Cut(req.Header.Get("Content-Type"), ";") // S-31: without parameters, malformed ones too
	media = strings.ToLower(strings.TrimSpace(media))
	switch media {
	case protobufType:
		e.Protocol = query.HTTPProtobuf
	case jsonType:
		e.Protocol = query.HTTPJSON
	}
	return e, media
}

// unfit is the answer to a request that is refused for what its head says
// (S-30).
func (r *Receiver) unfit(req *http.Request, e query.Export, media string) (answer, bool) {
	no := func(status int, code codes.Code, format string, args ...any) (answer, bool) {
		return answer{outcome: query.Refused, http: status, code: code, message: fmt.Sprintf(format, args...)}, true
	}
	switch {
	case e.Signal == "":
		return no(http.StatusNotFound, codes.Unimplemented, "%s", r.wrongPath(req))
	case req.Method != http.MethodPost:
		return no(http.StatusMethodNotAllowed, codes.Unimplemented, "got method %s, want POST", req.Method)
	case !r.authorized(req.Header.Get("Authorization")):
		return r.unauthenticated(), true
	case media != protobufType && media != jsonType:
		return no(http.StatusUnsupportedMediaType, codes.InvalidArgument, "got Content-Type %q, want %s or %s", req.Header.Get("Content-Type"), protobufType, jsonType)
	case !r.decodes(e.Encoding):
		return no(http.StatusUnsupportedMediaType, codes.InvalidArgument, "got Content-Encoding %q, want one of %s", e.Encoding, strings.Join(r.encodings(), ", "))
	}
	return answer{}, false
}

// turnAway records a request that is refused for its head, with what it
// carried if that can be read, and returns its answer.
func (r *Receiver) turnAway(e query.Export, m message, refusal answer) answer {
	e.Received = time.Now()
	e.WireSize, e.BodySize = m.wire, len(m.body)
	refusal.record(&e)
	if m.err == nil {
		e.Signal, e.Items, m = r.recognize(e.Path, m)
	} else {
		m.body = nil
	}
	rec := r.Store.NewRecord(e, m.body)
	if !r.Store.Admits(len(m.body)) {
		rec.Forget()
	}
	r.Store.Append(rec)
	return refusal
}

// readHTTP reads a body to its end, whatever becomes of it: a client that has
// sent all of it reads the answer.
func (r *Receiver) readHTTP(req *http.Request, encoding string) message {
	m := r.bodies.read(req.Body, encoding, req.ContentLength)
	if m.err != nil {
		io.CopyN(io.Discard, req.Body, 256<<20) // past that the connection is closed
	}
	return m
}

// header is the header fields in lower case, Host included.
func header(req *http.Request) query.Header {
	h := make(query.Header, len(req.Header)+1)
	for k, v := range req.Header {
		h[lower(k)] = v
	}
	h["host"] = []string{req.Host}
	return h
}

// usual are header fields that most requests have, in lower case.
var usual = map[string]string{
	"Accept": "accept", "Accept-Encoding": "accept-encoding", "Authorization": "authorization",
	"Content-Encoding": "content-encoding", "Content-Length": "content-length", "Content-Type": "content-type",
	"Traceparent": "traceparent", "User-Agent": "user-agent",
}

// lower is a field's name in lower case.
func lower(name string) string {
	if known, ok := usual[name]; ok {
		return known
	}
	return strings.ToLower(name)
}

// allowOrigin lets a page of any origin export (CORS), and says whether the
// request was only the question whether it may.
func allowOrigin(w http.ResponseWriter, req *http.Request) (asked bool) {
	if req.Header.Get("Origin") == "" {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "Retry-After")
	if req.Method != http.MethodOptions || req.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", http.MethodPost)
	if names := req.Header.Get("Access-Control-Request-Headers"); names != "" {
		h.Set("Access-Control-Allow-Headers", names)
	}
	h.Set("Access-Control-Max-Age", "600") // seconds
	w.WriteHeader(http.StatusNoContent)
	return true
}
