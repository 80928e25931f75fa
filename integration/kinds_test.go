package integration_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// kindRow is a fault that the first attempts meet, and what OTLP demands of a
// client that meets it, over gRPC and over HTTP/1.1.
type kindRow struct {
	fault      faults.Fault
	grpc, http demand
	times      int // how many attempts meet it; 0 for one
}

// kindRows is every kind of fault, and some of the forms that a kind has.
var kindRows = []kindRow{
	{fault: faults.Accept(), grpc: isTaken("C-12"), http: isTaken("C-12")},
	{fault: faults.Accept().After(2 * time.Second), grpc: isTaken("C-12"), http: isTaken("C-12")},
	{fault: faults.Accept().After(time.Minute), grpc: isOver("C-33"), http: isOver("C-33")},
	{fault: faults.Accept().ThenClose(), grpc: isTaken("C-12"), http: isTaken("C-12")},
	{fault: faults.Accept().Lost(), grpc: isTaken("C-12"), http: isTaken("C-12")}, // the client cannot know

	{fault: faults.Unavailable(), grpc: isResent("C-02"), http: isResent("C-06")},
	{fault: faults.Unavailable().BeforeReading(), grpc: isResent("C-02"), http: isResent("C-06")},
	{fault: faults.Unavailable().Stored(), grpc: isResent("C-02"), http: isResent("C-06")},
	{fault: faults.Throttle(2 * time.Second), grpc: isDelayed("C-04"), http: isDelayed("C-08")},
	{fault: faults.Throttle(2 * time.Second).AsDate(), grpc: isDelayed("C-04"), http: isDelayed("C-08")},
	{fault: faults.ResourceExhausted(2 * time.Second), grpc: isDelayed("C-03"), http: isDelayed("C-08")},
	{fault: faults.Throttle(2 * time.Second), times: 3, grpc: isDelayedMore("C-04"), http: isDelayed("C-08")},
	{fault: faults.Throttle(time.Minute), grpc: isOver("C-33"), http: isDelayed("C-08")},
	{fault: faults.Reject("bad"), grpc: isFinal("C-01"), http: isFinal("C-07")},
	{fault: faults.Code(codes.ResourceExhausted), grpc: isFinal("C-03"), http: isFinal("C-06")},
	{fault: faults.Code(codes.Internal), grpc: isFinal("C-01"), http: isFinal("C-06")},
	{fault: faults.Code(codes.Aborted), grpc: isResent("C-02"), http: isResent("C-06")},
	{fault: faults.HTTPStatus(502), grpc: isResent("C-02"), http: isResent("C-06")},
	{fault: faults.HTTPStatus(500), grpc: isFinal("C-01"), http: isFinal("C-06")},
	{fault: faults.HTTPStatus(408), grpc: isFinal("C-01"), http: isFinal("C-06")},
	{fault: faults.Redirect(307, ""), grpc: isFinal("C-01"), http: isFollowed("C-11")},
	{fault: faults.Redirect(308, ""), grpc: isFinal("C-01"), http: isFollowed("C-11")},
	{fault: faults.Redirect(302, ""), grpc: isFinal("C-01"), http: isFollowed("C-11")},
	{fault: faults.Redirect(303, ""), grpc: isFinal("C-01"), http: isFollowed("C-11")},

	{fault: faults.PartialSuccess(1, "too old"), grpc: isFinal("C-12"), http: isFinal("C-12")},
	{fault: faults.PartialSuccess(0, "too old"), grpc: isSentOnce("C-12"), http: isSentOnce("C-12")},
	{fault: faults.PartialSuccess(0, ""), grpc: isTaken("C-12"), http: isTaken("C-12")},
	{fault: faults.NewerAnswer(), grpc: isTaken("S-39"), http: isTaken("S-39")},
	{fault: faults.Garbage(), grpc: isSentOnce("C-01"), http: isSentOnce("C-06")},
	{fault: faults.Truncated(), grpc: isSentOnce("C-01"), http: isSentOnce("C-06")},
	{fault: faults.Oversized(5_000_000), grpc: isFinal("C-14"), http: isFinal("C-14")},
	{fault: faults.HugeTrailers(100_000), grpc: isSentOnce("C-12"), http: isSentOnce("C-12")},
	{fault: faults.Encoded("gzip"), grpc: isTaken("C-12"), http: isTaken("C-12")},
	{fault: faults.Encoded("br"), grpc: isSentOnce("C-01"), http: isSentOnce("C-06")},
	{fault: faults.Raw(503, "text/plain", "busy"), grpc: isResent("C-02"), http: isResent("C-06")},
	{fault: faults.Raw(200, "text/html", "<title>Sign in").Lost(), grpc: isFinal("C-13"), http: isFinal("C-13")},

	{fault: faults.Capacity(1, 0), grpc: isDelayed("C-04"), http: isDelayed("C-08")},
	{fault: faults.OldServer(), grpc: logsAreFinal("C-01"), http: logsAreFinal("C-06")},

	{fault: faults.Hang(), grpc: isOver("C-33"), http: isOver("C-33")},
	{fault: faults.Hang().Stored(), grpc: isOver("C-33"), http: isOver("C-33")},
	{fault: faults.HalfAnswer(), grpc: isSentOnce("C-01"), http: isResent("C-09")}, // gRPC makes INTERNAL of it
	{fault: faults.Reset(), grpc: isResent("C-02"), http: isResent("C-09")},
	{fault: faults.Reset().Stored(), grpc: isResent("C-02"), http: isResent("C-09")},
	{fault: faults.Close(), grpc: isResent("C-02"), http: isResent("C-09")},
	{fault: faults.Blackhole(), grpc: isOver("C-33"), http: isOver("C-33")},
	{fault: faults.ResetStream(faults.RefusedStream), grpc: isResent("C-02"), http: isResent("C-09")},
	{fault: faults.ResetStream(faults.Cancel), grpc: isResent("C-02"), http: isResent("C-09")},
	{fault: faults.ResetStream(faults.InternalError), grpc: isFinal("C-01"), http: isResent("C-09")}, // gRPC makes INTERNAL of it
	{fault: faults.GoAway(0, faults.NoError), grpc: isResent("C-02"), http: isResent("C-09")},
	{fault: faults.GoAway(1, faults.NoError), grpc: isTaken("C-12"), http: isResent("C-09")},
	{fault: faults.GoAway(1, faults.InternalError), grpc: isResent("C-02"), http: isResent("C-09")},
	{fault: faults.Outage(time.Second), grpc: isResent("C-02"), http: isResent("C-10")},
}

