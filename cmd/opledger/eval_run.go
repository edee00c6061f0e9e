package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/report"
	"github.com/opledger/opledger/eval/suite"
	"github.com/opledger/opledger/eval/world"
)

// runEval does an evaluation and writes what came of it.
func runEval(cmd *cobra.Command, attack suite.Attack, f *evalFlags) error {
	if err := f.check(attack, cmd.Flags().Changed("suite")); err != nil {
		return err
	}
	if !cmd.Flags().Changed("seed") {
		f.seed = uint64(rand.Uint32()) // short enough to be typed again
	}
	chosen, err := f.choose(attack)
	if err != nil {
		return err
	}
	env, clean, err := f.env()
	if err != nil {
		return err
	}
	defer clean()
	defer collectSeldom()()
	about := report.About{
		Suite: chosen.name, Version: versionNow(), Engine: f.engine, Server: f.given.server, Seed: f.seed, Started: time.Now().UTC().Truncate(time.Second),
		Command: f.command(), LeftOut: chosen.leftOut,
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "opledger eval: suite %s, seed %d\n", printable(chosen.name), f.seed)
	bar := newEvalBar(cmd.ErrOrStderr(), f.lasts)
	began := time.Now()
	ctx, drop := world.WithTemplates(cmd.Context())
	defer func() { _ = drop() }() // one that stays is dropped by the next evaluation on that server
	out := suite.Run(ctx, chosen.plan, env, suite.Options{For: f.lasts, Now: time.Now, OnStep: bar.step})
	bar.clear()
	about.TookMS = time.Since(began).Milliseconds()
	f.tellReplays(out.Results, chosen.words)
	r := report.New(about, out.Results, out.Broken)
	if err := f.write(cmd, r); err != nil {
		return err
	}
	switch {
	case r.Verdict == report.Found:
		return errSaid
	case r.Verdict == report.NotDone || out.Stopped:
		return &statusError{errSaid, exitNotDone}
	}
	return nil
}

// garbagePercent is GOGC of an evaluation (Go's own is 100). Its worlds are small and make much that is soon garbage.
const garbagePercent = 400

// collectSeldom lets garbage be collected more seldom, unless GOGC says how often. What it returns ends that.
func collectSeldom() (end func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(garbagePercent)
	return func() { debug.SetGCPercent(before) }
}

// choice is what the flags ask for.
type choice struct {
	name    string // of the suite
	leftOut []string
	plan    suite.Plan
	words   map[string]string // by which word of --scenario each part was chosen
}

func (f *evalFlags) choose(attack suite.Attack) (c choice, err error) {
	if len(f.scenarios) > 0 {
		c.name, c.leftOut = strings.Join(f.scenarios, ", "), []string{"Nothing but the chosen scenarios was tried."}
		c.plan, c.words, err = planScenarios(attack, f.scenarios, f.tools)
		return c, err
	}
	chosen, _ := attack.Suite(f.suite)
	c.name, c.leftOut = chosen.Name, slices.Clone(chosen.LeftOut)
	if c.plan, err = chosen.Plan(); err != nil {
		return c, err
	}
	if f.part != "" {
		if c.plan = c.plan.Only(f.part); c.plan == nil {
			return c, usagef("--part %q is no part of the suite %s; \"opledger eval list --json\" names them", f.part, f.suite)
		}
		c.leftOut = []string{"Nothing but a single part was tried."}
	}
	if f.only != 0 {
		c.plan = c.plan.Drawn()
		if n := len(c.plan.Parts()); n != 1 {
			return c, usagef("--run repeats a run of one campaign, and there are %d: choose one, such as by --suite a", n)
		}
		c.leftOut = []string{"Nothing but a single run was tried."}
	}
	if f.given.server == "" {
		other := map[string]string{engineSQLite: "PostgreSQL", enginePostgreSQL: "SQLite"}[f.engine]
		c.leftOut = append(c.leftOut, other+" and CockroachDB were not tried: this was on "+f.engine+".")
	}
	return c, nil
}

// env is where parts run. Its folder is gone with clean, unless it is to be kept.
func (f *evalFlags) env() (env eval.Env, clean func(), err error) {
	env = eval.Env{Engine: f.engine, DatabaseURL: f.databaseURL, Server: f.given.server, Seed: f.seed, Runs: f.runs, Only: f.only}
	if env.Server != "" {
		env.Dial = f.given.connect
	}
	if env.Binary, err = os.Executable(); err != nil {
		return env, nil, fmt.Errorf("which program this is: %w", err)
	}
	if f.keep == "" {
		env.Dir, err = os.MkdirTemp("", "opledger-eval-")
		return env, func() { _ = os.RemoveAll(env.Dir) }, err
	}
	if env.Dir, err = filepath.Abs(f.keep); err != nil {
		return env, nil, err
	}
	return env, func() {}, os.MkdirAll(env.Dir, 0o700)
}

// write writes the report: to the standard output, and to the files that are asked for.
func (f *evalFlags) write(cmd *cobra.Command, r *report.Report) error {
	text := r.WriteText
	if wantsJSON(cmd) {
		text = r.WriteJSON
	}
	err := text(cmd.OutOrStdout())
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{{f.junit, r.WriteJUnit}, {f.html, r.WriteHTML}} {
		if file.name != "" {
			err = errors.Join(err, writeReport(file.name, file.write))
		}
	}
	return err
}

func writeReport(name string, write func(io.Writer) error) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
