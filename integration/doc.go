// Package integration holds the tests that drive otlptest over the wire: the
// official exporters in their newest versions, and plain gRPC and HTTP clients,
// with every signal over every transport. It is a module of its own, so that
// what it needs reaches no one who uses otlptest.
package integration
