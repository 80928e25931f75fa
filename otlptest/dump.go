package otlptest

import (
	"fmt"
	"io"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/query"
)

// WriteJSONL writes what was stored of a signal as OTLP JSON, one export a
// line, in the format of OpenTelemetry's file exporter (S-52): what the
// Collector's file receivers read, and what can be sent again. Of an export
// that was stored in part it writes the whole.
func (s *Server) WriteJSONL(w io.Writer, signal query.Signal) error {
	var line []byte
	for body := range s.store.Bodies(signal) {
		var err error
		if line, err = otlpjson.FromProto(line[:0], signal, body); err != nil {
			return fmt.Errorf("write %s as JSON: %w", signal, err)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("write %s as JSON: %w", signal, err)
		}
	}
	return nil
}
