// Command pgtest runs a command beside a PostgreSQL server of its own, whose address the command finds in
// OPLEDGER_TEST_PG_URL, and ends with the command's exit status:
//
//	go run ./internal/pgtest/cmd/pgtest -- go test ./...
//
// So all packages of a test run share one server. Where the variable is set already, its server is used.
// The flag -set name=value, which may be repeated, changes one of the server's settings.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
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
	var settings []pgtest.Option
	flags := flag.NewFlagSet("pgtest", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: pgtest [-set name=value]... [--] command [argument...]")
	}
	flags.Func("set", "PostgreSQL setting, as name=value", func(setting string) error {
		name, value, ok := strings.Cut(setting, "=")
		if !ok {
			return errors.New("want name=value")
		}
		settings = append(settings, pgtest.Setting(name, value))
		return nil
	})
	if err := flags.Parse(arguments); err != nil {
		return exitOwnFault
	}
	if arguments = flags.Args(); len(arguments) == 0 {
		flags.Usage()
		return exitOwnFault
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	environment := os.Environ()
	if os.Getenv(pgtest.EnvURL) == "" {
		server, err := pgtest.Launch(ctx, settings...)
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
