package eval

import (
	"context"

	"google.golang.org/grpc"
)

// Part is one thing that an evaluation does.
type Part interface {
	// Name tells parts of a suite apart, and selects one: "script/fc-101", "campaign/a".
	Name() string
	// Size is how many steps of progress the part will report, as far as it can be said beforehand.
	Size(Env) int
	// Run does it. An error means that the evaluation itself could not be done; what it found is in the result.
	Run(ctx context.Context, env Env) (*Result, error)
}

// Env is where and how a part runs.
type Env struct {
	// Engine is "sqlite" or "postgresql".
	Engine string
	// DatabaseURL names the PostgreSQL database server; each part makes databases of its own there. Empty for SQLite.
	DatabaseURL string
	// Server is the address of a running server to evaluate instead of one that is started; parts that need virtual time
	// or processes of their own skip then, and say so.
	Server string
	// Dial makes a connection to Server, with the credential and the encryption that it was named with; options are added.
	// It is set where Server is. Nothing is sent until the first call.
	Dial func(options ...grpc.DialOption) (*grpc.ClientConn, error)
	// Seed decides everything that is drawn.
	Seed uint64
	// Runs is how many business intents a campaign draws; zero: the part's own default.
	Runs int
	// Only is the seed of the single run that a campaign repeats, as a finding names it; zero: all of its runs.
	Only uint64
	// Dir is a folder for databases and logs, which the caller removes.
	Dir string
	// Binary is the program that process faults start as a server; empty: this program.
	Binary string
	// Progress is called after each step, from any goroutine. It may be nil.
	Progress func(steps int)
}

// Step reports progress.
func (e Env) Step(n int) {
	if e.Progress != nil {
		e.Progress(n)
	}
}

// Result is what one part found.
type Result struct {
	Part     string    `json:"part"`
	Engine   string    `json:"engine"`
	Seed     uint64    `json:"seed"`
	TookMS   int64     `json:"took_ms"`
	Findings []Finding `json:"findings,omitempty"`
	// Skipped says why the part did not run; empty: it ran.
	Skipped string `json:"skipped,omitempty"`
	// Figures are those of each arm, in the order in which they are shown.
	Figures []Figures `json:"figures,omitempty"`
	// Drawn counts the faults that runs met, by class and fault.
	Drawn map[string]map[Fault]int `json:"drawn,omitempty"`
	// DrawnMinimum is how often the part promises to draw each of these faults in each class; zero: it promises nothing.
	// A fault that a class of Drawn does not name cannot happen there.
	DrawnMinimum int `json:"drawn_minimum,omitempty"`
	// Checked names the checkers that judged the part, by the names that findings bear.
	Checked []string `json:"checked,omitempty"`
	// Notes are figures in words that fit nowhere else: "412,331 states explored, depth 14".
	Notes []string `json:"notes,omitempty"`
}

// Passed reports whether nothing was found.
func (r *Result) Passed() bool { return len(r.Findings) == 0 }

// Finding is one thing that is not as it must be.
type Finding struct {
	Checker   string    `json:"checker"` // "effects", "history", "linearizability", "ends", "wording", "projection", "expect"
	Dimension Dimension `json:"dimension"`
	Part      string    `json:"part"`
	// Run is the seed of the single run, where the part draws many; with it the part repeats that run alone.
	Run     uint64 `json:"run,omitempty"`
	Key     string `json:"key,omitempty"` // the business key
	Message string `json:"message"`
	// History is the shortest history that shows it, a step a line.
	History []string `json:"history,omitempty"`
	// Replay is the command that shows it again.
	Replay string `json:"replay,omitempty"`
}

// Dimension is one of the six questions that an evaluation answers.
type Dimension string

// The dimensions.
const (
	IntentToOperation Dimension = "intent_to_operation" // same meaning, same key; other meaning, other key
	RetrySafety       Dimension = "retry_safety"
	ReplaySafety      Dimension = "replay_safety"
	ConcurrencySafety Dimension = "concurrency_safety"
	Compensation      Dimension = "compensation"
	WhatIsTold        Dimension = "what_is_told" // no sentence claims what is not known
)
