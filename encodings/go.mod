module github.com/otlptest/otlptest/encodings

go 1.25.0

require (
	github.com/klauspost/compress v1.18.0
	github.com/otlptest/otlptest v0.0.0
	go.opentelemetry.io/proto/otlp v1.6.0
	google.golang.org/grpc v1.72.0
	google.golang.org/protobuf v1.36.6
)

require (
	golang.org/x/net v0.39.0 // indirect
	golang.org/x/sys v0.32.0 // indirect
	golang.org/x/text v0.24.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20250428153025-10db94c68c34 // indirect
)

replace github.com/otlptest/otlptest => ../
