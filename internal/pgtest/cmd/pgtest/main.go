// Command pgtest runs a command beside a PostgreSQL server of its own, whose address the command finds in
// OPLEDGER_TEST_PG_URL, and ends with the command's exit status:
//
//	go run ./internal/pgtest/cmd/pgtest -- go test ./...
//
// So all packages of a test run share one server. Where the variable is set already, its server is used.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/opledger/opledger/internal/pgtest"
)

// exitOwnFault is the status for a fault of ours rather than of the command that we run.
const exitOwnFault = 125

// killAfter is how long the command may take to end after it was asked to.
const killAfter = 10 * time.Second

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(arguments []string) int {
	if len(arguments) > 0 && arguments[0] == "--" {
		arguments = arguments[1:]
	}
	if len(arguments) == 0 {
		fmt.Fprintln(os.Stderr, "usage: pgtest [--] command [argument...]")
		return exitOwnFault
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	environment := os.Environ()
	if os.Getenv(pgtest.EnvURL) == "" {
		server, err := pgtest.Launch(ctx)
		if err != nil {
			fmt.Fprintln(os.Stderr, "pgtest:", err)
			return exitOwnFault
		}
		defer func() {
			if err := server.Stop(); err != nil {
				fmt.Fprintln(os.Stderr, "pgtest:", err)
			}
		}()
		environment = append(environment, pgtest.EnvURL+"="+server.URL())
	}

	cmd := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdin, os.Stdout, os.Stderr, environment
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = killAfter
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		// A command that a signal ended has no status of its own: -1.
		return max(exit.ExitCode(), 1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		return exitOwnFault
	}
	return 0
}
