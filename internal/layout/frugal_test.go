package layout

import (
	"path/filepath"
	"strings"
	"testing"
)

// frugal is what a test must use before it links it. grpc links html/template,
// and so the linker keeps every exported method of each type that meets an
// interface, with all that leads from there: a Server in an interface, or a
// rule, would bring the whole of this list.
var frugal = map[string]string{
	"net/http.(*Server).Serve":                                           "no HTTP address is asked for",
	module + "/internal/memnet.Dial":                                     "nothing is in memory",
	module + "/internal/certs.New":                                       "there is no TLS",
	module + "/faults.(*parser).fault":                                   "no rule is read",
	module + "/faults.(*Rule).UnmarshalJSON":                             "no rule is read",
	module + "/query/where.Parse":                                        "no filter is read",
	module + "/internal/otlpjson.FromProto":                              "nothing is written as JSON",
	module + "/otlptest.(*Server).Hold":                                  "nothing is held back",
	module + "/internal/store.Traces.Scan":                               "no trace is asked for",
	module + "/query.Report.String":                                      "no report is asked for",
	"google.golang.org/protobuf/reflect/protodesc.ToFileDescriptorProto": "descriptors are needed as they are encoded only",
}

func TestATestLinksOnlyWhatItUses(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "frugal")
	goTool(t, root(t), "test", "-c", "-o", bin, "./internal/layout/testdata/frugal")
	linked := map[string]bool{}
	for line := range strings.Lines(goTool(t, root(t), "tool", "nm", bin)) {
		if f := strings.Fields(line); len(f) == 3 {
			linked[f[2]] = true
		}
	}
	if !linked[module+"/otlptest.New"] {
		t.Fatal("otlptest.New is not among the symbols, so that nothing can be said about the others")
	}
	for symbol, why := range frugal {
		if linked[symbol] {
			t.Errorf("a test that calls Start, Spans and One links %s: %s. go test -c -ldflags=-dumpdep says what leads there", symbol, why)
		}
	}
}
