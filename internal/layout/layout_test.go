package layout

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

// row is what one package may import besides the standard library.
type row struct {
	own   []string // packages of this module, by their path in it
	third []string // other modules' packages, by prefix of their path
	std   []string // of the packages in restricted, those allowed
}

// Packages of other modules.
const (
	otlp     = "go.opentelemetry.io/proto/otlp/"
	protobuf = "google.golang.org/protobuf/"
	grpc     = "google.golang.org/grpc"
	codes    = "google.golang.org/grpc/codes"
	rpc      = "google.golang.org/genproto/googleapis/rpc/"
	http2    = "golang.org/x/net/http2"
	chi      = "github.com/go-chi/chi/v5"
)

// restricted is the standard library's doors to the world outside and to the
// test: only the packages whose row says so may import them.
var restricted = []string{"flag", "net", "net/http", "os", "os/exec", "syscall", "testing"}

// table says which package may import which, tests excluded.
var table = map[string]row{
	"":                {}, // tests of the public API
	"internal/layout": {},

	"internal/expr": {},
	"query":         {own: []string{"internal/expr"}, third: []string{otlp, protobuf}}, // protobuf for Proto
	"query/where":   {own: []string{"query", "internal/expr"}},

	// A rule's check asks its filters' trees what they can apply to.
	"faults": {own: []string{"query", "query/where", "internal/expr"}, third: []string{codes, protobuf}},

	"internal/wire":     {own: []string{"query", "internal/expr"}, third: []string{otlp, protobuf}},
	"internal/otlpjson": {own: []string{"query", "internal/expr", "internal/wire"}, third: []string{otlp, protobuf}},
	"internal/store": {
		own:   []string{"query", "internal/expr", "internal/wire", "internal/otlpjson", "internal/violations"},
		third: []string{protobuf},
	},
	"internal/violations": {
		own:   []string{"query", "internal/otlpjson", "internal/wire"},
		third: []string{protobuf},
	},
	"internal/script": {own: []string{"query", "query/where", "faults"}},
	"internal/memnet": {std: []string{"net", "os", "syscall"}},
	"internal/certs":  {std: []string{"net"}},
	"internal/port":   {std: []string{"net", "os", "syscall"}},
	"internal/h2shim": {std: []string{"net"}, third: []string{http2}},

	"internal/receiver": {
		own:   []string{"query", "query/where", "faults", "internal/wire", "internal/otlpjson", "internal/store", "internal/violations", "internal/script", "internal/h2shim"},
		third: []string{grpc, otlp, protobuf, rpc, http2}, // otlp to describe the services; http2 for one port: grpc links it anyway
		std:   []string{"net", "net/http"},
	},
	"otlptest": {
		own: []string{
			"query", "query/where", "faults", "internal/expr", "internal/wire", "internal/otlpjson", "internal/store",
			"internal/violations", "internal/script", "internal/memnet", "internal/port", "internal/certs", "internal/receiver",
		},
		third: []string{grpc, protobuf},
		std:   []string{"flag", "net", "net/http", "os", "testing"},
	},
	"conformance": {
		own: []string{"otlptest", "query", "query/where", "faults"},
		std: []string{"net", "net/http", "testing"},
	},
	// Protobuf to send what was received again, as OTLP JSON.
	"httpapi": {
		own:   []string{"otlptest", "query", "query/where", "faults", "internal/otlpjson"},
		third: []string{chi, otlp, protobuf},
		std:   []string{"net", "net/http"},
	},
	// The client reads items as the store does, so that nothing of them is lost.
	"httpapi/client": {
		own: []string{"query", "internal/expr", "internal/wire"},
		std: []string{"net/http"},
	},
}

func TestImportsFollowTheTable(t *testing.T) {
	for _, p := range list(t, "./...") {
		path := inModule(p.ImportPath)
		r, ok := table[path]
		if !ok {
			t.Errorf("package %s is not in the table: add it with what it may import", cmp.Or(path, "at the root"))
			continue
		}
		for _, imp := range p.Imports {
			if !r.allows(imp) {
				t.Errorf("package %s imports %s, which the table does not allow", path, imp)
			}
		}
	}
}

// allows says whether a package with this row may import another.
func (r row) allows(imp string) bool {
	switch first, _, _ := strings.Cut(imp, "/"); {
	case imp == module || strings.HasPrefix(imp, module+"/"):
		return slices.Contains(r.own, inModule(imp))
	case strings.Contains(first, "."):
		return slices.ContainsFunc(r.third, func(prefix string) bool { return within(imp, prefix) })
	}
	return !slices.Contains(restricted, imp) || slices.Contains(r.std, imp)
}

// within says whether a package is the one at prefix or below it.
func within(path, prefix string) bool {
	prefix = strings.TrimSuffix(prefix, "/")
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

// inModule is a package's path within this module, empty for the root.
func inModule(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
}

// linked is the modules that a user's test links with otlptest. Everything
// else is kept out: chi, the SDK, grpc-gateway, compression, command lines.
var linked = []string{
	module,
	"go.opentelemetry.io/proto/otlp",
	"google.golang.org/protobuf",
	"google.golang.org/grpc",
	"google.golang.org/genproto/googleapis/rpc",
	"golang.org/x/net",
	"golang.org/x/sys", // this one and the next by way of grpc
	"golang.org/x/text",
}

// unlinked is packages of these modules that are kept out all the same.
var unlinked = map[string]string{
	otlp + "collector":      "it links grpc-gateway; TracesData and its like are the same on the wire",
	grpc + "/encoding/gzip": "it registers a compressor for the whole process, the exporter under test included",
}

func TestUsersLinkOnlyWhatServingNeeds(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range list(t, "-deps", "./otlptest") {
		if p.Standard || p.Module == nil {
			continue
		}
		seen[p.Module.Path] = true
		if !slices.Contains(linked, p.Module.Path) {
			t.Errorf("otlptest links %s of module %s", p.ImportPath, p.Module.Path)
		}
		for prefix, why := range unlinked {
			if within(p.ImportPath, prefix) {
				t.Errorf("otlptest links %s: %s", p.ImportPath, why)
			}
		}
	}
	for _, m := range linked {
		if !seen[m] {
			t.Errorf("otlptest no longer links module %s: drop it from the list", m)
		}
	}
}
