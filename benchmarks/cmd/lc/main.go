package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/otlptest/otlptest/benchmarks/internal/lifecycle"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	for range 3 {
		m, err := lifecycle.Measure(n)
		if err != nil {
			panic(err)
		}
		o, g := m[lifecycle.Otlptest], m[lifecycle.GRPCGo]
		fmt.Printf("start %v/%v export %v/%v close %v/%v all %v/%v = %.3f\n", o.Start, g.Start, o.Export, g.Export, o.Close, g.Close, o.Total, g.Total, float64(o.Total)/float64(g.Total))
	}
}
