//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is a bound on the memory that a process had, resident. Linux
// counts what its parent had when it was started, too, so that it is not below
// that.
func peakMemory(p *os.ProcessState) size {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return size(usage.Maxrss) // in bytes; elsewhere in KiB
	}
	return size(usage.Maxrss) << 10
}
