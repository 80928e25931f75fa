// Command otlptest is a real OTLP backend for tests in any language.
//
//	otlptest demo     see what it does, in a few seconds
//	otlptest serve    receive telemetry, answer over HTTP what came, misbehave on demand
//
// It exits with status 0, with 1 when something failed, and with 2 when it was
// called wrongly.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

type commands struct {
	Serve   serve            `cmd:"" help:"Run the backend until it is interrupted."`
	Demo    demo             `cmd:"" help:"Send telemetry of a web shop to a backend that misbehaves, and judge what came of it."`
	Version kong.VersionFlag `help:"Print the version and exit."`
}

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// run runs the program and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var cmds commands
	parser, err := kong.New(&cmds,
		kong.Name("otlptest"),
		kong.Description("A real OTLP backend for tests: it receives, answers questions, and misbehaves on demand."),
		kong.Vars{"version": version()},
		kong.Writers(stdout, stderr),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(stdout, (*io.Writer)(nil)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		return failed(stderr, err, 1)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if err != nil {
		return failed(stderr, err, 2)
	}
	if err := command.Run(); err != nil {
		return failed(stderr, err, 1)
	}
	return 0
}

func failed(stderr io.Writer, err error, status int) int {
	fmt.Fprintf(stderr, "otlptest: %v\n", err)
	return status
}

// version is that of the module, as go install stamped it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "otlptest (unknown version)"
	}
	return "otlptest " + info.Main.Version
}
