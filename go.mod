module github.com/otlptest/otlptest

go 1.25.0

// The lowest versions that pass: what is required here is required of every
// user's module. Before raising one, read internal/layout/selection_test.go.
require (
	github.com/go-chi/chi/v5 v5.0.0 // for httpapi, which no user's test links; its first release passes
	github.com/google/go-cmp v0.6.0 // for tests; grpc v1.72.0 requires it
	go.opentelemetry.io/proto/otlp v1.6.0 // the first with entity references, which the read model has
	go.uber.org/goleak v1.2.1 // for tests; the ones before bring golang.org/x/tools and x/lint along
	golang.org/x/net v0.39.0 // for the frames of HTTP/2; grpc v1.72.0 requires it
	google.golang.org/genproto/googleapis/rpc v0.0.0-20250428153025-10db94c68c34 // proto/otlp v1.6.0 requires it
	google.golang.org/grpc v1.72.0 // proto/otlp v1.6.0 requires it
	google.golang.org/protobuf v1.36.6 // proto/otlp v1.6.0 requires it
)

require (
	golang.org/x/sys v0.32.0 // indirect
	golang.org/x/text v0.24.0 // indirect
)
