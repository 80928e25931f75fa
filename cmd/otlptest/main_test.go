package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	testscript.Main(leakless{m}, map[string]func(){"otlptest": main, "exporter": exporterMain, "get": getMain, "waiter": waiterMain, "sender": senderMain})
}

// leakless fails when goroutines are left after the tests.
type leakless struct{ m *testing.M }

func (l leakless) Run() int {
	status := l.m.Run()
	if err := goleak.Find(); err != nil && status == 0 {
		fmt.Println(err)
		return 1
	}
	return status
}

// Scripts run the program as its users do. $API and $OTLP are free addresses,
// $BUSY is one that is taken. "healthy URL" waits until an API answers, and
// "refused ADDRESS" until nobody listens there. "term" sends a SIGTERM. The programs exporter, get,
// sender and waiter are below.
func TestScripts(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { busy.Close() })
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("BUSY", busy.Addr().String())
			for _, name := range []string{"API", "OTLP"} {
				free, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					return err
				}
				defer free.Close() // once both are known, so that they differ
				env.Setenv(name, free.Addr().String())
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"term":    terminate,
			"healthy": eventually("healthy URL", func(url string) bool { return isHealthy(url + "/healthz") }),
			"refused": eventually("refused ADDRESS", func(addr string) bool {
				c, err := net.Dial("tcp", addr)
				if err == nil {
					c.Close()
				}
				return err != nil
			}),
		},
	})
}

// terminate sends a SIGTERM to the commands in the background.
func terminate(ts *testscript.TestScript, _ bool, _ []string) {
	for _, cmd := range ts.BackgroundCmds() {
		ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	}
}

// eventually makes a command that waits until something holds of its argument.
func eventually(usage string, holds func(string) bool) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 1 {
			ts.Fatalf("usage: %s", usage)
		}
		for start := time.Now(); time.Since(start) < 10*time.Second; time.Sleep(20 * time.Millisecond) {
			if holds(args[0]) {
				return
			}
		}
		ts.Fatalf("%s: not after 10s", usage)
	}
}

func isHealthy(url string) bool {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(url)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

func TestStatusTellsWrongCallsFromFailures(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
	}{
		{"serve --grcp 127.0.0.1:0", 2},
		{"serve --faults nonsense", 2},
		{"serve --faults @nofile", 2},
		{"serve --api 0.0.0.0:0", 2},
		{"serve --tls-dir x", 2},
		{"serve --tls-host backend", 2},
		{"serve --tls --tls-host backend:4317", 2},
		{"serve --memory-policy drop", 2},
		{"serve --memory-limit much", 2},
		{"serve --auth-basic alice", 2},
		{"serve --hang-limit 0s", 2},
		{"run --expect spans true", 2},
		{"run --produced spans=1 true", 2},
		{"run --expect-file nofile true", 2},
		{"run --", 2},
		{"healthcheck --api http://127.0.0.1:1", 1},
		{"nonsense", 2},
		{"serve --grpc nowhere", 1},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), strings.Fields(test.args), &stdout, &stderr); status != test.status {
			t.Errorf("otlptest %s: got status %d, want %d", test.args, status, test.status)
		}
		if !strings.HasPrefix(stderr.String(), "otlptest: ") || stdout.Len() > 0 {
			t.Errorf("otlptest %s: got %q and on stdout %q", test.args, stderr.String(), stdout.String())
		}
	}
}
