package storm

import (
	"fmt"
	"slices"
)

// workerTools are carried out by workers, serverTools by the servers themselves, over HTTP.
var (
	workerTools = []string{"storm.charge", "storm.mail", "storm.revoke"}
	serverTools = []string{"storm.pay", "storm.call"}
)

// toolNames are all tools, in the order in which their operations are proposed.
var toolNames = slices.Concat(workerTools, serverTools)

// Step is where in an operation's life the blow falls.
type Step string

// The steps of a life, in their order, as a worker goes through them. What they are to a tool that the server carries out
// is told at gate.
const (
	Proposed Step = "proposed" // the agent has its answer, no worker has taken it up
	Handed   Step = "handed"   // a worker has the permit and has not begun
	Looked   Step = "looked"   // it has begun, and stands between its last look at the clock and the first byte
	Sent     Step = "sent"     // the provider has made the effect and not answered yet
	Answered Step = "answered" // the worker has the answer and has not reported
	Reported Step = "reported" // the report is made
)

// Steps lists the steps in order.
var Steps = []Step{Proposed, Handed, Looked, Sent, Answered, Reported}

// Victim is whom the blow hits.
type Victim string

// The victims.
const (
	Server   Victim = "server"
	Worker   Victim = "worker"
	Agent    Victim = "agent"
	Provider Victim = "provider"
)

// Victims lists the victims.
var Victims = []Victim{Server, Worker, Agent, Provider}

// Blow is what is done to the victim.
type Blow string

// The blows. Whoever is killed is started again.
const (
	Kill   Blow = "kill"
	Freeze Blow = "freeze" // past the deadline of every permit that is out, and then woken
)

// Round is one blow at one step.
type Round struct {
	Step   Step
	Victim Victim
	Blow   Blow
}

// String names the round: "looked/worker/freeze".
func (r Round) String() string { return fmt.Sprintf("%s/%s/%s", r.Step, r.Victim, r.Blow) }

// Rounds lists every round that there is: each step, each process, each blow.
func Rounds() (all []Round) {
	for _, step := range Steps {
		for _, victim := range Victims {
			for _, blow := range []Blow{Kill, Freeze} {
				all = append(all, Round{step, victim, blow})
			}
		}
	}
	return all
}
