package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/bench"
)

func newBench() *cobra.Command {
	o := bench.Options{}
	cmd := &cobra.Command{
		Use: "bench", Short: "Measure the ledger beside a hand-written table", Args: cobra.NoArgs,
		Long: "Measures units of work through a server of its own beside the table that one would write by hand (INSERT as pending,\n" +
			"UPDATE to done), in turns within one run: only the ratios mean something, since a machine's speed moves from minute to\n" +
			"minute. In a clone \"make bench\" starts a PostgreSQL for it.",
		Example: "  opledger bench\n  opledger bench --postgres-url postgres://postgres@localhost/postgres --duration 5s",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Executable, err = os.Executable(); err != nil {
				return fmt.Errorf("which program this is: %w", err)
			}
			if err := checkBench(o); err != nil {
				return err
			}
			bar := progressBar{out: cmd.ErrOrStderr(), shown: isTerminal(cmd.ErrOrStderr()), began: time.Now()}
			o.Progress = bar.step
			report, err := bench.Run(cmd.Context(), o)
			bar.clear()
			if err != nil {
				return err
			}
			if wantsJSON(cmd) {
				return answer(cmd, report, nil)
			}
			return report.WriteText(cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.PostgresURL, "postgres-url", "", "a PostgreSQL server on which databases may be made and dropped (default: SQLite alone)")
	flags.StringVar(&o.Directory, "directory", "", "where the SQLite files are put (default: the system's folder for temporary files)")
	flags.DurationVar(&o.Duration, "duration", bench.DefaultDuration, "how long each measurement takes")
	flags.IntVar(&o.Rounds, "rounds", bench.DefaultRounds, "how often each measurement is made")
	flags.IntSliceVar(&o.Concurrency, "concurrency", bench.DefaultConcurrency, "how many callers work at once")
	flags.IntVar(&o.Writers, "writers", 0, "transactions at a time in the server (default: what \"opledger serve\" takes)")
	flags.StringVar(&o.ProfileTo, "profile-to", "", "a folder for CPU profiles of the servers (go tool pprof reads them)")
	addJSONFlag(cmd)
	return cmd
}

// The bounds of a benchmark's flags.
const (
	maxBenchRounds      = 100
	maxBenchConcurrency = 1024
)

func checkBench(o bench.Options) error {
	switch {
	case o.Duration < 10*time.Millisecond || o.Duration > time.Hour:
		return usagef("--duration has to be between 10ms and 1h")
	case o.Rounds < 1 || o.Rounds > maxBenchRounds:
		return usagef("--rounds has to be between 1 and %d", maxBenchRounds)
	case len(o.Concurrency) == 0:
		return usagef("--concurrency names no number")
	}
	for _, n := range o.Concurrency {
		if n < 1 || n > maxBenchConcurrency {
			return usagef("--concurrency has to be between 1 and %d", maxBenchConcurrency)
		}
	}
	return nil
}

// progressBar shows on a terminal how far a long piece of work is.
type progressBar struct {
	out   io.Writer
	shown bool
	began time.Time
}

// barWidth is the width of the bar itself.
const barWidth = 24

func (b progressBar) step(done, all int, next string) {
	if !b.shown || all == 0 {
		return
	}
	filled := barWidth * done / all
	left := ""
	if done > 0 {
		left = ", " + (time.Since(b.began) / time.Duration(done) * time.Duration(all-done)).Round(time.Second).String() + " left"
	}
	fmt.Fprintf(b.out, "\r\x1b[K[%s%s] %d/%d  %s%s", strings.Repeat("=", filled), strings.Repeat(" ", barWidth-filled), done, all, next, left)
}

// clear takes the bar away.
func (b progressBar) clear() {
	if b.shown {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
