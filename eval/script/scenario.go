package script

import (
	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Scenario is one file: exact steps, and what must come of them.
type Scenario struct {
	File      string
	Name      string
	Title     string
	Dimension eval.Dimension
	// Source is where what went wrong for others was told.
	Source string
	// Engines are those that it runs on.
	Engines []string
	// Tools are applied before the first step.
	Tools []*pb.ToolDefinition
	// Callers are who may be named as the caller of a step. None: everybody is "local", who holds every right.
	Callers []Credential
	// Webhooks are the sources whose events are taken in, in the form of the server's own file of them.
	Webhooks string
	Steps    []*Step

	finally *yaml.Node
	wanted  map[string]int                // effects by business key, where the scenario says how many
	known   map[string]*pb.ToolDefinition // tools that steps may apply
}

// Credential is one caller of a scenario.
type Credential struct {
	Name   string
	Caller callers.Caller
}

// Step is one thing that is done.
type Step struct {
	Line int
	// Verb is what is done: "propose", "pass".
	Verb string
	// As is the label by which later steps refer to this one.
	As string
	// Caller is whose credential the call bears; empty: the first.
	Caller string
	// Twin: the call goes to the second server on the database, which is started for the first such call.
	Twin bool
	// Each: calls go to the first server and to the twin in turn.
	Each bool
	// Times is how often it is done at once; zero means once, alone.
	Times int
	// Lost: the answer does not reach the caller, though the server carried the call out.
	Lost bool
	// When is the label of a step that must have come to something for this one to be done: see came. Empty: it is done.
	When string
	// MayFail: that it is refused, or cannot be done, is no finding. Checkers judge what comes of it.
	MayFail bool
	// Steps are those of a repeat.
	Steps []*Step

	verb    verb
	node    *yaml.Node
	subject *yaml.Node
	fields  []field
	expect  *yaml.Node
}

// field is one member of a step that its verb reads.
type field struct{ name, value *yaml.Node }

// Size is how many steps are counted as progress.
func (s *Scenario) Size() int { return len(s.Steps) }
