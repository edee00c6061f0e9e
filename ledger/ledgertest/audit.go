package ledgertest

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// Audit checks everything that is stored against what must hold of every ledger at every moment:
//
//   - an operation's events are numbered without gaps, its state is the fold of its state_changed events, and each of
//     these is a step of the state table;
//   - at most one attempt is live, it is the newest one, and the operation is dispatched exactly then;
//   - every claim names an operation that says the same of itself, and every claim that an operation says it holds is there;
//   - each reference by which events name an operation is claimed, and no event waits under it;
//   - the holders of an exclusive group are its open operations, and at most one of them holds a permit;
//   - an entity is kept by exactly the mutating operations whose effect may still come, and a permit that carries a
//     lease's fencing number is of the lease's workflow;
//   - a history holds exactly the open operations that it charges, and has room for what happened;
//   - a tool and a provider have exactly as many permits out as their rows say, and never more than their bounds;
//   - fencing numbers grow and never repeat;
//   - an operation that has not ended is looked at again by somebody;
//   - the result of an effect that is known says since when it is;
//   - an operation is the same after it went through its JSON form.
func (w *World) Audit() error {
	for k, stored := range w.rows.operations {
		o, err := stored.operation(k)
		if err != nil {
			return err
		}
		for _, check := range []func(*ledger.Operation) error{w.auditHistory, w.auditAttempts, w.auditClaims, w.auditReferences, w.auditGroup, w.auditKept, w.auditCharges, w.auditLost, auditLearned, auditForm} {
			if err := check(o); err != nil {
				return fmt.Errorf("operation %s (%s): %w", o.ID, o.State, err)
			}
		}
	}
	if err := w.auditUsage(); err != nil {
		return err
	}
	for id, c := range w.rows.claims {
		if err := w.auditClaim(id, c); err != nil {
			return fmt.Errorf("%s claim %q: %w", id.Kind, id.Value, err)
		}
	}
	for ref, s := range w.rows.scopes {
		if err := w.auditScope(ref, s); err != nil {
			return fmt.Errorf("%s on %s: %w", ref.Name, ref.Entity, err)
		}
	}
	return nil
}

func (w *World) auditHistory(o *ledger.Operation) error {
	var state ledger.State
	events := w.Events(o.Namespace, o.ID)
	for i, e := range events {
		if e.Sequence != int64(i)+1 {
			return fmt.Errorf("event %d has the sequence %d", i+1, e.Sequence)
		}
		if e.Version > o.Version || i > 0 && e.Version < events[i-1].Version || i > 0 && e.At.Before(events[i-1].At) {
			return fmt.Errorf("event %d (version %d, %s) is out of order", e.Sequence, e.Version, e.At)
		}
		if e.Type != ledger.EventStateChanged {
			continue
		}
		if e.From != state {
			return fmt.Errorf("event %d leaves %q, but the state was %q", e.Sequence, e.From, state)
		}
		if allowed, _ := e.From.MayGo(e.To); !allowed {
			return fmt.Errorf("event %d goes from %q to %q", e.Sequence, e.From, e.To)
		}
		state = e.To
	}
	if state != o.State || int64(len(events)) != o.Sequence {
		return fmt.Errorf("its events make %q at sequence %d, it says %d", state, len(events), o.Sequence)
	}
	return nil
}

func (w *World) auditAttempts(o *ledger.Operation) error {
	live := 0
	for i, a := range o.Attempts {
		if a.Number != int64(i)+1 {
			return fmt.Errorf("attempt %d has the number %d", i+1, a.Number)
		}
		if a.EndedAt.IsZero() {
			live++
			if o.Live != a.Number {
				return fmt.Errorf("attempt %d has not ended and does not hold the permit", a.Number)
			}
		}
	}
	if (o.State == ledger.Dispatched) != (live == 1) || live > 1 {
		return fmt.Errorf("%d permits are out", live)
	}
	if o.State.Ended() == o.EndedAt.IsZero() {
		return fmt.Errorf("its end is at %s", o.EndedAt)
	}
	return nil
}

func (w *World) auditClaims(o *ledger.Operation) error {
	held := func(id ledger.ClaimID) error {
		if c, ok := w.rows.claims[id]; !ok || c.OperationID != o.ID {
			return fmt.Errorf("it says that it holds the %s claim %q %d, which is %q's", id.Kind, id.Value, id.Number, c.OperationID)
		}
		return nil
	}
	for _, k := range o.Keys {
		if err := held(ledger.ClaimID{Namespace: o.Namespace, Kind: ledger.ClaimKey, Value: string(k.Key), Number: k.Number}); err != nil {
			return err
		}
	}
	for _, e := range o.Effects {
		id := ledger.ClaimID{Namespace: o.Namespace, Kind: ledger.ClaimEffect, Value: ledger.EffectValue(e.Provider, e.Account, e.EffectID)}
		if err := held(id); err != nil {
			return err
		}
	}
	return nil
}

