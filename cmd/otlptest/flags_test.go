package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// flagOf is the flag of serve for each option of the library, empty where a
// program has no use for one.
var flagOf = map[string]string{
	"WithAuth":                "auth-bearer",
	"WithCertificate":         "certificate",
	"WithEncoding":            "", // it knows all of module encodings
	"WithFaults":              "faults",
	"WithHangLimit":           "hang-limit",
	"WithInMemory":            "", // nobody could reach it
	"WithListeners":           "grpc",
	"WithMaxRequestSize":      "max-request-size",
	"WithMemoryLimit":         "memory-limit",
	"WithMutualTLS":           "mutual-tls",
	"WithOnePort":             "one-port",
	"WithPathPrefix":          "path-prefix",
	"WithRoundTrip":           "", // it is of the network in memory
	"WithStrict":              "strict",
	"WithTLS":                 "tls",
	"WithUnusedFaultsAllowed": "", // serve judges nothing; run has it
	"WithWaitTimeout":         "wait-timeout",
}

func TestServeHasAFlagAndAVariableForEveryOption(t *testing.T) {
	usage, err := os.ReadFile("testdata/script/usage.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, help, _ := strings.Cut(string(usage), "-- serve.txt --\n") // which a script compares
	help, _, _ = strings.Cut(help, "\n-- ")
	files, err := filepath.Glob("../../otlptest/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files of the library, and error %v", len(files), err)
	}
	option := regexp.MustCompile(`(?m)^func (With\w+)\(.*\) Option \{`)
	seen := 0
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range option.FindAllStringSubmatch(string(content), -1) {
			seen++
			flag, known := flagOf[m[1]]
			variable := "$OTLPTEST_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
			if !known || flag != "" && (!strings.Contains(help, "--"+flag) || !strings.Contains(help, variable)) {
				t.Errorf("%s: got flag %q and variable %s, which are not in the help:\n%s", m[1], flag, variable, help)
			}
		}
	}
	if seen != len(flagOf) {
		t.Errorf("got %d options, want the %d that are known", seen, len(flagOf))
	}
}
