// Package examples runs the examples that are in other languages than Go.
package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestShell(t *testing.T) {
	want(t, "bash", "curl", "jq")
	run(t, otlptest(t), "shell", "bash", "checkout.sh")
}

func TestNode(t *testing.T) {
	want(t, "node", "npm")
	dir := t.TempDir() // so that no node_modules stay behind
	if err := os.CopyFS(dir, os.DirFS("node")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); unreachable.Match(out) {
		t.Skipf("npm reaches no registry:\n%s", out)
	} else if err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	run(t, otlptest(t), dir, "npm", "test")
}

// unreachable is what npm says where there is no network.
var unreachable = regexp.MustCompile(`code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT)`)

// want skips a test for which something is missing here.
func want(t *testing.T, programs ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program and starts others: not with -short")
	}
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s here", name)
		}
	}
}

// otlptest is the path of the program: that of OTLPTEST_BIN, or of one built
// from this tree.
func otlptest(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("OTLPTEST_BIN"); path != "" {
		return path
	}
	path := filepath.Join(t.TempDir(), "otlptest.exe") // which every system runs
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, "./cmd/otlptest")
	build.Dir = ".."
	build.Env = withoutWorkspace(os.Environ()) // go.work makes the modules find each other
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

func withoutWorkspace(env []string) (kept []string) {
	for _, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); name != "GOWORK" {
			kept = append(kept, kv)
		}
	}
	return kept
}

// run runs a command that has to succeed. Only the example says where it
// exports to.
func run(t *testing.T, otlptest, dir string, command ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = dir
	cmd.WaitDelay = 10 * time.Second // where it leaves a backend behind
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "OTEL_") && !strings.HasPrefix(kv, "OTLPTEST_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "OTLPTEST_BIN="+otlptest)
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Errorf("%s: %v", strings.Join(command, " "), err)
	}
}
