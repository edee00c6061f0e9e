package ledger_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// undoing draws what may happen round a compensation: repeats with other playbooks, executors that fail, people who give
// up, revise and cancel, effects that show late, and due work that runs or does not.
type undoing struct {
	t       *rapid.T
	w       *ledgertest.World
	id      ledger.OperationID
	holders []*ledgertest.Holder
}

func newUndoing(t *rapid.T) *undoing {
	u := &undoing{t: t, w: ledgertest.New(t)}
	call := capture
	call.Order = "order_123"
	h := u.w.Execute(call)
	if err := h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")); err != nil {
		t.Fatalf("%v", err)
	}
	u.id = h.Operation
	return u
}

func (u *undoing) original() *ledger.Operation { return u.w.Operation(ledgertest.North, u.id) }

// rows are the steps that exist, of every effect.
func (u *undoing) rows() []*ledger.Step {
	var rows []*ledger.Step
	for _, r := range u.w.Records(ledger.RecordStep) {
		rows = append(rows, r.(*ledger.Step))
	}
	return rows
}

func (u *undoing) row() *ledger.Step {
	rows := u.rows()
	if len(rows) == 0 {
		return nil
	}
	return rapid.SampledFrom(rows).Draw(u.t, "step")
}

func (u *undoing) compensate() ledger.Command {
	effects := u.original().EffectIDs()
	var steps []ledger.UndoStep
	for i := range rapid.IntRange(1, 3).Draw(u.t, "steps") {
		s := undoStep(fmt.Sprintf("step-%d", i+rapid.IntRange(0, 1).Draw(u.t, "another playbook")*3))
		s.Skipped = rapid.IntRange(0, 5).Draw(u.t, "skipped") == 0
		steps = append(steps, s)
	}
	return undo(u.w, u.id, rapid.SampledFrom(effects).Draw(u.t, "effect"), steps...)
}

// command draws one command; nil: there is nothing of the kind that was drawn.
func (u *undoing) command() ledger.Command {
	s := u.row()
	kind := rapid.IntRange(0, 12).Draw(u.t, "command")
	switch {
	case s == nil || kind < 2:
		return u.compensate()
	case kind < 4 && s.Arguments != nil: // somebody proposes the step, as its executor does
		call := stepCall(s)
		if s.OperationID != "" && rapid.Bool().Draw(u.t, "revise") {
			call.Revise = s.OperationID
		}
		return u.w.Command(call)
	case kind < 8 && len(u.holders) > 0:
		return u.report()
	case kind == 8:
		return &ledger.CancelOperation{Namespace: ledgertest.North, Principal: "kim", OperationID: u.id, GivesUp: true}
	case kind == 9 && s.OperationID != "":
		return &ledger.CancelOperation{Namespace: ledgertest.North, Principal: "kim", OperationID: s.OperationID}
	case kind == 10 && s.OperationID != "":
		return u.evidence(s.OperationID, "undone_"+s.ID)
	case kind == 11:
		return u.evidence(u.id, rapid.SampledFrom([]string{"ch_1", "ch_2"}).Draw(u.t, "effect"))
	}
	return &ledger.AdvanceStep{Key: s.Key(), Jitter: 0.5}
}

func (u *undoing) report() ledger.Command {
	h := rapid.SampledFrom(u.holders).Draw(u.t, "holder")
	_ = h.Begin() // a begin that is refused is one of the things that happen
	outcome := rapid.SampledFrom([]ledger.Outcome{
		ledger.OutcomeSucceeded, ledger.OutcomeSucceeded, ledger.OutcomeNoop, ledger.OutcomeRejected, ledger.OutcomeNotSent, ledger.OutcomeAmbiguous,
	}).Draw(u.t, "outcome")
	return h.Report(outcome, ledgertest.Effect(rapid.SampledFrom([]string{"", string(h.Operation) + ":a"}).Draw(u.t, "effect id")))
}

func (u *undoing) evidence(id ledger.OperationID, effect string) ledger.Command {
	o := u.w.Operation(ledgertest.North, id)
	says := rapid.SampledFrom([]ledger.Says{ledger.SaysHappened, ledger.SaysNot}).Draw(u.t, "says")
	return u.w.Statement(o, ledger.SourcePerson, says, func(s *ledger.Statement) {
		if says == ledger.SaysHappened {
			s.EffectID = effect
		}
	})
}

