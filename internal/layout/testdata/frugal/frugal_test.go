// Package frugal is the test of somebody who exports over gRPC and asks for
// little.
package frugal

import (
	"testing"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

func TestSpanArrives(t *testing.T) {
	srv := otlptest.Start(t)
	t.Log(srv.GRPCEndpoint())
	otlptest.One(t, srv.Spans(where.Name("charge")))
}
