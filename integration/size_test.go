package integration_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// sizeCap is more than what the transports read at once.
const sizeCap = 100_000

// sized is a valid request of exactly n bytes, more than a few: one unknown
// field, which does or does not compress well.
func sized(n int, compressible bool) []byte {
	content := make([]byte, n-1-protowire.SizeVarint(uint64(n)))
	if !compressible {
		rand.NewChaCha8([32]byte{}).Read(content)
	}
	b := protowire.AppendBytes(protowire.AppendTag(nil, 15, protowire.BytesType), content)
	if len(b) != n {
		panic("wrong size")
	}
	return b
}

// S-02, S-03, S-21: the cap holds for what is sent and for what it becomes.
func TestRequestsOverTheCapAreRefusedForGood(t *testing.T) {
	for name, test := range map[string]struct {
		body   []byte
		zipped bool
		fits   bool
	}{
		"at the cap":                    {sized(sizeCap, true), false, true},
		"at the cap once decompressed":  {sized(sizeCap, true), true, true},
		"one more":                      {sized(sizeCap+1, true), false, false},
		"one more once decompressed":    {sized(sizeCap+1, true), true, false},
		"much more":                     {sized(10*sizeCap, true), false, false},
		"a gzip bomb":                   {sized(50*sizeCap, true), true, false},
		"too large even when it is zip": {sized(2*sizeCap, false), true, false},
	} {
		t.Run(name, func(t *testing.T) {
			eachPath(t, func(t *testing.T, p path) {
				srv := otlptest.Start(t, otlptest.WithMaxRequestSize(sizeCap))
				c := newClient(t, srv)
				r, err := c.send(context.Background(), p, test.body, test.zipped)
				if err != nil {
					t.Fatal(err)
				}
				if test.fits {
					if e := otlptest.One(t, srv.Exports()); r.err() != nil || e.Outcome != query.Accepted || e.BodySize != sizeCap {
						t.Errorf("got %s with %d bytes, want it accepted: %v", e, e.BodySize, r.err())
					}
					return
				}
				wantRefusal(t, p, r, codes.ResourceExhausted, http.StatusRequestEntityTooLarge)
				wantOnRecord(t, srv, p, r, query.Refused)
				srv.Reset()
				c.mustSend(t, p, mustMarshal(t, sampleOf(p.signal).data)) // the connection is still good
			})
		})
	}
}

// A body of unknown length is read no further than the cap.
func TestAChunkedBodyOverTheCapIsRefused(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithMaxRequestSize(sizeCap))
	c := newClient(t, srv)
	body := io.MultiReader(bytes.NewReader(sized(sizeCap, true)), bytes.NewReader([]byte{0x0a, 0x00})) // hides its length
	req, err := http.NewRequest(http.MethodPost, c.base+"/v1/metrics", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	r, err := c.do(req)
	if err != nil {
		t.Fatal(err)
	}
	p := path{query.Metrics, query.HTTPProtobuf}
	wantRefusal(t, p, r, codes.ResourceExhausted, http.StatusRequestEntityTooLarge)
	wantOnRecord(t, srv, p, r, query.Refused)
}
