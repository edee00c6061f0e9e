package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/eval/suite"
)

// streams are the standard streams of a run.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// The exit statuses.
const (
	exitOK     = 0
	exitFailed = 1 // what was asked could not be done, or its answer is no
	exitUsage  = 2 // the command line itself is wrong
)

// newRoot makes the command with all commands below it. A new command is added here.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "opledger",
		Short: "The control plane that makes tool calls of agents safe to repeat",
		Long: "Opledger keeps a ledger of what agents' tool calls do outside: one permit at a time, recorded before it is given,\n" +
			"so that proposing the same business operation again is always safe.\n\n" +
			"Every flag that names an environment variable can be set by it.",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return applyEnvironment(cmd.Flags())
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.AddGroup(
		&cobra.Group{ID: groupStart, Title: "See it:"},
		&cobra.Group{ID: groupServer, Title: "Run a server:"},
		&cobra.Group{ID: groupLook, Title: "Look and settle:"},
		&cobra.Group{ID: groupControl, Title: "Say what may run:"},
		&cobra.Group{ID: groupBuild, Title: "Build on it:"},
	)
	root.AddCommand(
		in(groupStart, newDemo()),
		in(groupStart, newBench()),
		in(groupStart, newEval(suite.Shipped)),
		in(groupServer, newServe()),
		in(groupServer, newMigrate()),
		in(groupServer, newTokens()),
		in(groupLook, newOps()),
		in(groupLook, newTools()),
		in(groupLook, newTasks()),
		in(groupLook, newWorkflows()),
		in(groupControl, newPolicy()),
		in(groupControl, newGrants()),
		in(groupControl, newApprovals()),
		in(groupControl, newLeases()),
		in(groupControl, newEntities()),
		in(groupControl, newNotifications()),
		in(groupBuild, newIdentity()),
		in(groupBuild, newPropose()),
		in(groupBuild, newBegin()),
		in(groupBuild, newReport()),
		in(groupBuild, newEvents()),
		newVersion(),
	)
	return root
}

// The groups in which help lists commands.
const (
	groupStart   = "start"
	groupServer  = "server"
	groupLook    = "look"
	groupControl = "control"
	groupBuild   = "build"
)

func in(group string, cmd *cobra.Command) *cobra.Command {
	cmd.GroupID = group
	return cmd
}

// family makes a command that only gathers others.
func family(use, short string, members ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(members...)
	return cmd
}

// usageError is a command line that cannot be meant.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// errSaid ends a run with exitFailed where everything has been said already.
var errSaid = errors.New("it has been said")

// statusError is an error with an exit status of its own.
type statusError struct {
	error
	status int
}

func (e *statusError) Unwrap() error { return e.error }

// run carries out one command line and answers the exit status.
func run(ctx context.Context, args []string, s streams) int {
	return execute(ctx, newRoot(), args, s)
}

func execute(ctx context.Context, root *cobra.Command, args []string, s streams) int {
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if !errors.Is(err, errSaid) {
		writeError(s.err, err, cmd.CommandPath(), wantsJSON(cmd))
	}
	var own *statusError
	if errors.As(err, &own) {
		return own.status
	}
	var usage *usageError
	if errors.As(err, &usage) || isCobraUsage(err) {
		return exitUsage
	}
	return exitFailed
}
