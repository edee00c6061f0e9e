package check

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Company judges records of one ledger and one provider against each other as they come, whatever each of them is by itself,
// and keeps of them no more than that takes. It holds what must be true of all operations of one ledger:
//
//   - a key and its number belong to one operation, and an operation to one business key;
//   - an object at a provider belongs to one operation;
//   - the fencing numbers of an entity and scope grow with every grant and never repeat;
//   - at most one permit is out in an exclusive group on one entity.
//
// It is used from one goroutine.
type Company struct {
	keys     map[string]string // the operation of each key and number
	business map[string]string // the business key of each operation
	owners   map[string]string // the operation of each object
	grants   map[string][]grant
	found    []eval.Finding
}

// NewCompany makes a company of no records.
func NewCompany() *Company {
	return &Company{keys: map[string]string{}, business: map[string]string{}, owners: map[string]string{}, grants: map[string][]grant{}}
}

// Add takes one more record.
func (c *Company) Add(r eval.Record) {
	if !judged(&r) {
		return
	}
	shown := &eval.Record{Run: r.Run, Key: r.Key, Steps: r.Steps}
	for _, o := range r.Operations {
		_, known := c.business[o.OperationId]
		c.identity(shown, o)
		c.effectsOwned(shown, o)
		if !known {
			c.granted(shown, o, r.Events[o.OperationId])
		}
	}
}

// Findings are what is wrong with the records that have come.
func (c *Company) Findings() []eval.Finding {
	all := &Company{found: slices.Clone(c.found)}
	for scope, grants := range sorted(c.grants) {
		grants = slices.Clone(grants)
		slices.SortStableFunc(grants, func(a, b grant) int { return cmp.Compare(a.number, b.number) })
		all.fences(scope, grants)
		if grouped(scope) {
			all.groups(scope, grants)
		}
	}
	return all.found
}

func (c *Company) add(r *eval.Record, checker string, d eval.Dimension, format string, args ...any) {
	f := &findings{checker: checker, record: r}
	f.add(d, format, args...)
	c.found = append(c.found, f.found...)
}

func (c *Company) identity(r *eval.Record, o *pb.Operation) {
	if key, known := c.business[o.OperationId]; known && key != r.Key {
		c.add(r, checkerEffects, eval.IntentToOperation, "operation %s answers for %s and for %s", o.OperationId, key, r.Key)
	}
	c.business[o.OperationId] = r.Key
	for _, k := range o.Keys {
		claim := fmt.Sprintf("%s (%d)", k.IdempotencyKey, k.Number)
		if holder, held := c.keys[claim]; held && holder != o.OperationId {
			c.add(r, checkerHistory, eval.IntentToOperation, "operations %s and %s both hold the key %s", holder, o.OperationId, claim)
		}
		c.keys[claim] = o.OperationId
	}
}

func (c *Company) effectsOwned(r *eval.Record, o *pb.Operation) {
	if !mutates(o.ToolClass) {
		return
	}
	for _, e := range o.Effects {
		id := fmt.Sprintf("%s of %s %s", e.EffectId, e.Provider, e.ProviderAccount)
		if first, owned := c.owners[id]; owned && first != o.OperationId {
			c.add(r, checkerEffects, eval.RetrySafety, "operations %s and %s both have the effect %s", first, o.OperationId, id)
		}
		c.owners[id] = o.OperationId
	}
}

// grant is one permit with one of its fencing numbers.
type grant struct {
	record             *eval.Record // as far as a finding shows it
	operation, attempt string
	number             int64
	from, to           time.Time
	lifted             bool // a person let others pass it
}

// granted keeps the permits of an operation by entity and scope.
func (c *Company) granted(r *eval.Record, o *pb.Operation, events []*pb.OperationEvent) {
	lifted := slices.ContainsFunc(events, func(e *pb.OperationEvent) bool { return e.Type == holdLifted })
	for _, a := range o.Attempts {
		for _, f := range a.FencingNumbers {
			g := grant{
				record: r, operation: o.OperationId, attempt: a.AttemptId, number: f.Number, from: a.GrantTime.AsTime(), to: a.DeadlineTime.AsTime(), lifted: lifted,
			}
			if a.EndTime != nil {
				g.to = a.EndTime.AsTime()
			}
			scope := fmt.Sprintf("%s on %s/%s", f.Scope, f.Entity.GetType(), f.Entity.GetId())
			c.grants[scope] = append(c.grants[scope], g)
		}
	}
}

// fences: numbers of a lease are shared by the permits under it, those of a group are not. Neither falls with time.
func (c *Company) fences(scope string, all []grant) {
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		switch {
		case a.number == b.number && grouped(scope):
			c.add(b.record, checkerHistory, eval.ConcurrencySafety, "the fencing number %d of %s was given to %s and to %s", b.number, scope, a.attempt, b.attempt)
		case a.number < b.number && b.from.Before(a.from):
			c.add(b.record, checkerHistory, eval.ConcurrencySafety, "the fencing numbers of %s fall: %d at %s, %d at %s", scope, b.number, b.from, a.number, a.from)
		}
	}
}

// groups: in a group on one entity at most one permit is out, unless a person let others pass it.
func (c *Company) groups(scope string, all []grant) {
	for i, a := 1, all[0]; i < len(all); i++ {
		b := all[i]
		if b.from.Before(a.to) && a.from.Before(b.to) && !a.lifted && !b.lifted {
			c.add(b.record, checkerHistory, eval.ConcurrencySafety, "two permits of %s are out at once: %s of %s and %s of %s", scope,
				a.attempt, a.operation, b.attempt, b.operation)
		}
		if b.to.After(a.to) {
			a = b // the one that lasts longest
		}
	}
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
