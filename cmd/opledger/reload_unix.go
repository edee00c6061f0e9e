//go:build !windows

package main

import (
	"os"
	"syscall"
)

// reloadSignals ask for the file of tokens to be read again.
var reloadSignals = []os.Signal{syscall.SIGHUP}
