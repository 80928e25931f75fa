package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	testscript.Main(leakless{m}, map[string]func(){"otlptest": main})
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

// Scripts run the program as its users do. $API is a free address, $BUSY one
// that is taken. "healthy URL" waits until an API answers.
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
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			env.Setenv("API", free.Addr().String())
			env.Setenv("BUSY", busy.Addr().String())
			return free.Close()
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"healthy": healthy},
	})
}

func healthy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: healthy URL")
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for start := time.Now(); time.Since(start) < 10*time.Second; time.Sleep(20 * time.Millisecond) {
		answer, err := client.Get(args[0] + "/healthz")
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return
		}
	}
	ts.Fatalf("%s/healthz does not answer", args[0])
}

func TestStatusTellsWrongCallsFromFailures(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
	}{
		{"serve --grcp 127.0.0.1:0", 2},
		{"serve --faults nonsense", 2},
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
