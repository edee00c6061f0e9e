package check

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// together holds what must be true of all operations of one ledger:
//
//   - a key and its number belong to one operation, and an operation to one business key;
//   - an object at a provider belongs to one operation;
//   - the fencing numbers of an entity and scope grow with every grant and never repeat;
//   - at most one permit is out in an exclusive group on one entity.
type together struct {
	records []*eval.Record
	found   []eval.Finding
}

func (t *together) add(r *eval.Record, checker string, d eval.Dimension, format string, args ...any) {
	f := &findings{checker: checker, record: r}
	f.add(d, format, args...)
	t.found = append(t.found, f.found...)
}

// each visits every operation once for each record that holds it.
func (t *together) each(visit func(r *eval.Record, o *pb.Operation)) {
	for _, r := range t.records {
		for _, o := range r.Operations {
			visit(r, o)
		}
	}
}

func (t *together) identities() {
	keys, business := map[string]string{}, map[string]string{}
	t.each(func(r *eval.Record, o *pb.Operation) {
		if key, known := business[o.OperationId]; known && key != r.Key {
			t.add(r, checkerEffects, eval.IntentToOperation, "operation %s answers for %s and for %s", o.OperationId, key, r.Key)
		}
		business[o.OperationId] = r.Key
		for _, k := range o.Keys {
			claim := fmt.Sprintf("%s (%d)", k.IdempotencyKey, k.Number)
			if holder, held := keys[claim]; held && holder != o.OperationId {
				t.add(r, checkerHistory, eval.IntentToOperation, "operations %s and %s both hold the key %s", holder, o.OperationId, claim)
			}
			keys[claim] = o.OperationId
		}
	})
}

func (t *together) effectsOwned() {
	owner := map[string]string{}
	t.each(func(r *eval.Record, o *pb.Operation) {
		if !mutates(o.ToolClass) {
			return
		}
		for _, e := range o.Effects {
			id := fmt.Sprintf("%s of %s %s", e.EffectId, e.Provider, e.ProviderAccount)
			if first, owned := owner[id]; owned && first != o.OperationId {
				t.add(r, checkerEffects, eval.RetrySafety, "operations %s and %s both have the effect %s", first, o.OperationId, id)
			}
			owner[id] = o.OperationId
		}
	})
}

// grant is one permit with one of its fencing numbers.
type grant struct {
	record    *eval.Record
	operation *pb.Operation
	attempt   *pb.Attempt
	number    int64
	from, to  time.Time
}

// grants are the permits of each entity and scope, in the order of their numbers.
func (t *together) grants() map[string][]grant {
	scopes, seen := map[string][]grant{}, map[string]bool{}
	t.each(func(r *eval.Record, o *pb.Operation) {
		if seen[o.OperationId] {
			return
		}
		seen[o.OperationId] = true
		for _, a := range o.Attempts {
			for _, f := range a.FencingNumbers {
				g := grant{record: r, operation: o, attempt: a, number: f.Number, from: a.GrantTime.AsTime(), to: a.DeadlineTime.AsTime()}
				if a.EndTime != nil {
					g.to = a.EndTime.AsTime()
				}
				scope := fmt.Sprintf("%s on %s/%s", f.Scope, f.Entity.GetType(), f.Entity.GetId())
				scopes[scope] = append(scopes[scope], g)
			}
		}
	})
	for _, all := range scopes {
		slices.SortStableFunc(all, func(a, b grant) int { return cmp.Compare(a.number, b.number) })
	}
	return scopes
}

// fences: numbers of a lease are shared by the permits under it, those of a group are not. Neither falls with time.
func (t *together) fences() {
	for scope, all := range sorted(t.grants()) {
		for i := 1; i < len(all); i++ {
			a, b := all[i-1], all[i]
			switch {
			case a.number == b.number && grouped(scope):
				t.add(b.record, checkerHistory, eval.ConcurrencySafety, "the fencing number %d of %s was given to %s and to %s", b.number, scope, a.attempt.AttemptId, b.attempt.AttemptId)
			case a.number < b.number && b.from.Before(a.from):
				t.add(b.record, checkerHistory, eval.ConcurrencySafety, "the fencing numbers of %s fall: %d at %s, %d at %s", scope, b.number, b.from, a.number, a.from)
			}
		}
	}
}

// groups: in a group on one entity at most one permit is out, unless a person let others pass it.
func (t *together) groups() {
	for scope, all := range sorted(t.grants()) {
		if !grouped(scope) {
			continue
		}
		for i, a := 1, all[0]; i < len(all); i++ {
			b := all[i]
			if b.from.Before(a.to) && a.from.Before(b.to) && !lifted(a) && !lifted(b) {
				t.add(b.record, checkerHistory, eval.ConcurrencySafety, "two permits of %s are out at once: %s of %s and %s of %s", scope,
					a.attempt.AttemptId, a.operation.OperationId, b.attempt.AttemptId, b.operation.OperationId)
			}
			if b.to.After(a.to) {
				a = b // the one that lasts longest
			}
		}
	}
}

func lifted(g grant) bool {
	for _, e := range g.record.Events[g.operation.OperationId] {
		if e.Type == pb.OperationEventType_OPERATION_EVENT_TYPE_HOLD_LIFTED {
			return true
		}
	}
	return false
}

func grouped(scope string) bool { return len(scope) > 6 && scope[:6] == "group/" }

// sorted visits a map in the order of its keys, so that the same records give the same findings.
func sorted[V any](m map[string]V) func(yield func(string, V) bool) {
	return func(yield func(string, V) bool) {
		keys := make([]string, 0, len(m))
		for k := range m {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