// What the official exporters do about every kind of fault is what the golden
// file says, and where that is not what OTLP demands, it says so. They have
// their own timeout of 10 seconds (C-33), and the shortest of backoffs.
func TestWhatTheExportersDoAboutEachKindOfFault(t *testing.T) {
	lines := [][]string{{"fault", "protocol", "signals", "attempts", "export", "stored", "time", "OTLP"}}
	for _, row := range kindRows {
		for _, protocol := range protocols {
			lines = append(lines, kindLines(t, row, protocol)...)
		}
	}
	wantGolden(t, "kinds", aligned(lines))
}

// Every kind that there is has a row.
func TestEveryKindOfFaultIsTried(t *testing.T) {
	for _, k := range faults.Kinds() {
		if !slices.ContainsFunc(kindRows, func(r kindRow) bool { return r.fault.Kind == k }) {
			t.Errorf("no row has a fault of kind %q", k)
		}
	}
}

// kindLines is one line for all signals where they agree, and otherwise one for
// those that do.
func kindLines(t *testing.T, row kindRow, protocol query.Protocol) (lines [][]string) {
	t.Helper()
	var done []string
	for _, signal := range []query.Signal{query.Traces, query.Metrics, query.Logs} {
		p := path{signal, protocol}
		var got []string
		synctest.Test(t, func(t *testing.T) { got = row.meet(t, p).cells(row, p) })
		same := func(line []string) bool { return slices.Equal(line[3:], got) }
		if i := slices.IndexFunc(lines, same); i >= 0 {
			lines[i][2] += ", " + string(signal)
		} else {
			lines = append(lines, append([]string{row.name(), strings.TrimSuffix(string(protocol), "/protobuf"), string(signal)}, got...))
		}
		done = append(done, string(signal))
	}
	if len(lines) == 1 && lines[0][2] == strings.Join(done, ", ") {
		lines[0][2] = "all"
	}
	return lines
}

