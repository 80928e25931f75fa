package main

import (
	"fmt"

	"github.com/otlptest/otlptest/benchmarks/internal/load"
	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// thousand items a second of the server's CPU.
func thousand(c load.Cost) float64 { return c.Rate() / 1e3 }

func heapRatio(c load.Cost) float64 { return c.HeapRatio }

// both are the shapes under one load.
func (b *bench) both(change func(*load.Setting)) []load.Setting {
	small, large := b.setting(payload.Small), b.setting(payload.Large)
	change(&small)
	change(&large)
	return []load.Setting{small, large}
}

func (b *bench) grpc() error {
	all := []contender{otlptest, asked, strict, grpcGo, collector, easyproto, tcp}
	settings := append(b.both(func(s *load.Setting) { s.Concurrent = 1 }), b.both(func(*load.Setting) {})...)
	if err := b.measure(all, settings...); err != nil {
		return err
	}
	b.title("gRPC: thousand spans a second of the server's CPU")
	b.compare(all, settings, func(s load.Setting) string { return fmt.Sprintf("%s, %d concurrent", s.Shape.Name, s.Concurrent) })

	b.title("Live heap that requests add, over their uncompressed bytes")
	b.head("server", "small", "large")
	for _, c := range []contender{otlptest, grpcGo, collector, tcp} {
		b.row(c.name, b.of(c, settings[2], heapRatio).spread("%.2f"), b.of(c, settings[3], heapRatio).spread("%.2f"))
	}
	return nil
}

func (b *bench) http() error {
	all := []contender{otlptest, asked, collector, easyproto}
	settings := append(b.both(func(s *load.Setting) { s.Transport, s.Concurrent = load.HTTP, 1 }),
		b.both(func(s *load.Setting) { s.Transport = load.HTTP })...)
	if err := b.measure(all, settings...); err != nil {
		return err
	}
	b.title("HTTP/protobuf: thousand spans a second of the server's CPU")
	b.compare(all, settings, func(s load.Setting) string { return fmt.Sprintf("%s, %d concurrent", s.Shape.Name, s.Concurrent) })
	return nil
}

func (b *bench) compression() error {
	all := []contender{otlptest, grpcGo, collector}
	var settings []load.Setting
	for _, e := range []load.Encoding{load.Gzip, load.Zstd} {
		for _, t := range []load.Transport{load.GRPC, load.HTTP} {
			settings = append(settings, b.both(func(s *load.Setting) { s.Encoding, s.Transport = e, t })...)
		}
	}
	if err := b.measure(all, settings...); err != nil {
		return err
	}
	b.title("Compressed, 20 concurrent: thousand spans a second of the server's CPU")
	b.compare(all, settings, func(s load.Setting) string {
		return fmt.Sprintf("%v, %s, %s", s.Encoding, s.Transport, s.Shape.Name)
	})
	return nil
}

func (b *bench) signals() error {
	all := []contender{otlptest, grpcGo, collector}
	var settings []load.Setting
	for _, k := range []payload.Kind{payload.Sums, payload.Histograms, payload.Logs} {
		settings = append(settings, b.both(func(s *load.Setting) { s.Kind = k })...)
	}
	if err := b.measure(all, settings...); err != nil {
		return err
	}
	b.title("Metrics and logs, gRPC, 20 concurrent: thousand points or records a second of the server's CPU")
	b.compare(all, settings, func(s load.Setting) string { return fmt.Sprintf("%s, %s", s.Kind, s.Shape.Name) })
	return nil
}

// jsonSettings send fewer batches, since they cost several times as much.
func (b *bench) jsonSettings() []load.Setting {
	return b.both(func(s *load.Setting) { s.Transport, s.Batches = load.JSON, max(1, s.Batches/2) })
}

func (b *bench) json() error {
	all := []contender{otlptest, collector}
	settings := b.jsonSettings()
	if err := b.measure(all, settings...); err != nil {
		return err
	}
	b.title("OTLP JSON, 20 concurrent: thousand spans a second of the server's CPU")
	b.compare(all, settings, func(s load.Setting) string { return s.Shape.Name })
	return nil
}

// compare prints a row for each contender, with its ratio to the Collector's
// receiver.
func (b *bench) compare(contenders []contender, settings []load.Setting, name func(load.Setting) string) {
	columns := []string{"server"}
	for _, s := range settings {
		columns = append(columns, name(s))
	}
	b.head(columns...)
	for _, c := range contenders {
		cells := []string{c.name}
		for _, s := range settings {
			rate := b.of(c, s, thousand)
			if !c.can(s) {
				cells = append(cells, "-")
				continue
			}
			cells = append(cells, fmt.Sprintf("%.0f, ×%s", rate.median, b.ratio(c, collector, s).spread("%.2f")))
		}
		b.row(cells...)
	}
}
