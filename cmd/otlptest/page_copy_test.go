package main_test

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
)

// copied clicks a button of the details, and returns what is in the clipboard.
func (p pageTest) copied(tab *tab, button string) (text string) {
	p.t.Helper()
	eval[chromedp.Void](tab, "navigator.clipboard.writeText('nothing')")
	tab.click("button", "^"+button+"$")
	tab.until("something is copied", "navigator.clipboard.readText().then((t) => t !== 'nothing')")
	return eval[string](tab, "navigator.clipboard.readText()")
}

// assertions copies the lines for a span, a point and a log record, and runs
// them against a server that has received the same.
func (p pageTest) assertions() {
	allowClipboard(p.browser, p.t, p.shop)
	var lines []string
	for _, hash := range []string{
		address("spans", "q", `name="Charge" status=error kind=server`), address("spans", "q", `name="POST /checkout"`),
		address("logs", "q", "severity>=error"), address("metrics", "metric", "checkout.build.info"),
	} {
		tab := p.open(p.shop, hash)
		if strings.HasPrefix(hash, "#/metrics") {
			tab.find("listbox", "^Points")
			p.firstPoint(tab)
		} else {
			tab.click("option", ".")
		}
		tab.find("complementary", ".")
		line := p.copied(tab, "Copy as Go assertion")
		tab.close()
		if _, err := parser.ParseExpr(line); err != nil {
			p.t.Errorf("%s: got %s: %v", hash, line, err)
			continue
		}
		lines = append(lines, line)
	}
	p.pass(lines)
}

// firstPoint opens the newest of a metric's points.
func (p pageTest) firstPoint(tab *tab) {
	p.t.Helper()
	eval[chromedp.Void](tab, "document.querySelector('[role=listbox][aria-label^=Points]').focus()")
	tab.press("j\r")
}

const assertionTest = `package copied

import (
	"bytes"
	"net/http"
	"os"
	"testing"

IMPORTS)

func Test(t *testing.T) {
	srv := otlptest.Start(t)
	for _, signal := range []string{"traces", "metrics", "logs"} {
		body, err := os.ReadFile(signal + ".json")
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Post(srv.HTTPEndpoint()+"/v1/"+signal, "application/json", bytes.NewReader(body))
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(signal, resp, err)
		}
		resp.Body.Close()
	}
LINES}
`

// pass compiles lines into a test, in a module of its own, and runs it.
func (p pageTest) pass(lines []string) {
	p.t.Helper()
	dir := p.t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		p.t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		p.t.Fatal(err)
	}
	text, imports := strings.Join(lines, "\n\t"), ""
	for _, path := range []string{"otlptest", "query", "query/where"} {
		if strings.Contains(text, filepath.Base(path)+".") {
			imports += fmt.Sprintf("\t%q\n", "github.com/otlptest/otlptest/"+path)
		}
	}
	files := map[string]string{
		"go.mod":         fmt.Sprintf("module copied\n\ngo 1.25.0\n\nrequire github.com/otlptest/otlptest v0.0.0\n\nreplace github.com/otlptest/otlptest => %s\n", root),
		"go.sum":         string(sums),
		"copied_test.go": strings.NewReplacer("LINES", "\t"+text+"\n", "IMPORTS", imports).Replace(assertionTest),
	}
	for signal, of := range map[string]string{"traces": "spans", "metrics": "points", "logs": "logs"} {
		var body json.RawMessage
		p.get(p.shop, of+"?format=otlp", &body)
		files[signal+".json"] = string(body)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
	run := exec.CommandContext(p.t.Context(), "go", "test", "-mod=mod", ".")
	run.Dir = dir
	run.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := run.CombinedOutput(); err != nil {
		p.t.Errorf("%s\ngot %v\n%s", strings.Join(lines, "\n"), err, out)
	}
}

// curls runs the command that was copied, which finds the item.
func (p pageTest) curls() {
	if _, err := exec.LookPath("curl"); err != nil {
		p.t.Skip("there is no curl here")
	}
	allowClipboard(p.browser, p.t, p.shop)
	tab := p.open(p.shop, address("spans", "q", `name="Charge" status=error kind=server`))
	tab.click("option", ".")
	command := p.copied(tab, "Copy as curl")
	out, err := exec.CommandContext(p.t.Context(), "sh", "-c", command).Output()
	var said struct {
		Count int
		Items []struct{ Name string }
	}
	if err == nil {
		err = json.Unmarshal(out, &said)
	}
	if err != nil || said.Count != 1 || said.Items[0].Name != "Charge" {
		p.t.Errorf("%s: got %.300s: %v", command, out, err)
	}
}
