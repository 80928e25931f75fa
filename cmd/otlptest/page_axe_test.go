package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe is the source of axe-core, which checks whether everybody can use a page.
func axe(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no npm here, which brings axe-core")
	}
	dir := t.TempDir() // so that no node_modules stay behind
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "axe"))); err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); unreachable.Match(out) {
		t.Skipf("npm reaches no registry:\n%s", out)
	} else if err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	source, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// unreachable is what npm says where there is no network.
var unreachable = regexp.MustCompile(`code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT)`)

// finding is what axe finds wrong.
type finding struct {
	ID, Impact, Help string
	Nodes            []struct {
		HTML           string
		FailureSummary string
	}
}

// accessible lets axe look at each view with data, at a dialog and at an empty
// view; in the dark only at contrast, which is what differs there.
func (p pageTest) accessible() {
	source := axe(p.t)
	tab := p.open(p.shop, "")
	for name, hash := range p.views() {
		tab.goTo(hash)
		p.settled(tab, hash)
		tab.check(name, source)
	}
	tab.click("button", "^Keys and grammar$")
	tab.find("dialog", ".")
	tab.check("help", source)
	tab.load(newSite(p.t), "")
	tab.find("tab", ".")
	tab.check("empty", source)
}

// check lets axe look at what the tab shows, in light and in dark.
func (tab *tab) check(name, source string) {
	tab.t.Helper()
	if !eval[bool](tab, "'axe' in window") {
		eval[chromedp.Void](tab, source)
	}
	for _, dark := range []bool{false, true} {
		rules := ""
		if dark {
			rules = `runOnly: ['color-contrast'], `
		}
		tab.look(1400, dark)
		for _, f := range eval[[]finding](tab, `axe.run(document, { `+rules+`resultTypes: ['violations'] }).then((r) => r.violations)`) {
			if f.Impact != "serious" && f.Impact != "critical" {
				continue
			}
			var at []string
			for _, n := range f.Nodes[:min(len(f.Nodes), 3)] {
				at = append(at, fmt.Sprintf("%.200s\n    %s", n.HTML, strings.ReplaceAll(n.FailureSummary, "\n", " ")))
			}
			tab.t.Errorf("%s, dark %v: %s (%s, %d times): %s\n  %s", name, dark, f.ID, f.Impact, len(f.Nodes), f.Help, strings.Join(at, "\n  "))
		}
	}
}
