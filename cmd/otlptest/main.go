// Command otlptest is a real OTLP backend for tests in any language.
//
//	otlptest demo         see what it does, in a few seconds
//	otlptest run          run a command against a backend, and judge what it sent
//	otlptest serve        receive telemetry, answer over HTTP what came, misbehave on demand
//	otlptest healthcheck  ask whether a backend answers
//
// It exits with status 0, with 1 when something failed, and with 2 when it was
// called wrongly. After run it is the command's status if that is not 0.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

type commands struct {
	Serve       serve            `cmd:"" help:"Run the backend until it is interrupted."`
	Run         runCommand       `cmd:"" help:"Run a command against a backend of its own, and judge what it sent."`
	Healthcheck healthcheck      `cmd:"" help:"Exit with status 0 if a backend answers, and with 1 otherwise."`
	Demo        demo             `cmd:"" help:"Send telemetry of a web shop to a backend that misbehaves, and judge what came of it."`
	Version     kong.VersionFlag `env:"-" help:"Print the version and exit."`
}

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// console is where commands print what nobody has asked for on stdout.
type console struct{ stdout, stderr io.Writer }

// run runs the program and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var cmds commands
	parser, err := kong.New(&cmds,
		kong.Name("otlptest"),
		kong.Description("A real OTLP backend for tests: it receives, answers questions, and misbehaves on demand."),
		kong.Vars{"version": version(), "checks": checkList()},
		kong.Writers(stdout, stderr),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(stdout, (*io.Writer)(nil)),
		kong.Bind(console{stdout, stderr}),
		kong.DefaultEnvars("OTLPTEST"),
		kong.ExplicitGroups(groups),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ValueFormatter(describe),
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
	err = command.Run()
	var status exitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	}
	return failed(stderr, err, 1)
}

// exitStatus is an error about which everything has been said.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

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