// met is what became of an export that met a fault.
type met struct {
	fault    faults.Fault
	took     time.Duration
	err      error
	attempts []query.Export
	items    int // of the batch
	kept     int // of them, duplicates included
}

// acknowledged says whether the last attempt was.
func (m met) acknowledged() bool { return m.attempts[len(m.attempts)-1].Acknowledged() }

// meet exports once by a path, against a server that does the fault once.
func (row kindRow) meet(t *testing.T, p path) met {
	t.Helper()
	srv := startInMemory(t, otlptest.WithFaults(row.rule()))
	row.prepare(t, srv, p)
	kept, came := stored(srv, p.signal), srv.Exports().Len()
	start := time.Now()
	err := p.configured(t, srv, settings{retries: patient}).export(t.Context())
	m := met{fault: row.fault, took: time.Since(start), err: err}
	synctest.Wait() // until the server has noticed, too
	m.attempts, m.kept = srv.Exports().Slice()[came:], stored(srv, p.signal)-kept
	for _, e := range m.attempts {
		m.items = max(m.items, e.Items)
	}
	if c := srv.Report().ItemsOf(p.signal); c.Delivered+c.LegalDuplicates != kept+m.kept || c.IllegalDuplicates != 0 {
		t.Errorf("%s, %s: got %+v, want the %d items that are stored", row.fault, p, c, kept+m.kept)
	}
	return m
}

func (row kindRow) rule() faults.Rule {
	if row.fault.Kind == faults.KindCapacity {
		return faults.Always(row.fault)
	}
	return faults.Sequence(slices.Repeat([]faults.Fault{row.fault}, max(row.times, 1))...)
}

func (row kindRow) name() string {
	if row.times > 1 {
		return fmt.Sprintf("%s x%d", row.fault, row.times)
	}
	return row.fault.String()
}

// prepare takes up the capacity, where there is one, for a second more than may
// be waiting.
func (row kindRow) prepare(t *testing.T, srv *otlptest.Server, p path) {
	t.Helper()
	if row.fault.Kind == faults.KindCapacity {
		c := newClient(t, srv)
		for range 2 {
			c.mustSend(t, path{query.Traces, p.protocol}, spanNamed(t, "before"))
		}
	}
}

// cells is what is seen, in words, and what OTLP says of it.
func (m met) cells(row kindRow, p path) []string {
	want := row.http
	if p.grpc() {
		want = row.grpc
	}
	said := want.rule
	if why := want.unmet(m, p); why != "" {
		said = "departs from " + said + ": " + why
	}
	export := "ok"
	if m.err != nil {
		export = "error"
	}
	return []string{fmt.Sprint(len(m.attempts)), export, m.stored(), m.time(), said}
}

func (m met) stored() string {
	switch {
	case m.kept == 0:
		return "none"
	case m.kept == m.items:
		return "once"
	case m.kept == 2*m.items:
		return "twice"
	case m.kept < m.items:
		return fmt.Sprintf("all but %d", m.items-m.kept)
	}
	return fmt.Sprintf("%d of %d", m.kept, m.items)
}

// time leaves away what the backoff takes. How long it takes to connect again,
// once a server is up, is gRPC's secret.
func (m met) time() string {
	if down := m.fault.For; down > 0 && m.took > down {
		return "over " + down.String()
	}
	return m.took.Round(100 * time.Millisecond).String()
}

// aligned writes lines with columns.
func aligned(lines [][]string) string {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		var text strings.Builder
		for i, cell := range line {
			fmt.Fprintf(&text, "%-*s  ", widths[i], cell)
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
	return b.String()
}
