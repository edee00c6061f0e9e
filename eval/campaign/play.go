package campaign

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// play is one run while it is played.
type play struct {
	stage  *stage
	run    Run
	tool   *tool
	number int    // the order of its start
	ref    string // the order's id: the business key
	sim    *sim

	started time.Time
	quiet   time.Time // since when no actor of it lives
	looked  time.Time // when it was last looked whether it is settled
	alive   int       // actors that live
	actors  []*actor
	closed  bool

	ids       *rand.Rand
	process   eval.Fault // what still has to befall an executor
	broke     bool       // the promise is broken
	lose      map[string]int
	met       []eval.Fault
	proposals int
	contended int
	taken     map[string]bool // whether an operation was made of what was asked for, by occurrence

	operations []string         // in the order in which they were heard of
	undoes     map[string]*tool // operations of another tool than the run's
	kept       map[string]*pb.Operation
	undo       bool // the run ends with a compensation
	unbegun    bool // a crash before sending comes before the begin
	crashAt    place
	restartAt  int // where the server is killed, if that is the run's fault
	calls      []eval.Call
	sequence   int
	added      time.Duration // the real time that calls of the ledger took
	findings   []eval.Finding
	steps      []string
}

// newPlay prepares a run.
func (s *stage) newPlay(number int, r Run) *play {
	p := &play{
		stage: s, run: r, tool: tools()[r.Tool], number: number, ref: fmt.Sprintf("ord_%x", r.Seed), started: s.now, quiet: s.now,
		ids: r.luck("ids"), process: r.Process, lose: map[string]int{}, taken: map[string]bool{}, kept: map[string]*pb.Operation{}, undoes: map[string]*tool{},
	}
	p.sim = newSim(p)
	return p
}

// begin starts a run.
func (s *stage) begin(number int, r Run) {
	p := s.newPlay(number, r)
	p.restartAt = r.luck("restart").IntN(restartPlaces)
	p.unbegun = r.luck("unbegun").IntN(2) == 0
	if r.Agent == Replay {
		p.crashAt = pick(r.luck("replay"), places)
		if p.tool.worker {
			p.crashAt = afterPropose // its executor is another process
		}
	}
	p.undo = p.tool.playbook && r.luck("undo").IntN(2) == 0
	s.plays, s.byRef[p.ref] = append(s.plays, p), p
	p.step("run", "%s by %s, %s, faults %v%s", p.tool.name, r.Agent, r.Class, r.Faults(), r.neighbourhood())
	p.cast()
}

// clock is the world's time with the order of what happens in it: a tick stands still while it is played, and what comes
// later in it has a later time all the same.
func (p *play) clock() time.Time {
	return p.stage.clock().Add(time.Duration(p.sequence) * time.Microsecond)
}

// id makes a UUID from the run's own chance.
func (p *play) id() string {
	var u uuid.UUID
	for i := range u {
		u[i] = byte(p.ids.UintN(256))
	}
	u[6], u[8] = u[6]&0x0f|0x40, u[8]&0x3f|0x80 // version 4, RFC 9562
	return u.String()
}

// step writes one line of the run's history. Nothing in it depends on which other runs are played.
func (p *play) step(by, format string, args ...any) {
	p.steps = append(p.steps, fmt.Sprintf("%8s  %-10s %s", p.stage.now.Sub(p.started), by, fmt.Sprintf(format, args...)))
}

// befalls takes the process fault if it is this one. It befalls the first executor that comes to its place, once.
func (p *play) befalls(f eval.Fault) bool {
	if p.process != f {
		return false
	}
	p.process = ""
	p.meet(f)
	return true
}

// breaks takes the broken promise if it is this one, once.
func (p *play) breaks(f eval.Fault) bool {
	if p.run.Broken != f || p.broke {
		return false
	}
	p.broke = true
	p.meet(f)
	return true
}

// place is where an agent that replays crashes.
type place int

const (
	nowhere place = iota
	afterPropose
	beforeSend
	afterSend
)

var places = []place{afterPropose, beforeSend, afterSend}

// replays reports whether the agent crashes here, to replay its log in a new process. It does so once.
func (p *play) replays(at place) bool {
	if p.crashAt != at {
		return false
	}
	p.crashAt = nowhere
	return true
}

// meet notes that the run has met a fault.
func (p *play) meet(f eval.Fault) { p.met = append(p.met, f) }

// name is how the history calls an operation: ids differ from world to world.
func (p *play) name(operation string) string {
	if operation == "" {
		return "no operation"
	}
	return fmt.Sprintf("operation %d", p.hear(operation)+1)
}

// hear notes an operation of the run, and answers its place.
func (p *play) hear(operation string) int {
	for i, o := range p.operations {
		if o == operation {
			return i
		}
	}
	p.operations = append(p.operations, operation)
	return len(p.operations) - 1
}

// toolOf is an operation's tool: the run's own, or the one that undoes its effect.
func (p *play) toolOf(operation string) *tool {
	if t := p.undoes[operation]; t != nil {
		return t
	}
	return p.tool
}

// find is a thing that an actor saw and that must not be.
func (p *play) find(checker string, d eval.Dimension, format string, args ...any) {
	p.findings = append(p.findings, eval.Finding{Checker: checker, Dimension: d, Message: fmt.Sprintf(format, args...)})
}

// over reports whether the run is: nobody acts any more, the provider is done, and every operation is known or waits for a
// person.
func (p *play) over() bool {
	now := p.stage.now
	switch {
	case now.Sub(p.started) >= longest:
		return true
	case p.alive > 0 || p.sim.busy() || now.Sub(p.quiet) < looks || now.Sub(p.looked) < looks:
		return false
	}
	p.looked = now
	p.list()
	for _, id := range p.operations {
		if !rests(p.kept[id]) {
			return false
		}
	}
	return true
}

// readingPrefix begins the ids of attempts of reads that are kept beside the operations.
const readingPrefix = "att_r_"

// unreported reports whether an operation is a read that nobody has reported and whose permit is over. There is no row of it
// and it never ends: it has failed, and whoever still wants to know reads again.
func unreported(o *pb.Operation) bool {
	return o.State == pb.Operation_STATE_FAILED_RETRYABLE && len(o.Attempts) == 1 && o.Attempts[0].Report == nil &&
		strings.HasPrefix(o.Attempts[0].AttemptId, readingPrefix)
}

// rests reports whether an operation has ended or waits for a person.
func rests(o *pb.Operation) bool {
	if o == nil {
		return false
	}
	switch o.State {
	case pb.Operation_STATE_COMPLETED_SUCCESS, pb.Operation_STATE_COMPLETED_NOOP, pb.Operation_STATE_FAILED_PERMANENT, pb.Operation_STATE_COMPENSATED:
		return true
	case pb.Operation_STATE_FAILED_RETRYABLE:
		return unreported(o)
	}
	return o.NeedsHuman != nil
}

// close ends the actors that still sleep.
func (p *play) close() {
	p.closed = true
	for _, a := range p.actors {
		a.stop()
	}
}
