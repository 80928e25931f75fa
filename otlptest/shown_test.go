package otlptest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Each function and method that the package exports is used in an example.
func TestEverythingIsShownInAnExample(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	of := func(which func(file string) bool) (decls []*ast.FuncDecl) {
		for _, name := range files {
			if !which(name) {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok {
					decls = append(decls, f)
				}
			}
		}
		return decls
	}
	shown := map[string]bool{}
	for _, f := range of(func(name string) bool { return strings.HasSuffix(name, "example_test.go") }) {
		if !strings.HasPrefix(f.Name.Name, "Example") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				shown[s.Sel.Name] = true
			}
			return true
		})
	}
	for _, f := range of(func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
		if methodOfExported(f) && f.Name.IsExported() && !shown[f.Name.Name] {
			t.Errorf("%s is in no example", f.Name)
		}
	}
}

// methodOfExported says whether a declaration is a function, or a method of a
// type that others can name.
func methodOfExported(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	typ := f.Recv.List[0].Type
	if p, ok := typ.(*ast.StarExpr); ok {
		typ = p.X
	}
	name, ok := typ.(*ast.Ident)
	return ok && name.IsExported()
}
