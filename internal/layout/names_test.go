package layout

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every exported name of a package that others can import has a comment of its
// own, or is in a group that has one.
func TestExportedNamesAreDocumented(t *testing.T) {
	for _, p := range list(t, "./...") {
		path := inModule(p.ImportPath)
		if path == "" || strings.Contains("/"+path+"/", "/internal/") {
			continue
		}
		for _, name := range undocumented(t, filepath.Join("..", "..", path)) {
			t.Errorf("%s.%s has no comment", path, name)
		}
	}
}

func undocumented(t *testing.T, dir string) (names []string) {
	t.Helper()
	d := documentation(t, dir)
	values := func(list []*doc.Value) {
		for _, v := range list {
			if v.Doc == "" {
				names = append(names, bare(v)...)
			}
		}
	}
	functions := func(of string, list []*doc.Func) {
		for _, f := range list {
			if f.Doc == "" {
				names = append(names, of+f.Name)
			}
		}
	}
	values(d.Consts)
	values(d.Vars)
	functions("", d.Funcs)
	for _, typ := range d.Types {
		if typ.Doc == "" {
			names = append(names, typ.Name)
		}
		values(typ.Consts)
		values(typ.Vars)
		functions("", typ.Funcs)
		functions(typ.Name+".", typ.Methods)
	}
	return names
}

// documentation is that of the package in a directory.
func documentation(t *testing.T, dir string) *doc.Package {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(dir, e.Name()), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(fset, files, dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// bare is the exported names of a group without a comment that have none of
// their own, neither above nor behind.
func bare(v *doc.Value) (names []string) {
	for _, spec := range v.Decl.Specs {
		s, ok := spec.(*ast.ValueSpec)
		if !ok || s.Doc != nil || s.Comment != nil {
			continue
		}
		for _, n := range s.Names {
			if n.IsExported() {
				names = append(names, n.Name)
			}
		}
	}
	return names
}
