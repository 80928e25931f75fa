package integration_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/encodings"
	"github.com/otlptest/otlptest/otlptest"
)

// What was recorded names nothing of the machine that it was recorded on, once
// it is decoded either.
func TestRecordedRequestsNameNoMachine(t *testing.T) {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	h2 := &http.Transport{Protocols: p, DisableCompression: true}
	defer h2.CloseIdleConnections()
	options := encodings.Register()
	for _, r := range readRecorded(t) {
		srv := otlptest.Start(t, options...)
		r.send(t, srv, h2)
		text := fmt.Sprint(otlptest.One(t, srv.Exports()).Proto())
		for _, home := range []string{"/wo" + "rk/", "/ro" + "ot", "/tm" + "p/", "/ho" + "me/"} {
			if i := strings.Index(text, home); i >= 0 {
				t.Errorf("%s: got %q", r.Client, text[max(0, i-40):min(len(text), i+80)])
			}
		}
	}
}
