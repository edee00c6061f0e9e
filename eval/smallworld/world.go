package smallworld

import (
	"slices"
	"strconv"
	"time"

	"github.com/opledger/opledger/ledger"
)

// beginning is the moment of tick 0.
var beginning = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// never stands for a tick that is not.
const never = -1

// world is one state of everything. It is a value: a step makes another one.
type world struct {
	now       int
	rows      rows
	processes []process // in the order of their holders
	effects   []effect  // in the order of their commits
	servers   [servers]server
	said      [2]bool // somebody has told the ledger that the operation's effect exists
	wrong     string  // the promise that the step which led here has broken; empty: none
}

// holder names a process by what it was given: an attempt's permit, or the second copy of it.
type holder struct {
	operation, attempt int
	copied             bool
}

// phase is where a holder of a permit is.
type phase byte

const (
	ready phase = iota // it has the permit
	begun              // its begin was accepted
	done
)

// process is a worker with a permit, and afterwards what it has left on the wire and in its report.
type process struct {
	holder
	deadline int // as it knows it
	phase    phase
	outcome  ledger.Outcome // what it saw and has not reported yet
	effect   string         // the provider's id, which goes with its report
	again    bool           // its report is a second one, of another layer
	repeats  bool           // the report was taken, and its answer lost: it is sent once more
	inFlight int            // when its request left, while that may still commit
	pending  int            // when the provider took it on, while that may still finish
}

// idle reports whether nothing can come of the process any more.
func (p *process) idle() bool {
	return p.phase == done && p.outcome == "" && p.inFlight == never && p.pending == never
}

func (p *process) nonce() string { return "nonce" + p.suffix() }

func (p *process) suffix() string {
	s := "_" + strconv.Itoa(p.attempt)
	if p.copied {
		s += "_copy"
	}
	return s
}

// effect is something that the provider has really done.
type effect struct {
	operation int
	key       string // the vendor key that it came under; empty: none
	at        int
}

// claimed is what a server holds in memory between two of its steps.
type claimed byte

const (
	nothing  claimed = iota
	dueWork          // due work that it has claimed
	work             // a worker's work that it has claimed
	question         // a lookup that is under way
)

// server is one server process: what it holds, and the configuration as it has read it.
type server struct {
	holds     claimed
	operation int
	stamp     int64 // of due work and work
	asked     int   // when the question was put
	attempts  int64 // that existed then
	found     bool
	epoch     int64
}

func (w *world) time() time.Time { return timeOf(w.now) }

func timeOf(at int) time.Time { return beginning.Add(time.Duration(at) * tick) }

func tickOf(t time.Time) int {
	if t.IsZero() {
		return never
	}
	return int(t.Sub(beginning) / tick)
}

// soonest is the first tick that is not before a moment.
func soonest(t time.Time) int { return int((t.Sub(beginning) + tick - 1) / tick) }

// operation finds an operation by its number; nil: nobody has proposed it.
func (w *world) operation(i int) *ledger.Operation { return w.rows.operation(operationID(i)) }

// with makes a world of which one process is changed. A process of which nothing can come any more is dropped.
func (w world) with(i int, change func(*process)) world {
	w.processes = slices.Clone(w.processes)
	change(&w.processes[i])
	if w.processes[i].idle() {
		w.processes = slices.Delete(w.processes, i, i+1)
	}
	return w
}

// add makes a world with one process more, in its place.
func (w world) add(p process) world {
	i, _ := slices.BinarySearchFunc(w.processes, p, func(a, b process) int { return a.order() - b.order() })
	w.processes = slices.Insert(slices.Clone(w.processes), i, p)
	return w
}

func (h holder) order() int {
	n := h.operation*100 + h.attempt*10
	if h.copied {
		n++
	}
	return n
}

// busy counts the workers that hold a permit and have not come to their end.
func (w *world) busy() int {
	n := 0
	for i := range w.processes {
		if w.processes[i].phase != done {
			n++
		}
	}
	return n
}

// serve makes a world of which one server is changed.
func (w world) serve(s int, to server) world {
	to.epoch = w.servers[s].epoch
	w.servers[s] = to
	return w
}

// commit lets a request take effect at the provider, unless a remembered key tells it otherwise. It answers the effect.
func (w world) commit(r rules, p *process) (world, string) {
	key, count := "", 0
	if r.keyed() {
		key = w.operation(p.operation).VendorKey
		if r.broken != nil && r.broken.freshKey {
			key += p.suffix()
		}
	}
	for _, e := range w.effects {
		if e.operation != p.operation {
			continue
		}
		if key != "" && e.key == key && w.now < e.at+retention {
			return w, effectID(p.operation, count)
		}
		count++
	}
	w.effects = append(slices.Clip(w.effects), effect{p.operation, key, w.now})
	return w, effectID(p.operation, count)
}

func effectID(operation, n int) string {
	return "effect_" + strconv.Itoa(operation+1) + "_" + strconv.Itoa(n+1)
}

// count is how many effects an operation has had.
func (w *world) count(operation int) int {
	n := 0
	for _, e := range w.effects {
		if e.operation == operation {
			n++
		}
	}
	return n
}

// shows reports whether a lookup that is asked now finds an effect of the operation.
func (w *world) shows(operation int) bool {
	return slices.ContainsFunc(w.effects, func(e effect) bool { return e.operation == operation && e.at+lag <= w.now })
}

func (r rules) maySend(w *world, p *process) bool {
	wanted := ready
	if r.begin {
		wanted = begun
	}
	late := 0
	if r.broken != nil {
		late = r.broken.late
	}
	return p.phase == wanted && (r.stallsFreely() || w.now < p.deadline+late)
}
