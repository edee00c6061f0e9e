// Command opledger is the whole of Opledger in one binary: the server, and the tools for those who run it and build on
// it. This package wires the others together, reads flags and writes answers; it decides nothing.
//
// One file a command, named as it is typed: serve.go, tools_apply.go, ops_list.go. root.go lists them all.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first signal the next one ends the process as if nobody listened.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}
