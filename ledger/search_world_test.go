package ledger_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// The small world of the exhaustive search: time in ticks, one operation, two attempts, processes that hold its permits,
// a provider, and lookups that lag. The ledger in it is the real core. What is assumed of the world, and no more:
//
//   - a request that left is committed within searchFlight ticks, or never; one that the provider took on, within
//     searchFinish ticks, or never;
//   - a commit shows in lookups within searchLag ticks;
//   - in classes 3 and 4 a process sends before its permit's deadline only (a tool's stall allowance is part of that
//     deadline here). In class 5 not even that: a process that may send can wake and send at any time.
const (
	searchTick      = time.Minute
	searchPermit    = 2
	searchFlight    = 1
	searchLag       = 1
	searchFinish    = 2
	searchRetention = 6
	searchAttempts  = 2
)

// rules are the traits of one world.
type rules struct {
	class         registry.Class
	begin         bool // the tool requires a begin
	replays       bool // a durable caller may ask twice with one request id
	babbles       bool // a layer round the sender reports beside it
	finishesLater bool // the provider may take on and finish later
	lookupsLie    bool // the profile is wrong: lookups miss what is there (only heed can hold then)
	cancels       bool // somebody may wish it cancelled
	extends       bool // a holder may ask for one tick more
	queued        bool // workers carry it out and ask the provider, as the ledger hands it to them
	horizon       int  // the last tick
}

func (r rules) String() string {
	s := string(r.class)
	for _, trait := range []struct {
		name string
		on   bool
	}{
		{"begin", r.begin}, {"replays", r.replays}, {"babbles", r.babbles}, {"finishes later", r.finishesLater},
		{"lookups lie", r.lookupsLie}, {"cancels", r.cancels}, {"extends", r.extends}, {"queued", r.queued},
	} {
		if trait.on {
			s += ", " + trait.name
		}
	}
	return s
}

func (r rules) tool() ledgertest.Tool {
	t := ledgertest.Tool{Name: "search", Version: 1, Terms: ledger.Terms{
		Class: r.class, Executor: registry.Inline, BeginRequired: r.begin,
		PermitDuration: searchPermit * searchTick, PermitGreatest: (searchPermit + r.extension()) * searchTick, MaxAttempts: searchAttempts,
		PendingMaxAge: 1000 * searchTick, RetryMaxAge: 1000 * searchTick, HumanAfter: 1000 * searchTick,
		Provider: "p", VendorKeyed: r.keyed(), KeyLength: 64, Retention: searchRetention * searchTick, MatchedEarly: true,
		Lookups: []registry.Lookup{{By: registry.ByClientReference}},
		Flight:  searchFlight * searchTick, Propagation: searchLag * searchTick, TimeToFinish: searchFinish * searchTick,
	}}
	if r.queued {
		return t.ByWorker()
	}
	return t
}

func (r rules) keyed() bool { return r.class == registry.ExternalIdempotentWrite }

func (r rules) extension() time.Duration {
	if r.extends {
		return 1
	}
	return 0
}

// phase is where a holder of a permit really is.
type phase byte

const (
	ready phase = iota // it has the permit
	begun              // its begin was accepted
	done
)

// never stands for a time that is not.
const never = -1

// process is a holder of a permit.
type process struct {
	attempt  int64
	deadline int // as it knows it
	phase    phase
	outcome  ledger.Outcome // what it saw and has not reported yet
	effect   string         // the provider's id, which goes with its report
	again    bool           // its report is a second one, of another layer
	inFlight int            // when its request left, while that may still commit
	pending  int            // when the provider took it on, while that may still finish
}

// question is a lookup under way.
type question struct {
	ticket ledger.Ticket
	found  bool
}

// world is one state of everything. It is a value: a step makes another one.
type world struct {
	now       int
	op        *ledger.Operation
	processes []process
	effects   []int // when they were committed
	lookup    *question
	said      bool // somebody has told the ledger that the effect exists
	heedless  bool // a permit, begin or extension was given although
}

func (w world) time() time.Time { return ledgertest.Start.Add(time.Duration(w.now) * searchTick) }

