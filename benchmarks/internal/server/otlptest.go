package server

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/encodings"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"

	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// serveOtlptest serves otlptest as New makes it without options; "strict" and
// "encodings" add what they are called.
func serveOtlptest(args []string) (running, error) {
	var opts []otlptest.Option
	if slices.Contains(args, "strict") {
		opts = append(opts, otlptest.WithStrict())
	}
	if slices.Contains(args, "encodings") {
		opts = append(opts, encodings.Register()...)
	}
	srv, err := otlptest.New(opts...)
	if err != nil {
		return running{}, err
	}
	return running{
		Addresses: Addresses{GRPC: srv.GRPCEndpoint(), HTTP: strings.TrimPrefix(srv.HTTPEndpoint(), "http://")},
		count:     func() int { return srv.Spans().Len() + srv.Points().Len() + srv.Logs().Len() },
		ask: func() error {
			for v := range srv.Violations().All() {
				return fmt.Errorf("the load generator violates OTLP: %v", v)
			}
			if r := srv.Report(); len(r.Batches) == 0 {
				return errors.New("the ledger is empty")
			}
			return nil
		},
		query: func() (int, any) {
			found := srv.Spans(where.Name("load-generator-span"), where.Attr(payload.SequenceKey, QueryFor)).Slice()
			return len(found), found
		},
	}, nil
}
