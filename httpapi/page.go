package httpapi

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
)

// The page is plain modules: what is embedded is what the browser runs.
//
//go:embed page/*
var pageFiles embed.FS

// pagePolicy lets the page use what is served beside it, and nothing else: no
// script and no style that stands in the document, no other host.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// asset is a file of the page.
type asset struct {
	body        []byte
	contentType string
	tag         string // changes with the body
}

var assets = sync.OnceValue(func() map[string]asset {
	all := map[string]asset{}
	entries, err := pageFiles.ReadDir("page")
	if err != nil {
		panic(err) // they are in the binary
	}
	for _, e := range entries {
		body, err := fs.ReadFile(pageFiles, "page/"+e.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(body)
		all[e.Name()] = asset{body, typeOf(e.Name()), `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
	}
	return all
})

// typeOf does not ask the machine, which may call a module text/plain.
func typeOf(name string) string {
	switch name[strings.LastIndexByte(name, '.'):] {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "text/html; charset=utf-8"
}

// page is the handler for the document, and for what it loads.
func page(w http.ResponseWriter, r *http.Request) {
	name := chi.URLParam(r, "file")
	if name == "" {
		name = "index.html"
		if at, _, _ := strings.Cut(r.RequestURI, "?"); !strings.HasSuffix(at, "/") { // mounted: what it loads is below it
			w.Header().Set("Location", at[strings.LastIndexByte(at, '/')+1:]+"/")
			w.WriteHeader(http.StatusFound)
			return
		}
	}
	a, ok := assets()[name]
	if !ok {
		problemf(http.StatusNotFound, "got file %q, of which there is none in the page", name).write(w)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.contentType)
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache") // asks whether the tag is still right
	h.Set("ETag", a.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.body))
}
