// Command mutants tries every mutant of the manifest and prints what became of each. It ends with status 1 where one
// survives, and with status 2 where it could not try:
//
//	go run ./eval/mutants/cmd/mutants             every mutant; several minutes
//	go run ./eval/mutants/cmd/mutants two-permits those whose names have that text
//	go run ./eval/mutants/cmd/mutants -check      does each still apply and build
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/eval/mutants"
	"github.com/opledger/opledger/internal/pgtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	survived, err := run(ctx)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	case survived > 0:
		os.Exit(1)
	}
}

func run(ctx context.Context) (survived int, err error) {
	parallel := flag.Int("parallel", 2, "mutants that are tried at a time")
	check := flag.Bool("check", false, "only see whether each mutant applies and builds")
	flag.Parse()
	root, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	folder := filepath.Join(root, "eval", "mutants")
	all, err := mutants.ReadManifest(filepath.Join(folder, "mutants.yaml"))
	if err != nil {
		return 0, err
	}
	all = named(all, flag.Args())
	if len(all) == 0 {
		return 0, fmt.Errorf("no mutant has such a name")
	}
	dir, err := os.MkdirTemp("", "opledger-mutants-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	began := time.Now()
	p := &mutants.Prover{
		Builder:  mutants.Builder{Root: root, Patches: folder, Dir: dir},
		Run:      mutants.Run{Root: root, Folder: folder, DatabaseURL: os.Getenv(pgtest.EnvURL)},
		Parallel: *parallel, Told: tell,
	}
	var outcomes []mutants.Outcome
	if *check {
		outcomes = p.Check(ctx, all)
	} else if outcomes, err = p.Prove(ctx, all); err != nil {
		return 0, err
	}
	for _, o := range outcomes {
		if !o.Caught {
			survived++
		}
	}
	fmt.Printf("\n%d mutants, %d caught, %d survived, in %s\n", len(outcomes), len(outcomes)-survived, survived, time.Since(began).Round(time.Second))
	return survived, nil
}

// named are the mutants whose names have one of the texts; all, where none is given.
func named(all []mutants.Mutant, texts []string) []mutants.Mutant {
	if len(texts) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(m mutants.Mutant) bool {
		return !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(m.Name, t) })
	})
}

// tell prints a row of the table.
func tell(o mutants.Outcome) {
	word, said := "caught  ", o.Noticed
	if !o.Caught {
		word, said = "SURVIVED", o.Why
	}
	fmt.Printf("%s %5.1fs  %-42s %-16s %s\n", word, o.Took.Seconds(), o.Mutant.Name, o.Mutant.Checker, said)
}
