package receiver

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
)

// The media types of OTLP over HTTP.
const (
	protobufType = "application/x-protobuf"
	jsonType     = "application/json"
)

// body is the response message of a success: an Export…ServiceResponse
// (S-07, S-08), or what a fault has in its place.
func (a answer) body(sig query.Signal, asJSON bool) []byte {
	switch {
	case damaged[a.fault().Kind] != nil:
		return damaged[a.fault().Kind](a.fault(), asJSON)
	case asJSON && a.outcome == query.Partial:
		return a.partialJSON(sig)
	case asJSON:
		return []byte("{}")
	case a.outcome == query.Partial:
		return a.partialProto()
	}
	return nil
}

// partialProto has the same field numbers for every signal.
func (a answer) partialProto() []byte {
	var p []byte
	if a.rejected != 0 {
		p = protowire.AppendVarint(protowire.AppendTag(p, 1, protowire.VarintType), uint64(a.rejected))
	}
	if a.message != "" {
		p = protowire.AppendString(protowire.AppendTag(p, 2, protowire.BytesType), a.message)
	}
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), p)
}

// rejectedNames is the JSON name of a partial success's count.
var rejectedNames = map[query.Signal]string{
	query.Traces:  "rejectedSpans",
	query.Metrics: "rejectedDataPoints",
	query.Logs:    "rejectedLogRecords",
}

func (a answer) partialJSON(sig query.Signal) []byte {
	partial := map[string]string{}
	if a.rejected != 0 {
		partial[rejectedNames[sig]] = strconv.FormatInt(a.rejected, 10) // S-36
	}
	if a.message != "" {
		partial["errorMessage"] = a.message
	}
	return toJSON(map[string]any{"partialSuccess": partial})
}

// status is the message that carries an error on both transports.
func (a answer) status() *spb.Status {
	s := &spb.Status{Code: int32(a.code), Message: a.message}
	var details []proto.Message
	if a.throttled {
		details = append(details, &errdetails.RetryInfo{RetryDelay: durationpb.New(a.delay)})
	}
	if a.field != "" {
		details = append(details, &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: a.field, Description: a.message},
		}})
	}
	for _, d := range details {
		if detail, err := anypb.New(d); err == nil { // these always fit
			s.Details = append(s.Details, detail)
		}
	}
	for _, d := range a.details() {
		s.Details = append(s.Details, &anypb.Any{TypeUrl: typeURL + d.Type, Value: []byte(d.Value)})
	}
	return s
}

// statusJSON is the status as the JSON mapping of protobuf has it.
func (a answer) statusJSON() []byte {
	s := struct {
		Code    uint32 `json:"code"`
		Message string `json:"message"`
		Details []any  `json:"details,omitempty"`
	}{Code: uint32(a.code), Message: a.message}
	if a.throttled {
		s.Details = append(s.Details, map[string]any{"@type": typeURL + "google.rpc.RetryInfo", "retryDelay": seconds(a.delay)})
	}
	if a.field != "" {
		s.Details = append(s.Details, map[string]any{
			"@type":           typeURL + "google.rpc.BadRequest",
			"fieldViolations": []map[string]string{{"field": a.field, "description": a.message}},
		})
	}
	for _, d := range a.details() {
		s.Details = append(s.Details, d)
	}
	return toJSON(s)
}

// typeURL stands before a message's name in google.protobuf.Any.
const typeURL = "type.googleapis.com/"

// details is those that a fault adds to a status: RetryInfo is there already.
func (a answer) details() []faults.Detail {
	retry := string((&errdetails.RetryInfo{}).ProtoReflect().Descriptor().FullName())
	return slices.DeleteFunc(slices.Clone(a.fault().Details), func(d faults.Detail) bool { return d.Type == retry })
}

// seconds is a google.protobuf.Duration in JSON, such as 0.350s: with no, 3, 6
// or 9 digits after the point.
func seconds(d time.Duration) string {
	s := strconv.FormatInt(int64(d/time.Second), 10)
	if frac := d % time.Second; frac != 0 {
		digits := strconv.FormatInt(int64(time.Second+frac), 10)[1:]
		for strings.HasSuffix(digits, "000") {
			digits = digits[:len(digits)-3]
		}
		s += "." + digits
	}
	return s + "s"
}

