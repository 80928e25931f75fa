package port_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/otlptest/otlptest/internal/port"
)

func TestCloseGivesTheAddressUp(t *testing.T) {
	for _, down := range []bool{false, true} {
		l := listen(t, "tcp", "127.0.0.1:0")
		if down {
			do(t, l.Down)
		}
		do(t, l.Close)
		fixed, err := port.Listen("tcp", l.Addr().String()) // which is taken if another process was quicker
		if err != nil && !errors.Is(err, syscall.EADDRINUSE) {
			t.Fatal(err)
		} else if err == nil {
			reach(t, fixed)
			fixed.Close()
		}
	}
}

func TestUnixSocketLeavesNoFileWhileDown(t *testing.T) {
	for _, kind := range []string{"unix", "a user's unix"} {
		l := kinds[kind](t)
		do(t, l.Down)
		if _, err := os.Stat(l.Addr().String()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the file is still there: %v", kind, err)
		}
		do(t, l.Close)
	}
}

func TestTakenAddressFailsUpUntilItIsFree(t *testing.T) {
	l := kinds["unix"](t)
	do(t, l.Down)
	other := netListen(t, "unix", l.Addr().String())
	if err := l.Up(); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("got %v, want %v", err, syscall.EADDRINUSE)
	}
	do(t, other.Close, l.Up)
	reach(t, l)
	do(t, l.Close)
}

func TestListenRefusesWhatIsTakenOrNoAddress(t *testing.T) {
	l := listen(t, "tcp", "127.0.0.1:0")
	defer l.Close()
	if _, err := port.Listen("tcp", l.Addr().String()); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("got %v, want %v", err, syscall.EADDRINUSE)
	}
	for _, addr := range []string{"127.0.0.1", "127.0.0.1:70000", "127.0.0.1:0:0", "192.0.2.1:0"} {
		_, err := port.Listen("tcp", addr)
		if _, want := net.Listen("tcp", addr); err == nil || err.Error() != want.Error() {
			t.Errorf("listening on %s: got %v, want as from net.Listen %v", addr, err, want)
		}
	}
	if _, err := port.Listen("carrier pigeon", ""); err == nil {
		t.Error("listening on an unknown network did not fail")
	}
}

// odd is a listener of a type that nobody knows, and that is not comparable.
type odd struct {
	net.Listener
	_ []int
}

func TestUnknownTypeCannotGoDown(t *testing.T) {
	l := port.Keep(odd{Listener: netListen(t, "tcp", "127.0.0.1:0")})
	if err := l.Down(); err == nil || !strings.Contains(err.Error(), "port_test.odd") {
		t.Errorf("got %v, want an error that names the type", err)
	}
	reach(t, l)
	do(t, l.Up, l.Close)
	_, err := l.Accept()
	wantClosed(t, "Accept", err)
}

func TestKeepKeepsAListenerOfItsOwn(t *testing.T) {
	l := memory()
	if got := port.Keep(l); got != l {
		t.Errorf("got another listener than the one given, %v", got.Addr())
	}
	do(t, l.Close)
}
