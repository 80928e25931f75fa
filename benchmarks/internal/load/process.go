// Package load starts servers in processes of their own, sends them encoded
// requests, and tells what that cost them.
package load

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/otlptest/otlptest/benchmarks/internal/server"
)

// Process is a server in a process of its own.
type Process struct {
	server.Addresses
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *json.Decoder
}

// Start runs this program again, as "serve" and the arguments, until Stop.
func Start(args ...string) (*Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: exec.Command(self, append([]string{"serve"}, args...)...)}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.answers = json.NewDecoder(bufio.NewReader(out))
	if err := p.answers.Decode(&p.Addresses); err != nil {
		return nil, errors.Join(fmt.Errorf("%v does not start: %w", args, err), p.Stop())
	}
	return p, nil
}

// Ask sends a command and waits for the answer.
func (p *Process) Ask(command string) (st server.Stats, err error) {
	if _, err = fmt.Fprintln(p.in, command); err == nil {
		err = p.answers.Decode(&st)
	}
	if err == nil && st.Failure != "" {
		err = errors.New(st.Failure)
	}
	if err != nil {
		err = fmt.Errorf("%v: %s: %w", p.cmd.Args[1:], command, err)
	}
	return st, err
}

// Stop ends the process, if need be by force.
func (p *Process) Stop() error {
	_ = p.in.Close() // on which it ends
	kill := time.AfterFunc(5*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	return p.cmd.Wait()
}