func ticksOf(t time.Time) int {
	if t.IsZero() {
		return never
	}
	return int(t.Sub(ledgertest.Start) / searchTick)
}

// soonestTick is the first tick that is not before a moment.
func soonestTick(t time.Time) int {
	return int((t.Sub(ledgertest.Start) + searchTick - 1) / searchTick)
}

// decide runs one command of the real core on the world's operation.
func (w world) decide(c ledger.Command, request *ledger.Claim) (world, ledger.Decided) {
	v := ledger.NewView(w.time())
	v.MarkLoaded(ledger.ReadOf(ledger.ReadTool, ledgertest.North, "search"))
	v.MarkLoaded(ledger.ReadOf(ledger.ReadEpoch, ledgertest.North, ""))
	v.MarkLoaded(ledger.ReadOf(ledger.ReadKey, ledgertest.North, "k"))
	v.MarkLoaded(ledger.RecordKey{Kind: ledger.RecordSwitch, Namespace: ledgertest.North, ID: "notices"}.Read())
	for _, cl := range c.Claims() {
		v.MarkLoaded(cl.Read())
	}
	if request != nil {
		v.PutClaim(*request)
	}
	if w.op != nil {
		v.PutOperation(w.op)
		v.PutClaim(ledger.Claim{ClaimID: ledger.ClaimID{Namespace: ledgertest.North, Kind: ledger.ClaimKey, Value: "k", Number: 1}, OperationID: w.op.ID})
	}
	out := c.Decide(v, ledger.Env{})
	if out.Changes != nil && len(out.Changes.Operations) > 0 {
		w.op = out.Changes.Operations[0]
	}
	return w, out
}

// propose makes a proposal under the request of the nth attempt.
func (r rules) propose(n int) *ledger.Propose {
	f := ledger.Form{ToolVersion: 1, Key: "k", Fingerprint: "sha256:a"}
	return &ledger.Propose{
		Namespace: ledgertest.North, Principal: ledgertest.Agent, RequestID: ledger.RequestID("r" + strconv.Itoa(n)), RequestHash: "h",
		Tool: "search", Terms: r.tool().Terms, Forms: []ledger.Form{f}, NewOperation: "op_1", NewAttempt: ledger.AttemptID("att_" + strconv.Itoa(n)),
	}
}

// take makes the command that takes up the operation's work.
func (w world) take(work ledger.Work) *ledger.Take {
	return &ledger.Take{
		Work: work, Actor: ledger.Actor{Principal: ledgertest.Worker}, NewAttempt: ledger.AttemptID("att_" + strconv.Itoa(len(w.op.Attempts)+1)),
	}
}

func (w world) bearer(p process) ledger.Bearer {
	return ledger.Bearer{
		Namespace: ledgertest.North, Principal: ledgertest.Agent, OperationID: w.op.ID, AttemptID: w.op.Attempts[p.attempt-1].ID, TokenProven: true,
	}
}

func nonceOf(i int) string { return "n" + strconv.Itoa(i) }

// put replaces one process.
func (w world) put(i int, change func(*process)) world {
	w.processes = slices.Clone(w.processes)
	change(&w.processes[i])
	return w
}

// commit lets a request take effect at the provider, unless a remembered key tells it otherwise. It answers the effect.
func (w world) commit(r rules) (world, string) {
	for i, at := range w.effects {
		if r.keyed() && w.now < at+searchRetention {
			return w, "e" + strconv.Itoa(i)
		}
	}
	w.effects = append(slices.Clone(w.effects), w.now)
	return w, "e" + strconv.Itoa(len(w.effects)-1)
}

func (w world) maySend(r rules, p process) bool {
	wanted := ready
	if r.begin {
		wanted = begun
	}
	if p.phase != wanted {
		return false
	}
	return r.class == registry.Irreversible || w.now < p.deadline
}

// canStillHappen reports whether an effect can still come of anything that is under way.
func (w world) canStillHappen(r rules) bool {
	for i, p := range w.processes {
		if p.inFlight != never || p.pending != never || w.maySend(r, p) {
			return true
		}
		if r.begin && p.phase == ready {
			if _, out := w.decide(&ledger.Begin{Bearer: w.bearer(p), NonceHash: nonceOf(i)}, nil); out.Err == nil {
				return true
			}
		}
	}
	return false
}

