package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

// child is a command that has ended.
type child struct {
	command []string
	status  int           // as a shell has it
	took    time.Duration // from its start to its end
	cpu     time.Duration // of it and of the processes that it waited for
	peak    size          // what its memory did not exceed; 0 where that is not known
}

// How a shell says that there is no such command, or that it is no program.
const (
	statusNotFound      = 127
	statusNotExecutable = 126
	statusSignal        = 128 // and the signal's number
)

// runChild runs a command with the console, in this environment and some more,
// and hands on signals. An error says why it could not be run.
func runChild(ctx context.Context, command, env []string, con console) (child, error) {
	c := child{command: command}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, con.stdout, con.stderr
	cmd.Env = append(os.Environ(), env...)
	begun := time.Now()
	handing := make(chan os.Signal, 16)
	signal.Notify(handing, handedOn()...)
	if err := cmd.Start(); err != nil {
		signal.Stop(handing)
		return c, cannotRun(command[0], err, con)
	}
	ended := make(chan struct{})
	go handOn(handing, cmd.Process, ended)
	err := cmd.Wait()
	close(ended)
	signal.Stop(handing)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return c, fmt.Errorf("%s: %w", command[0], err)
	}
	c.took, c.cpu = time.Since(begun), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	c.status, c.peak = statusOf(cmd.ProcessState), peakMemory(cmd.ProcessState)
	return c, nil
}

// cannotRun says why a command does not run, with the status of a shell.
func cannotRun(name string, err error, con console) error {
	status := statusNotExecutable
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		status = statusNotFound
	}
	failed(con.stderr, fmt.Errorf("run %s: %w", name, err), 0)
	return exitStatus(status)
}

// handedOn is the signals that the command gets, too. Those that a terminal
// sends reach it in any case.
func handedOn() []os.Signal {
	signals := []os.Signal{syscall.SIGTERM, syscall.SIGHUP}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		signals = append(signals, os.Interrupt, syscall.SIGQUIT)
	}
	return signals
}

func handOn(signals <-chan os.Signal, to *os.Process, ended <-chan struct{}) {
	for {
		select {
		case s := <-signals:
			to.Signal(s) //nolint:errcheck // it has ended then
		case <-ended:
			return
		}
	}
}

// statusOf is a process's exit status, or what a shell makes of the signal that
// ended it.
func statusOf(p *os.ProcessState) int {
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return statusSignal + int(w.Signal())
	}
	return p.ExitCode()
}
