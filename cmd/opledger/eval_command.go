package main

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/opledger/opledger/eval"
)

// databaseVariable stands for the database's address in commands that are printed: it may hold a password, and is another
// elsewhere.
const databaseVariable = `"$DATABASE_URL"`

// command is the command line that does the same again on any machine.
func (f *evalFlags) command() string {
	words := []string{"opledger", "eval"}
	add := func(given bool, flag, value string) {
		if given {
			words = append(words, "--"+flag, value)
		}
	}
	for _, s := range f.scenarios {
		add(true, "scenario", shellWord(s))
	}
	for _, t := range f.tools {
		add(true, "tools", shellWord(t))
	}
	add(len(f.scenarios) == 0, "suite", shellWord(f.suite))
	add(f.part != "", "part", shellWord(f.part))
	add(f.given.server != "", "server", shellWord(f.given.server))
	add(f.given.server == "", "engine", shellWord(f.engine))
	add(f.databaseURL != "", "database-url", databaseVariable)
	add(true, "seed", strconv.FormatUint(f.seed, 10))
	add(f.runs != 0, "runs", strconv.Itoa(f.runs))
	add(f.only != 0, "run", strconv.FormatUint(f.only, 10))
	add(f.lasts != 0, "for", f.lasts.String())
	return strings.Join(words, " ")
}

// tellReplays completes the commands by which findings are shown again: those of scenarios by the word that chose them
// (none: the scenario's name), and all with where it was and the seed, which a part does not always name.
func (f *evalFlags) tellReplays(results []*eval.Result, words map[string]string) {
	for _, r := range results {
		for i := range r.Findings {
			replay := &r.Findings[i].Replay
			name, isScenario := strings.CutPrefix(r.Part, scenarioPrefix)
			switch {
			case isScenario && words[r.Part] != "":
				*replay = "opledger eval --scenario " + shellWord(words[r.Part])
				for _, t := range f.tools {
					*replay += " --tools " + shellWord(t)
				}
			case isScenario:
				*replay = "opledger eval --scenario " + shellWord(name)
			case *replay == "":
				continue // the report gives it the command of the whole
			}
			*replay += f.where(*replay, cmp.Or(r.Seed, f.seed))
		}
	}
}

// scenarioPrefix begins the names of parts that are scenarios.
const scenarioPrefix = "script/"

// where are the flags that a command lacks to run in the same place.
func (f *evalFlags) where(command string, seed uint64) (flags string) {
	if !strings.Contains(command, "--seed ") {
		flags += " --seed " + strconv.FormatUint(seed, 10)
	}
	if f.given.server == "" && !strings.Contains(command, "--engine ") {
		flags += " --engine " + f.engine
	}
	if f.given.server != "" && !strings.Contains(command, "--server ") {
		flags += " --server " + shellWord(f.given.server)
	}
	if f.databaseURL != "" && !strings.Contains(command, "--database-url ") {
		flags += " --database-url " + databaseVariable
	}
	return flags
}

// shellWord quotes a word where a shell would read more into it.
func shellWord(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_./:@,+", r)
	}) < 0
	if plain && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
