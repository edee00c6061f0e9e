package ledger_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// pure wraps a command and holds its decision to what a decision is: the same for the same view, and without a trace in
// what it was given.
type pure struct {
	ledger.Command
	t *rapid.T
}

func (p pure) Decide(v *ledger.View, env ledger.Env) ledger.Decided {
	before := p.given(v)
	first := p.Command.Decide(v, env)
	second := p.Command.Decide(v, env)
	if after := p.given(v); after != before {
		p.t.Fatalf("%T changed what it was given from %s to %s", p.Command, before, after)
	}
	if !reflect.DeepEqual(first, second) {
		p.t.Fatalf("%T decided %+v, then %+v", p.Command, first, second)
	}
	return second
}

func (p pure) given(v *ledger.View) string {
	text := ""
	for _, r := range p.Reads(v) {
		if r.Kind == ledger.ReadOperation && v.Loaded(r) {
			o := v.Operation(r.Namespace, ledger.OperationID(r.ID))
			document, err := json.Marshal(o)
			if err != nil {
				p.t.Fatalf("%v", err)
			}
			text += r.ID + string(document)
			if o != nil {
				text += string(o.State) + fmt.Sprint(o.Version)
			}
		}
		if kept := v.Record(r); kept != nil {
			document, err := json.Marshal(kept)
			if err != nil {
				p.t.Fatalf("%v", err)
			}
			text += r.ID + string(document) + fmt.Sprint(kept.RowVersion())
		}
		if r.Kind == ledger.ReadScope && v.Loaded(r) {
			text += fmt.Sprintf("%+v", v.Scope(r.ScopeRef()))
		}
	}
	return text
}

// machine draws commands over a few operations, entities, groups and keys, with processes that hold permits.
type machine struct {
	t       *rapid.T
	w       *ledgertest.World
	holders []*ledgertest.Holder
	calls   []ledgertest.Call
}

func newMachine(t *rapid.T) *machine {
	m := &machine{t: t, w: ledgertest.New(t)}
	for _, tool := range ledgertest.Tools {
		tool.Terms.MaxElapsed = 0
		if tool.Terms.Class != registry.PureRead {
			tool.Terms.Group = rapid.SampledFrom([]string{"", "money", tool.Name}).Draw(t, "group")
		}
		for _, order := range []string{"order_1", "order_2"} {
			m.calls = append(m.calls, ledgertest.Call{
				Tool: tool, Key: tool.Name + ":" + order, Order: order, Args: fmt.Sprintf(`{"order":%q}`, order),
			})
		}
	}
	return m
}

func (m *machine) propose() ledger.Command {
	c := rapid.SampledFrom(m.calls).Draw(m.t, "call")
	c.Request = rapid.SampledFrom([]string{"", "", "r-1", "r-2"}).Draw(m.t, "request")
	c.Run = rapid.SampledFrom([]string{"run_1", "run_2"}).Draw(m.t, "run")
	c.PlanOnly = rapid.IntRange(0, 9).Draw(m.t, "plan") == 0
	if rapid.IntRange(0, 9).Draw(m.t, "other arguments") == 0 {
		c.Args = `{"order":"other"}`
	}
	if o := m.operation(); o != nil && rapid.IntRange(0, 4).Draw(m.t, "revise") == 0 {
		c.Revise = o.ID
	}
	return m.w.Command(c)
}

func (m *machine) operation() *ledger.Operation {
	all := m.w.Operations()
	if len(all) == 0 {
		return nil
	}
	return rapid.SampledFrom(all).Draw(m.t, "operation")
}

func (m *machine) holder() *ledgertest.Holder {
	if len(m.holders) == 0 {
		return nil
	}
	h := rapid.SampledFrom(m.holders).Draw(m.t, "holder")
	if rapid.IntRange(0, 9).Draw(m.t, "copy") == 0 {
		h = h.Copy()
		m.holders = append(m.holders, h)
	}
	return h
}

func (m *machine) report(h *ledgertest.Holder) ledger.Command {
	o := rapid.SampledFrom([]ledger.Outcome{
		ledger.OutcomeSucceeded, ledger.OutcomeNoop, ledger.OutcomeAcknowledge, ledger.OutcomeNotSent, ledger.OutcomeRejected,
		ledger.OutcomeRateLimited, ledger.OutcomeDeclined, ledger.OutcomeAmbiguous, ledger.OutcomeAmbiguous,
	}).Draw(m.t, "outcome")
	return h.Report(o, func(r *ledger.Report) {
		r.SenderReturned = rapid.IntRange(0, 4).Draw(m.t, "returned") > 0
		r.EffectID = rapid.SampledFrom([]string{"", "", string(h.Operation) + ":a", string(h.Operation) + ":b", "shared"}).Draw(m.t, "effect")
		r.Replayed = rapid.Bool().Draw(m.t, "replayed")
		if r.Outcome == ledger.OutcomeRateLimited {
			r.RetryAfter = time.Minute
		}
	})
}

func (m *machine) statement(o *ledger.Operation) ledger.Command {
	source := rapid.SampledFrom([]ledger.Source{ledger.SourceLookup, ledger.SourceLookup, ledger.SourceWebhook, ledger.SourcePerson}).Draw(m.t, "source")
	says := rapid.SampledFrom([]ledger.Says{ledger.SaysHappened, ledger.SaysInProgress, ledger.SaysNot, ledger.SaysNot, ledger.SaysUnknown}).Draw(m.t, "says")
	return m.w.Statement(o, source, says, func(s *ledger.Statement) {
		if rapid.IntRange(0, 3).Draw(m.t, "reference") > 0 {
			s.ClientReference = o.ClientReference
		}
		s.EffectID = rapid.SampledFrom([]string{"", string(o.ID) + ":a", "shared"}).Draw(m.t, "effect")
		ago := rapid.SampledFrom([]time.Duration{0, 0, time.Minute, time.Hour}).Draw(m.t, "asked ago")
		s.Ticket = ledger.Ticket{IssuedAt: m.w.Now.Add(-ago), Attempts: int64(len(o.Attempts))}.String()
		s.SeenVersion = o.Version - int64(rapid.IntRange(0, 1).Draw(m.t, "seen before"))
	})
}

