//go:build !linux

package port

// A holder holds nothing on this system.
type holder struct{}

func hold(_, address string) (holder, string, error) { return holder{}, address, nil }

func (holder) free() {}
