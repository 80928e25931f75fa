//go:build !unix

package main

import "os"

// peakMemory is not known.
func peakMemory(*os.ProcessState) size { return 0 }