// holds is what must never be otherwise, whatever has run.
func (u *undoing) holds() {
	o, byStep := u.original(), map[string]int{}
	for _, other := range u.w.Operations() {
		if other.Undoes != nil && other.Supersedes == "" {
			byStep[other.Undoes.StepID]++
		}
	}
	for id, n := range byStep {
		if n > 1 {
			u.t.Fatalf("%d operations carry out step %s", n, id)
		}
	}
	for _, s := range u.rows() {
		if s.OperationID == "" {
			if byStep[s.ID] > 0 {
				u.t.Fatalf("step %s does not know its operation", s.Name)
			}
			continue
		}
		step := u.w.Operation(ledgertest.North, s.OperationID)
		if step.SupersededBy != "" || step.Undoes == nil || step.Undoes.StepID != s.ID {
			u.t.Fatalf("step %s has operation %s, which is not its newest", s.Name, step.ID)
		}
		undone := step.State == ledger.CompletedSuccess || step.State == ledger.CompletedNoop
		due := !s.NextAt.IsZero() && !s.NextAt.After(u.w.Now)
		if o.State == ledger.Compensated && !undone && !due {
			u.t.Fatalf("compensated, while step %s is %s and nothing is due to change that", s.Name, step.State)
		}
	}
}

// settled is what holds once nothing is due any more.
func (u *undoing) settled() {
	o := u.original()
	for _, entry := range o.Undoing {
		undone, effectless := true, true
		for _, id := range entry.Steps {
			s := u.w.Record(ledger.StepKey(ledgertest.North, id)).(*ledger.Step)
			state := ledger.State("")
			if s.OperationID != "" {
				state = u.w.Operation(ledgertest.North, s.OperationID).State
			}
			did := state == ledger.CompletedSuccess || state == ledger.CompletedNoop
			undone = undone && (did || s.Status == ledger.StepSkipped)
			effectless = effectless && (state == "" || state == ledger.FailedPermanent)
		}
		if undone != !entry.UndoneAt.IsZero() {
			u.t.Fatalf("effect %s counts as undone: %t; its steps say %t", entry.EffectID, !entry.UndoneAt.IsZero(), undone)
		}
		if !entry.LeftAt.IsZero() && !effectless {
			u.t.Fatalf("effect %s counts as left, and a step of it may have happened", entry.EffectID)
		}
		under := entry.UndoneAt.IsZero() && entry.LeftAt.IsZero()
		if under && o.State != ledger.Compensating {
			u.t.Fatalf("%s while the compensation of %s is under way", o.State, entry.EffectID)
		}
	}
	if o.State == ledger.Compensated && len(o.StandingEffects()) > 0 {
		u.t.Fatalf("compensated, and %v stand", o.StandingEffects())
	}
}

// TestAnyCompensation runs any sequence of commands round a compensation. A step never gets a second operation, an
// operation is never compensated while a step is open, unknown or failed, and each command is pure and can be repeated.
func TestAnyCompensation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := newUndoing(t)
		for range rapid.IntRange(1, 30).Draw(t, "commands") {
			u.w.Advance(rapid.SampledFrom([]time.Duration{0, 0, time.Second, 2 * time.Minute, late, 31 * time.Hour}).Draw(t, "time"))
			c := u.command()
			out := u.w.DoAll(pure{c, t})[0]
			var moved *ledger.OperationMovedError
			if out.Err != nil && !ledgertest.Final(out.Err) && !errors.As(out.Err, &moved) {
				t.Fatalf("%T failed: %v", c, out.Err)
			}
			if a, ok := out.Reply.(*ledger.Answer); ok && a.Permit != nil {
				u.holders = append(u.holders, u.w.HolderOf(a))
			}
			u.holds()
			if rapid.IntRange(0, 2).Draw(t, "due work") > 0 {
				u.w.RunDue()
				if err := runSteps(u.w); err != nil {
					t.Fatalf("%v", err)
				}
				u.holds()
				u.settled()
			}
		}
	})
}