// broken names the promise that does not hold in this state.
func (w world) broken(r rules) string {
	switch {
	case w.heedless:
		return "heed: a permit, begin or extension although the effect was said to exist"
	case w.op == nil:
		return ""
	case !w.op.State.Ended() && w.op.Human == nil && !hasDue(w.op):
		return "a way: it is open, due for nothing, and nobody is asked"
	case r.lookupsLie:
		return ""
	case len(w.effects) > 1:
		return "once: the effect happened twice"
	case w.op.State == ledger.CompletedSuccess && len(w.effects) == 0:
		return "truth: completed_success without an effect"
	}
	if s := w.op.State; (s == ledger.FailedRetryable || s == ledger.FailedPermanent) && (len(w.effects) > 0 || w.canStillHappen(r)) {
		return fmt.Sprintf("truth: %s, but the effect is there or may come", s)
	}
	return ""
}

func hasDue(o *ledger.Operation) bool {
	_, ok := ledger.DueOf(o)
	return ok
}

// key tells states apart by all that decides what can come of them: identifiers, versions, and what is only told to
// people are left out.
func (w world) key() string {
	b := make([]byte, 0, 160)
	num := func(ns ...int) {
		for _, n := range ns {
			b = binary.AppendVarint(b, int64(n))
		}
	}
	flag := func(bs ...bool) {
		for _, x := range bs {
			if x {
				b = append(b, 1)
			} else {
				b = append(b, 0)
			}
		}
	}
	text := func(s string) { b = append(append(b, s...), 0) }
	num(w.now, len(w.processes), len(w.effects))
	flag(w.said, w.heedless, w.lookup != nil)
	num(w.effects...)
	if w.lookup != nil {
		num(ticksOf(w.lookup.ticket.IssuedAt), int(w.lookup.ticket.Attempts))
		flag(w.lookup.found)
	}
	for _, p := range w.processes {
		if p.phase == done && p.outcome == "" && p.inFlight == never && p.pending == never {
			b = append(b, 'x') // nothing comes of it any more
			continue
		}
		num(int(p.attempt), int(p.phase), p.inFlight, p.pending)
		if p.phase != done {
			num(p.deadline)
		}
		text(string(p.outcome) + p.effect)
		flag(p.again)
	}
	o := w.op
	if o == nil {
		return string(b)
	}
	text(string(o.State))
	num(int(o.Live), ticksOf(o.FinishBy), ticksOf(o.VendorKeySince), len(o.Attempts), len(o.Effects))
	flag(o.PresenceSaid, o.Settled != nil, o.Cancel != nil)
	for i := range o.Attempts {
		a := &o.Attempts[i]
		if a.Verdict == ledger.VerdictOpen {
			num(ticksOf(a.Deadline), ticksOf(a.ReportedAt), ticksOf(a.GreatestEnd))
		}
		flag(a.Begun(), a.Acknowledged, a.HandedAgain, a.ReportID != "", a.EarlierReportID != "")
		text(a.NonceHash)
		text(string(a.Outcome))
		text(string(a.Verdict) + a.EffectID)
	}
	for i := range o.Effects {
		text(o.Effects[i].EffectID)
	}
	if l := o.Looking; l != nil {
		num(l.Tries, l.Late, ticksOf(l.AskedAt), soonestTick(l.NextAt))
	}
	flag(o.Human != nil, o.ResendCleared)
	// A "no" that did not count may count later; of those about the same attempts the latest does if any does.
	var asked [searchAttempts + 1]int
	for i := range o.Evidence {
		if e := &o.Evidence[i]; e.Says == ledger.SaysNot && !e.Counted && e.Attempt == 0 && openUpTo(o, e.Attempts) {
			asked[e.Attempts] = max(asked[e.Attempts], ticksOf(e.AskedAt))
		}
	}
	num(asked[:]...)
	return string(b)
}

func openUpTo(o *ledger.Operation, n int64) bool {
	for i := range o.Attempts {
		if o.Attempts[i].Number <= n && o.Attempts[i].Verdict == ledger.VerdictOpen {
			return true
		}
	}
	return false
}