func (w *World) auditClaim(id ledger.ClaimID, c ledger.Claim) error {
	if c.OperationID == "" && id.Kind == ledger.ClaimRequest {
		return nil
	}
	o := w.Operation(id.Namespace, c.OperationID)
	if o == nil {
		return fmt.Errorf("it names %q, which does not exist", c.OperationID)
	}
	switch id.Kind {
	case ledger.ClaimKey:
		for _, k := range o.Keys {
			if string(k.Key) == id.Value && k.Number == id.Number {
				return nil
			}
		}
	case ledger.ClaimEffect:
		for _, e := range o.Effects {
			if ledger.EffectValue(e.Provider, e.Account, e.EffectID) == id.Value {
				return nil
			}
		}
	case ledger.ClaimReference:
		return auditReference(id, o)
	default:
		return nil
	}
	return fmt.Errorf("operation %s does not say that it holds it", o.ID)
}

// auditGroup checks that an operation is among its group's holders exactly while it is open.
func (w *World) auditGroup(o *ledger.Operation) error {
	ref, grouped := o.GroupRef()
	if !grouped {
		return nil
	}
	holds := false
	for _, h := range w.rows.scopes[ref].Holders {
		holds = holds || h.OperationID == string(o.ID)
	}
	if open := o.State.Released() && (o.Lifted == nil || o.Lifted.Scope != ref.Name); holds != (open || o.State == ledger.Planned) {
		return fmt.Errorf("that it holds its group is %t", holds)
	}
	return nil
}

// auditKept checks that an operation keeps its entities exactly while its effect may still come.
func (w *World) auditKept(o *ledger.Operation) error {
	may := o.State == ledger.Dispatched || o.State == ledger.Acknowledged || o.State == ledger.UnknownOutcome || o.State == ledger.Compensating
	for _, e := range append([]locks.Entity{o.Entity}, o.Touches...) {
		if e.IsZero() || !o.Terms.Mutates() || o.Lifted != nil {
			continue
		}
		keeps := false
		for _, h := range w.rows.scopes[locks.LeaseRefOf(string(o.Namespace), e)].Holders {
			keeps = keeps || h.OperationID == string(o.ID)
		}
		if keeps != may {
			return fmt.Errorf("that it keeps %s is %t", e, keeps)
		}
	}
	return nil
}

// auditCharges checks that an operation is held in its histories exactly while it is open.
func (w *World) auditCharges(o *ledger.Operation) error {
	for _, c := range o.Charges {
		h, _ := w.Record(ledger.RecordKey{Kind: ledger.RecordHistory, Namespace: o.Namespace, ID: c.History}).(*ledger.History)
		held := false
		if h != nil {
			for _, hold := range h.Open {
				held = held || hold.Operation == string(o.ID) && !hold.Waiting
			}
		}
		if held != o.State.Released() {
			return fmt.Errorf("that it is held in %s is %t", c.History, held)
		}
	}
	return nil
}

// auditUsage checks that what counts permits has counted right.
func (w *World) auditUsage() error {
	out, bound := map[ledger.RecordKey]int64{}, map[ledger.RecordKey]int{}
	for _, o := range w.Operations() {
		if a := o.LiveAttempt(); a != nil {
			for _, id := range a.Slots {
				key := ledger.HistoryKey(o.Namespace, id)
				out[key]++
				bound[key] = max(o.Terms.ToolSlots, o.Terms.ProviderSlots)
			}
		}
	}
	for key := range w.rows.records {
		if key.Kind != ledger.RecordHistory {
			continue
		}
		if h, ok := w.Record(key).(*ledger.History); ok {
			if h.Out != out[key] {
				return fmt.Errorf("%s says that %d permits are out, there are %d", key.ID, h.Out, out[key])
			}
			if b := bound[key]; b > 0 && h.Out > int64(b) {
				return fmt.Errorf("%s has %d permits out, at most %d may be", key.ID, h.Out, b)
			}
		}
	}
	return nil
}

func (w *World) auditScope(ref locks.Ref, s locks.Scope) error {
	if s.Fence < w.fences[ref] {
		return fmt.Errorf("the fencing number fell from %d to %d", w.fences[ref], s.Fence)
	}
	w.fences[ref] = s.Fence
	if ref.Name == locks.LeaseName {
		return nil
	}
	permits := 0
	seen := map[int64]bool{}
	for _, o := range w.Operations() {
		if own, grouped := o.GroupRef(); !grouped || own != ref {
			continue
		}
		if o.Live != 0 {
			permits++
		}
		for _, a := range o.Attempts {
			for _, f := range a.Fences {
				if f.Scope != ref.Name {
					continue
				}
				if seen[f.Number] || f.Number > s.Fence {
					return fmt.Errorf("the fencing number %d was given twice, or is above %d", f.Number, s.Fence)
				}
				seen[f.Number] = true
			}
		}
	}
	if permits > 1 {
		return fmt.Errorf("%d of its operations hold a permit", permits)
	}
	return nil
}

// auditForm checks that the JSON form keeps everything.
func auditForm(o *ledger.Operation) error {
	document, err := json.Marshal(o)
	if err != nil {
		return err
	}
	back := &ledger.Operation{Namespace: o.Namespace, ID: o.ID, Version: o.Version, State: o.State}
	if err := json.Unmarshal(document, back); err != nil {
		return err
	}
	if !reflect.DeepEqual(o, back) {
		return fmt.Errorf("its JSON form loses something: %s", document)
	}
	return nil
}
