package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/opledger/opledger/eval/report"
)

// Limit bounds one run of a scenario. A mutant that never ends is not caught: a checker has to notice.
const Limit = 5 * time.Minute

// smallWorld is the search of every interleaving of the pure core.
const smallWorld = "smallworld"

// Run is how scenarios are run: where, and against which database.
type Run struct {
	Root        string // of the module
	Folder      string // of the manifest
	DatabaseURL string // of a PostgreSQL server; empty: mutants of PostgreSQL cannot be tried
}

// Evaluate runs a mutant's scenario with a program, and answers its report.
func (r *Run) Evaluate(ctx context.Context, program string, m *Mutant) (*report.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	dir, err := os.MkdirTemp(filepath.Dir(program), "eval-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	cmd := exec.CommandContext(ctx, program, r.arguments(m)...)
	cmd.Dir = dir
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		return nil, fmt.Errorf("it does not end: %w", errors.Join(ctx.Err(), err))
	}
	var found report.Report
	if err := json.Unmarshal(out.Bytes(), &found); err != nil { // findings end the program with a status too
		return nil, fmt.Errorf("its report cannot be read: %w\n%s", err, last(said.String(), 10))
	}
	return &found, nil
}

func (r *Run) arguments(m *Mutant) []string {
	args := []string{"eval", "--json", "--engine", m.Engine, "--seed", strconv.FormatUint(m.Seed, 10)}
	campaign, drawn := strings.CutPrefix(m.Scenario, "campaign/")
	file := m.File(r.Folder)
	switch {
	case m.Scenario == smallWorld:
		args = append(args, "--suite", "model")
	case drawn:
		args = append(args, "--suite", campaign)
	case file != "":
		args = append(args, "--scenario", file, "--tools", filepath.Join(r.Folder, "scenarios", "tools.yaml"))
	default:
		args = append(args, "--scenario", m.Scenario)
	}
	if m.Runs > 0 {
		args = append(args, "--runs", strconv.Itoa(m.Runs))
	}
	if m.Engine == "postgresql" {
		args = append(args, "--database-url", r.DatabaseURL)
	}
	return args
}

// Noticed is what the named checker has found; empty: nothing.
func (m *Mutant) Noticed(r *report.Report) string {
	for _, f := range r.Findings() {
		if f.Checker == m.Checker {
			return f.Message
		}
	}
	return ""
}

// Others names what noticed beside the named checker, to help whoever looks for a mutant's checker.
func (m *Mutant) Others(r *report.Report) string {
	var names []string
	for _, f := range r.Findings() {
		if f.Checker != m.Checker {
			names = append(names, f.Checker+": "+f.Message)
		}
	}
	for _, b := range r.Broken {
		names = append(names, "broken: "+b.Error)
	}
	if len(names) == 0 {
		return "nothing noticed"
	}
	return strings.Join(names[:min(len(names), 3)], "; ")
}

// last are the last lines of a text.
func last(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