// command draws one command.
func (m *machine) command() ledger.Command {
	h, o := m.holder(), m.operation()
	kind := rapid.IntRange(0, 11).Draw(m.t, "command")
	switch {
	case h == nil || o == nil || kind < 3:
		return m.propose()
	case kind < 5:
		return &ledger.Begin{Bearer: bearerOf(h), NonceHash: h.Nonce}
	case kind == 5:
		by := rapid.SampledFrom([]time.Duration{time.Second, time.Minute, time.Hour}).Draw(m.t, "by")
		return &ledger.Extend{Bearer: bearerOf(h), NonceHash: h.Nonce, By: by, ExtensionID: m.w.ID("ext")}
	case kind < 9:
		r := m.report(h).(*ledger.Report)
		if o := h.Now(); o.Attempt(h.Attempt).NonceHash == h.Nonce {
			r.NonceHash = h.Nonce
		}
		return r
	case kind < 11:
		return m.statement(o)
	}
	return &ledger.CancelOperation{Namespace: o.Namespace, Principal: "kim", OperationID: o.ID}
}

// pass lets time pass: to the next due work exactly, or by some step.
func (m *machine) pass() {
	step := rapid.SampledFrom([]time.Duration{0, 0, time.Microsecond, time.Second, 29 * time.Second, time.Minute, 11 * time.Minute, time.Hour, 25 * time.Hour}).Draw(m.t, "time")
	m.w.Advance(step)
	if o := m.operation(); o != nil && rapid.IntRange(0, 3).Draw(m.t, "to the due time") == 0 {
		if due, ok := ledger.DueOf(o); ok && due.At.After(m.w.Now) {
			m.w.Now = due.At
		}
	}
	if rapid.Bool().Draw(m.t, "due work") {
		m.w.RunDue()
	}
}

// took keeps the permit that a reply holds.
func (m *machine) took(reply any) {
	if a, ok := reply.(*ledger.Answer); ok && a.Permit != nil {
		m.holders = append(m.holders, m.w.HolderOf(a))
	}
}

// said puts a reply or a refusal into words that its repeat must say again.
func said(out ledger.Decided) string {
	var no *ledger.Refusal
	if errors.As(out.Err, &no) {
		return "refused: " + string(no.Reason)
	}
	switch r := out.Reply.(type) {
	case *ledger.Answer:
		s := string(r.Decision)
		if r.Permit != nil {
			s += " " + string(r.Permit.Attempt.ID)
		}
		if r.Operation != nil {
			s += fmt.Sprint(" ", r.Operation.ID, r.Operation.Version)
		}
		return s
	case *ledger.Held:
		return fmt.Sprint("held ", r.Operation.Version, r.Attempt.Deadline)
	case *ledger.Reported:
		return fmt.Sprint("reported ", r.Operation.Version)
	case *ledger.Reconciliation:
		return fmt.Sprint("reconciled ", r.Operation.Version, r.Evidence.ID)
	case *ledger.Cancelled:
		return fmt.Sprint("cancelled ", r.Operation.Version, r.Done)
	}
	return fmt.Sprintf("%+v %v", out.Reply, out.Err)
}

// TestAnySequence runs any sequence of commands at any times. After each the World's audit holds; each decision is pure;
// and a command that runs a second time with the same identifiers, as after an ambiguous commit, gives the same answer and
// changes nothing.
func TestAnySequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t)
		for range rapid.IntRange(1, 25).Draw(t, "commands") {
			m.pass()
			c := m.command()
			out := m.w.DoAll(pure{c, t})[0]
			if out.Err != nil && !ledgertest.Final(out.Err) {
				t.Fatalf("%T failed: %v", c, out.Err)
			}
			before := m.w.Dump()
			if again := m.w.DoAll(c)[0]; said(again) != said(out) {
				t.Fatalf("%T: %q; again: %q", c, said(out), said(again))
			}
			if after := m.w.Dump(); after != before {
				t.Fatalf("%T changed something when it ran again:\n%s\n%s", c, before, after)
			}
			m.took(out.Reply)
		}
	})
}

// TestBatches: commands that share a transaction come to the same as one after the other.
func TestBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t)
		for range rapid.IntRange(1, 6).Draw(t, "batches") {
			m.pass()
			var batch []ledger.Command
			for range rapid.IntRange(2, 5).Draw(t, "size") {
				batch = append(batch, m.command())
			}
			alone := m.w.Clone()
			out, again := m.w.Batch(batch...)
			var order []int
			for i := range batch {
				if !contains(again, i) {
					order = append(order, i)
				}
			}
			for _, i := range append(order, again...) {
				reply, err := alone.Do(batch[i])
				if one := said(ledger.Decided{Reply: reply, Err: err}); one != said(out[i]) {
					t.Fatalf("%T alone: %q, in a batch: %q", batch[i], one, said(out[i]))
				}
			}
			if a, b := alone.Dump(), m.w.Dump(); a != b {
				t.Fatalf("alone:\n%s\nin a batch:\n%s", a, b)
			}
			for i := range out {
				m.took(out[i].Reply)
			}
		}
	})
}

func contains(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}
