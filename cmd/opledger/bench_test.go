package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"testing"

	"github.com/opledger/opledger/bench"
	"github.com/opledger/opledger/internal/pgtest"
)

// TestBench measures for a moment with real processes on both engines: every cell has units in it, and the server's
// metrics tell of them. How many there are is no matter for a test.
func TestBench(t *testing.T) {
	t.Parallel()
	cmd := program(t, []string{"bench", "--json", "--duration", "50ms", "--rounds", "2", "--concurrency", "1,4",
		"--directory", t.TempDir(), "--postgres-url", pgtest.Shared(t).URL()})
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Fatalf("the benchmark ended with %v\n%s", err, errs.String())
	}
	var r bench.Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if len(r.Engines) != 2 || r.Engines[0].Engine != "PostgreSQL" || r.Engines[1].Engine != "SQLite" {
		t.Fatalf("measured %+v", r.Engines)
	}
	for _, e := range r.Engines {
		if len(e.Rows) != 10 {
			t.Errorf("%s has %d rows", e.Engine, len(e.Rows))
		}
		for _, row := range e.Rows {
			if row.Rate <= 0 || row.P50 <= 0 || row.P99 < row.P50 || row.Ratio <= 0 {
				t.Errorf("%s: %+v", e.Engine, row)
			}
			if row.CommandsPerTransaction != nil && *row.CommandsPerTransaction < 1 {
				t.Errorf("%s: the server's metrics do not show the units of %+v", e.Engine, row)
			}
		}
	}
}

func TestBenchRefusesWhatCannotBeMeant(t *testing.T) {
	for _, args := range [][]string{{"--duration", "0s"}, {"--rounds", "0"}, {"--concurrency", "0"}} {
		err := program(t, append([]string{"bench"}, args...)).Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitUsage {
			t.Errorf("%v: ended with %v, want status %d", args, err, exitUsage)
		}
	}
}
