package main

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/eval/suite"
)

// evalFlags are the flags of "opledger eval".
type evalFlags struct {
	suite       string
	part        string
	scenarios   []string
	tools       []string
	engine      string
	databaseURL string
	given       connection // the server that is given, if any is
	seed        uint64
	runs        int
	only        uint64
	lasts       time.Duration
	junit, html string
	keep        string
}

func newEval(attack suite.Attack) *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use: "eval", Short: "Attack Opledger in every way that production does, and count effects at the provider", Args: cobra.NoArgs,
		Long: "Tries to make Opledger act twice, lose an effect, or claim what is not known: scenarios with exact steps, thousands of\n" +
			"runs with faults drawn from a seed, every interleaving of a small world, many callers at once, killed and frozen processes.\n" +
			"Effects are counted at a provider that is simulated for it; the same runs are played without Opledger beside it.\n\n" +
			"Nothing is needed: servers and SQLite files are made for it and are gone afterwards. With --engine postgresql it makes and\n" +
			"drops databases on the server that --database-url names. With --server it evaluates one that runs: many callers at once,\n" +
			"with tools and keys of its own; not the one that production runs on.\n\n" +
			"The exit status is 0 if nothing was found, 1 if something was, and 2 if the evaluation could not be done. docs/eval.md says\n" +
			"how to read the figures.",
		Example: "  opledger eval\n" +
			"  opledger eval --suite full --for 1h --html report.html\n" +
			"  opledger eval --engine postgresql --database-url postgres://postgres@localhost/postgres\n" +
			"  opledger eval --suite crowd --server staging.example:7117 --token opl_...\n" +
			"  opledger eval --suite a --seed 7 --run 88123\n" +
			"  opledger eval --scenario ./scenarios --tools ./tools --junit report.xml",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return notDone(runEval(cmd, attack, f))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.suite, "suite", "standard", "what is tried: "+strings.Join(attack.Names(), ", ")+" (\"opledger eval list\" describes them)")
	flags.StringVar(&f.part, "part", "", "only this part of the suite, by the name that reports give it")
	flags.StringArrayVar(&f.scenarios, "scenario", nil, "only this scenario: a name, or a file or folder of your own (may be repeated)")
	flags.StringArrayVar(&f.tools, "tools", nil, "a file or folder of tool definitions that your own scenarios use (may be repeated)")
	flags.StringVar(&f.engine, "engine", engineSQLite, "the database under the servers that are started: "+engineSQLite+" or "+enginePostgreSQL)
	flags.StringVar(&f.databaseURL, "database-url", "", "for "+enginePostgreSQL+": a server on which databases may be made and dropped, postgres://user@host/database")
	flags.StringVar(&f.given.server, "server", "", "evaluate this running server: host:port (TLS unless on loopback), or http://host:port, https://host:port; what needs servers of its own is not run then")
	flags.StringVar(&f.given.token, "token", "", "for --server: the token that lets you in, with the roles administer, propose, execute and read")
	allowEnvironment(flags, "token") // and not --server: nothing is attacked because a variable was set
	flags.Uint64Var(&f.seed, "seed", 0, "decides everything that is drawn (default: drawn, and printed)")
	flags.IntVar(&f.runs, "runs", 0, "how many runs a campaign draws, and how many intents a crowd pursues (default: as the suite says)")
	flags.Uint64Var(&f.only, "run", 0, "repeat this single run of a campaign, as a finding names it")
	flags.DurationVar(&f.lasts, "for", 0, "go on with further seeds for so long (default: each part once)")
	flags.StringVar(&f.junit, "junit", "", "also write the report to this file, as JUnit XML")
	flags.StringVar(&f.html, "html", "", "also write the report to this file, as one HTML page")
	flags.StringVar(&f.keep, "keep", "", "keep databases and logs in this folder")
	addJSONFlag(cmd)
	must(cmd.RegisterFlagCompletionFunc("suite", completeWords(attack.Names()...)))
	must(cmd.RegisterFlagCompletionFunc("part", completeParts(attack, f)))
	must(cmd.RegisterFlagCompletionFunc("engine", completeWords(engineSQLite, enginePostgreSQL)))
	must(cmd.RegisterFlagCompletionFunc("scenario", completeScenarios(attack)))
	cmd.AddCommand(newEvalList(attack))
	cmd.AddCommand(newEvalProcesses()...)
	return cmd
}

// The engines, as flags name them.
const (
	engineSQLite     = "sqlite"
	enginePostgreSQL = "postgresql"
)

// The bounds of the flags of an evaluation.
const (
	maxEvalRuns = 10_000_000
	maxEvalFor  = 7 * 24 * time.Hour
)

// notDone gives an evaluation that could not be done a status of its own: a CI must not take it for a finding.
func notDone(err error) error {
	var has *statusError
	if err == nil || errors.As(err, &has) || errors.Is(err, errSaid) {
		return err
	}
	return &statusError{err, exitNotDone}
}

// exitNotDone is the status of an evaluation that could not be done.
const exitNotDone = 2

// check refuses what cannot be meant.
func (f *evalFlags) check(attack suite.Attack, suiteGiven bool) error {
	_, known := attack.Suite(f.suite)
	switch {
	case !known:
		return usagef("--suite %q is none of %s", f.suite, strings.Join(attack.Names(), ", "))
	case len(f.scenarios) > 0 && (suiteGiven || f.part != "" || f.runs != 0 || f.only != 0 || f.lasts != 0):
		return usagef("--scenario stands alone: a scenario has exact steps, so that there are no --suite, --part, --runs, --run and --for")
	case len(f.tools) > 0 && len(f.scenarios) == 0:
		return usagef("--tools are for scenarios of your own, which --scenario names")
	case f.engine != engineSQLite && f.engine != enginePostgreSQL:
		return usagef("--engine %q is neither %s nor %s", f.engine, engineSQLite, enginePostgreSQL)
	case f.engine == enginePostgreSQL && f.databaseURL == "":
		return usagef("--engine %s needs --database-url postgres://user@host/database: a server on which databases may be made and dropped; docs/eval.md says how to start one in a clone", enginePostgreSQL)
	case f.engine == engineSQLite && f.databaseURL != "":
		return usagef("--database-url is for --engine %s; for SQLite, files are made and removed", enginePostgreSQL)
	case f.runs < 0 || f.runs > maxEvalRuns:
		return usagef("--runs has to be between 1 and %d", maxEvalRuns)
	case f.lasts < 0 || f.lasts > maxEvalFor:
		return usagef("--for has to be between 0 and %s", maxEvalFor)
	case f.given.server != "" && (f.engine != engineSQLite || f.databaseURL != ""):
		return usagef("--server evaluates a server that runs, whatever its database is, so that there are no --engine and --database-url")
	case f.only != 0 && (f.runs != 0 || f.lasts != 0):
		return usagef("--run repeats one run, so that there are no --runs and --for")
	}
	if f.given.server != "" {
		_, _, err := f.given.target()
		return err
	}
	return nil
}
