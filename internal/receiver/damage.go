package receiver

import (
	"bytes"
	"net/http"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/otlptest/otlptest/faults"
)

// laterField is the number of a field that no version of OTLP has yet.
const laterField = 1000

// damaged is the bodies of answers that say success and are not quite it.
var damaged = map[faults.Kind]func(f *faults.Fault, asJSON bool) []byte{
	faults.KindRaw:       func(f *faults.Fault, _ bool) []byte { return []byte(f.Body) },
	faults.KindGarbage:   func(*faults.Fault, bool) []byte { return []byte("\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4") },
	faults.KindTruncated: func(_ *faults.Fault, asJSON bool) []byte { return truncated(asJSON) },
	faults.KindOversized: func(f *faults.Fault, asJSON bool) []byte { return filled(f.Size, asJSON) },
	faults.KindNewer:     newer,
	faults.KindEncoded:   newer, // so that there is something to decode
}

// newer is a success with a field that clients of today do not know.
func newer(_ *faults.Fault, asJSON bool) []byte { return filled(40, asJSON) }

// truncated is the first half of a message that would be a warning.
func truncated(asJSON bool) []byte {
	warning := answer{message: "this answer ends too early"}
	if asJSON {
		b := warning.partialJSON("")
		return b[:len(b)/2]
	}
	b := warning.partialProto()
	return b[:len(b)/2]
}

// filled is a valid message of that many bytes, or of as few as it can have.
func filled(size int64, asJSON bool) []byte {
	if asJSON {
		const before, after = `{"fieldOfALaterVersion":"`, `"}`
		return []byte(before + strings.Repeat("x", max(0, int(size)-len(before)-len(after))) + after)
	}
	head := protowire.AppendTag(nil, laterField, protowire.BytesType)
	n := max(0, int(size)-len(head)-1)
	n -= min(n, protowire.SizeVarint(uint64(n))-1)
	return protowire.AppendBytes(head, bytes.Repeat([]byte("x"), n))
}

// writeHalf announces more than it sends, and breaks off.
func writeHalf(w http.ResponseWriter, status int, asJSON bool) {
	half := truncated(asJSON)
	w.Header().Set("Content-Length", "100")
	w.WriteHeader(status)
	w.Write(half)
	http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// fillerName is the field of trailers that are there for their size.
const fillerName = "otlptest-filler"

// writeTrailers sends a body, and that many bytes in a trailer.
func writeTrailers(w http.ResponseWriter, status int, body []byte, size int64) {
	w.Header().Set("Trailer", fillerName)
	w.WriteHeader(status)
	w.Write(body)
	w.Header().Set(fillerName, strings.Repeat("x", int(size)))
}

// location is the URL of a redirect: where the one that is asked for has no
// path, it gets the request's.
func location(url, path string) string {
	_, rest, absolute := strings.Cut(url, "://")
	if url == "" || absolute && !strings.Contains(rest, "/") {
		return url + path
	}
	return url
}
