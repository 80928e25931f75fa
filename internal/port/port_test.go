package port_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/port"
)

func TestDialsAreRefusedWhileDown(t *testing.T) {
	eachKind(t, func(t *testing.T, l *port.Listener) {
		addr := l.Addr().String()
		for range 3 {
			reach(t, l)
			do(t, l.Down, l.Down)
			_, err := dial(l)
			wantRefused(t, l, err)
			do(t, l.Up, l.Up)
			if got := l.Addr().String(); got != addr {
				t.Errorf("the address is %s, want %s as before", got, addr)
			}
		}
		reach(t, l)
	})
}

// wantRefused checks what a dial says when nobody listens. That of a socket whose
// file is gone says that.
func wantRefused(t *testing.T, l net.Listener, err error) {
	t.Helper()
	noFile := l.Addr().Network() == "unix" && errors.Is(err, fs.ErrNotExist)
	if !noFile && !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial: got %v, want %v", err, syscall.ECONNREFUSED)
	}
}

func TestAcceptedConnectionsStay(t *testing.T) {
	eachKind(t, func(t *testing.T, l *port.Listener) {
		client, server := reach(t, l)
		do(t, l.Down)
		client.Write([]byte("down"))
		if _, err := io.ReadFull(server, make([]byte, 4)); err != nil {
			t.Errorf("while down: %v", err)
		}
		do(t, l.Up, l.Close)
		server.Write([]byte("closed"))
		if _, err := io.ReadFull(client, make([]byte, 6)); err != nil {
			t.Errorf("after Close: %v", err)
		}
	})
}

func TestUnacceptedConnectionsAreReset(t *testing.T) {
	eachKind(t, func(t *testing.T, l *port.Listener) {
		client, err := dial(l)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		do(t, l.Down)
		_, err = client.Read(make([]byte, 1))
		if err == nil || l.Addr().Network() == "tcp" && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("got %v, want a reset", err)
		}
	})
}

// The server here is one loop of Accept, as those of net/http and grpc are.
func TestServerDoesNotNotice(t *testing.T) {
	eachKind(t, func(t *testing.T, l *port.Listener) {
		served := make(chan error, 1)
		go func() { served <- echo(l) }()
		for range 20 {
			client, err := dial(l)
			if err != nil {
				t.Fatal(err)
			}
			client.Write([]byte("x"))
			if _, err := client.Read(make([]byte, 1)); err != nil {
				t.Errorf("echo: %v", err)
			}
			client.Close()
			do(t, l.Down, l.Up)
		}
		do(t, l.Down, l.Close)
		wantClosed(t, "serving", <-served)
	})
}

// echo serves connections one at a time until Accept fails.
func echo(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		io.Copy(c, c)
		c.Close()
	}
}

func TestAcceptWaitsInABubble(t *testing.T) {
	for _, end := range []string{"Up", "Close"} {
		t.Run(end, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := memory()
				accepted := make(chan error, 1)
				go func() { _, err := l.Accept(); accepted <- err }()
				synctest.Wait()
				do(t, l.Down)
				begin := time.Now()
				time.Sleep(time.Hour) // only if Accept is durably blocked
				if end == "Close" {
					do(t, l.Close)
					wantClosed(t, "Accept", <-accepted)
					return
				}
				do(t, l.Up)
				client, err := dial(l)
				if err != nil {
					t.Fatal(err)
				}
				client.Close()
				if err := <-accepted; err != nil || time.Since(begin) != time.Hour {
					t.Errorf("accepted after %v, %v", time.Since(begin), err)
				}
				do(t, l.Close)
			})
		})
	}
}

func TestClosedListenerFails(t *testing.T) {
	eachKind(t, func(t *testing.T, l *port.Listener) {
		do(t, l.Close)
		_, err := l.Accept()
		wantClosed(t, "Accept", err)
		wantClosed(t, "Close", l.Close())
		wantClosed(t, "Down", l.Down())
		wantClosed(t, "Up", l.Up())
		_, err = dial(l)
		wantRefused(t, l, err)
	})
}

func TestUpChecksTheAddress(t *testing.T) {
	l := port.New(memory(), func() (net.Listener, error) { return memory(), nil })
	do(t, l.Down)
	if err := l.Up(); err == nil || !strings.Contains(err.Error(), "got a listener at") {
		t.Errorf("got %v, want an error about the address", err)
	}
	do(t, l.Close)
}

func TestErrorsOfTheListenerAreThoseOfAccept(t *testing.T) {
	inner := netListen(t, "tcp", "127.0.0.1:0")
	l := port.Keep(inner)
	inner.Close()
	_, err := l.Accept()
	wantClosed(t, "Accept", err)
	l.Close()
}

func TestConcurrentMethods(t *testing.T) {
	eachKind(t, func(t *testing.T, l *port.Listener) {
		var serving, calls sync.WaitGroup
		for range 2 {
			serving.Go(func() { wantClosed(t, "serving", echo(l)) })
		}
		for range 4 {
			for _, call := range []func() error{l.Down, l.Up, func() error { _ = fmt.Sprint(l.Addr()); return nil }} {
				calls.Go(func() {
					for range 50 {
						if err := call(); err != nil {
							t.Error(err)
						}
					}
				})
			}
			calls.Go(func() {
				if c, err := dial(l); err == nil {
					c.Close()
				}
			})
		}
		calls.Wait()
		do(t, l.Close)
		serving.Wait()
	})
}
