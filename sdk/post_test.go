package sdk_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/otlptest"
)

// ids is the ids of a span in OTLP JSON.
const ids = `"traceId":"0102030405060708090a0b0c0d0e0f10","spanId":"0102030405060708"`

// post sends what the SDK would not.
func post(t testing.TB, srv *otlptest.Server, path, body string) {
	t.Helper()
	res, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if answer, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusOK {
		t.Fatalf("got %s: %s", res.Status, answer)
	}
}
