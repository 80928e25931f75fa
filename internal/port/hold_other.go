//go:build !linux

package port

import "net"

// A holder holds nothing on this system.
type holder struct{}

func listenAnywhere(_, _ string) (net.Listener, bool) { return nil, false }

func holdBeside(net.Listener) (holder, error) { return holder{}, nil }

func hold(_, address string) (holder, string, error) { return holder{}, address, nil }

func (holder) free() {}