// toJSON writes what always can be written.
func toJSON(v any) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte("{}")
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// encode is the answer as a message: the response of a success, the status of
// an error.
func (a answer) encode(sig query.Signal, asJSON bool) []byte {
	switch {
	case a.outcome != query.Refused && a.outcome != query.Malformed || a.fault().Kind == faults.KindRaw:
		return a.body(sig, asJSON)
	case asJSON:
		return a.statusJSON()
	}
	b, err := proto.Marshal(a.status())
	if err != nil {
		return nil // the message is not UTF-8: the HTTP status has to do
	}
	return b
}

// maxAnswer is how many bytes an answer may have before compression (S-04).
const maxAnswer = 4 << 20

// fit is the answer with its message shortened as far as it has to be (S-05).
func (a answer) fit(sig query.Signal, asJSON bool) answer {
	const mostEscaped = 12 // bytes for one, in JSON and twice in a status
	if len(a.message) < maxAnswer/(mostEscaped+1) {
		return a
	}
	if over := len(a.encode(sig, asJSON)) - maxAnswer; over > 0 {
		a.message = strings.ToValidUTF8(a.message[:max(0, len(a.message)-over)], "")
	}
	return a
}

// writeHTTP encodes the answer as the request was encoded (S-20, S-22, S-23).
func (a answer) writeHTTP(w http.ResponseWriter, req *http.Request, sig query.Signal, asJSON bool) {
	h := w.Header()
	h.Set("Content-Type", protobufType)
	if asJSON {
		h.Set("Content-Type", jsonType)
	}
	a.explain(h)
	if a.fault().Closing && req.ProtoMajor == 1 { // HTTP/2 has GOAWAY
		h.Set("Connection", "close")
	}
	for _, f := range a.fault().Header {
		h.Add(f.Name, f.Value)
	}
	status, body := a.httpStatus(), a.encode(sig, asJSON)
	switch a.fault().Kind {
	case faults.KindHalf:
		writeHalf(w, status, asJSON)
	case faults.KindTrailers:
		writeTrailers(w, status, body, a.fault().Size)
	case faults.KindEncoded:
		h.Set("Content-Encoding", a.fault().Type)
		writePlain(w, status, encodeAs(a.fault().Type, body))
	case faults.KindRaw:
		h.Set("Content-Type", a.fault().Type)
		writePlain(w, status, body)
	case faults.KindRedirect:
		h.Set("Location", location(a.fault().Location, req.URL.Path))
		writePlain(w, status, body)
	default:
		write(w, req, status, body)
	}
}

// explain sets what an error says in header fields.
func (a answer) explain(h http.Header) {
	if a.throttled {
		h.Set("Retry-After", a.retryAfter())
	}
	switch a.httpStatus() {
	case http.StatusMethodNotAllowed:
		h.Set("Allow", http.MethodPost)
	case http.StatusUnauthorized:
		if a.challenge != "" {
			h.Set("WWW-Authenticate", a.challenge)
		}
	}
}

// write sends a body, by gzip to a client that asks for it (S-28).
func write(w http.ResponseWriter, req *http.Request, status int, body []byte) {
	if len(body) > 0 && acceptsGzip(req.Header.Get("Accept-Encoding")) {
		w.Header().Set("Content-Encoding", "gzip")
		body = encodeAs("gzip", body)
	}
	writePlain(w, status, body)
}

func writePlain(w http.ResponseWriter, status int, body []byte) {
	if len(body) > 0 { // otherwise net/http says so by itself
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(status)
	w.Write(body)
}

// encodeAs compresses by gzip, and leaves a body as it is for other encodings.
func encodeAs(encoding string, body []byte) []byte {
	if encoding != "gzip" {
		return body
	}
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	zw.Write(body)
	zw.Close()
	return b.Bytes()
}

// acceptsGzip reads an Accept-Encoding header.
func acceptsGzip(accept string) bool {
	for offer := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(offer), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, found := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
			f, err := strconv.ParseFloat(q, 64)
			return !found || err == nil && f > 0
		}
	}
	return false
}
