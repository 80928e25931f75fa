package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// runCommand is the command that runs another one against a backend.
type runCommand struct {
	Protocol query.Protocol `placeholder:"PROTOCOL" enum:"grpc,http/protobuf,http/json" default:"http/protobuf" group:"listen" help:"How the command exports: grpc, http/protobuf or http/json."`
	backendFlags
	UnusedFaults bool          `name:"allow-unused-faults" group:"behave" help:"Do not fail for scripted faults that no export met."`
	Drain        time.Duration `placeholder:"DURATION" default:"10s" group:"limit" help:"How long requests that are open may take to end, once the command has ended."`

	Expect     []string `sep:"none" placeholder:"EXPECTATION" env:"-" group:"expect" help:"What has to hold once the command has ended. May be repeated."`
	ExpectFile []string `sep:"none" placeholder:"FILE" group:"expect" help:"A file of expectations, one a line; lines that begin with # do not count. May be repeated."`
	Produced   produced `placeholder:"SIGNAL=N,..." group:"expect" help:"How many items the command makes, as in traces=100,metrics=7,logs=5: only then is it known what was lost before it reached the backend."`

	Report     string `placeholder:"FORMAT" enum:"text,json,junit,none" default:"text" group:"report" help:"text, json, junit or none."`
	ReportFile string `placeholder:"FILE" group:"report" help:"Where the report goes; to standard error without it."`

	Command []string `arg:"" passthrough:"" help:"The command and its arguments. It finds the backend through OTEL_EXPORTER_OTLP_ENDPOINT and its like, and the API through OTLPTEST_API_URL."`

	expectations []expectation
}

// Help is what is said beside the flags.
func (*runCommand) Help() string {
	return `otlptest run [flags] -- COMMAND ARGUMENTS... The backend listens on free ports. Once the command has ended, requests that are open have ended too, and its ` +
		`connections are closed, all that it sent has come or never will: then the expectations are judged.

An expectation is

	VIEW FILTERS | [MEASURE] OPERATOR NUMBER
	spans name="checkout" attr.http.route="/pay" | >= 1
	points name="jobs" | total == 8
	exports outcome=refused | == 0

VIEW is one of ` + strings.Join(viewNames, ", ") + `. FILTERS are terms such as name="x" service~"^a" duration>=1s, ` +
		`as in ?q= of the API. MEASURE is the count of the items where it is left away; of points it may be total (of a sum, over ` +
		`all series of one metric), latest (of one series), observations or sum (of a histogram). OPERATOR is one of == != >= > <= <. ` +
		`Or it is a check: ` + checkList() + `.

The exit status is that of the command if it is not 0 (128 and the signal's number if one ended it, 127 if there is no ` +
		`such command), 1 if an expectation does not hold, and 2 for a wrong call.`
}

// Validate reads the expectations.
func (c *runCommand) Validate() error {
	if c.Command[0] == "--" {
		c.Command = c.Command[1:]
	}
	if len(c.Command) == 0 {
		return errors.New("got no command after --, want one")
	}
	for _, text := range c.Expect {
		e, err := parseExpectation(text)
		if err != nil {
			return fmt.Errorf("--expect: %w", err)
		}
		c.expectations = append(c.expectations, e)
	}
	for _, file := range c.ExpectFile {
		list, err := readExpectations(file)
		if err != nil {
			return fmt.Errorf("--expect-file: %w", err)
		}
		c.expectations = append(c.expectations, list...)
	}
	if len(c.Faults.rules) > 0 && !c.UnusedFaults {
		c.expectations = append(c.expectations, expectation{"all faults met", faultsMet})
	}
	return c.backendFlags.Validate()
}

// Run runs the command, judges, and reports.
func (c *runCommand) Run(ctx context.Context, con console) error {
	out, err := c.reportTo(con.stderr)
	if err != nil {
		return err
	}
	defer out.Close()
	b, err := c.start()
	if err != nil {
		return err
	}
	t := &trial{srv: b.srv, expectations: c.expectations}
	err = c.try(ctx, t, b, con)
	if err == nil {
		err = t.report(c.Report, out)
	}
	if err = errors.Join(err, b.close()); err != nil {
		return err
	}
	if status := t.status(); status != 0 {
		return exitStatus(status)
	}
	return nil
}

// try runs the command, and judges what came of it.
func (c *runCommand) try(ctx context.Context, t *trial, b *backend, con console) (err error) {
	env := append(b.srv.Env(c.Protocol), "OTLPTEST_API_URL="+b.addresses().API)
	t.child, err = runChild(ctx, c.Command, env, con)
	if err != nil {
		return err
	}
	t.open = settled(b.srv, c.Drain)
	if err := t.askForLoss(ctx, b, c.Produced); err != nil {
		return err
	}
	t.judge()
	if c.Report != "text" || c.ReportFile != "" {
		t.complain(con.stderr)
	}
	return nil
}

// start runs the backend on free ports.
func (c *runCommand) start() (*backend, error) {
	const free = "127.0.0.1:0"
	ls, err := listen(address{"--protocol", free}, address{"--protocol", free}, address{"the API", free})
	if err != nil {
		return nil, err
	}
	return start(ls, c.options(), func(*otlptest.Server) error { return nil })
}

// reportTo opens what the report goes to.
func (c *runCommand) reportTo(stderr io.Writer) (io.WriteCloser, error) {
	if c.ReportFile == "" {
		return keptOpen{stderr}, nil
	}
	f, err := os.Create(c.ReportFile)
	if err != nil {
		return nil, fmt.Errorf("--report-file: %w", err)
	}
	return f, nil
}

// keptOpen is a writer that somebody else closes.
type keptOpen struct{ io.Writer }

// Close implements io.Closer.
func (keptOpen) Close() error { return nil }

// signals is what counts are of.
var signals = []query.Signal{query.Traces, query.Metrics, query.Logs}

// produced is how many items were made, where that is known.
type produced map[query.Signal]int64

// UnmarshalText reads such as traces=100,logs=5.
func (p *produced) UnmarshalText(text []byte) error {
	*p = produced{}
	for part := range strings.SplitSeq(string(text), ",") {
		name, number, _ := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.ParseInt(number, 10, 64)
		sig := query.Signal(name)
		if err != nil || n < 0 || sig != query.Traces && sig != query.Metrics && sig != query.Logs {
			return fmt.Errorf("got %q, want traces=N, metrics=N or logs=N", part)
		}
		(*p)[sig] += n
	}
	return nil
}
