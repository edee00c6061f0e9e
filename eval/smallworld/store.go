package smallworld

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// rows are committed state. They are a value: a transaction writes copies of what it changes, so that states share what
// they have in common. Rows that were loaded are never written to.
type rows struct {
	operations []*ledger.Operation
	claims     []ledger.Claim
	scopes     []locks.Scope
	records    []ledger.Record
	epoch      int64
}

func (r *rows) operation(id ledger.OperationID) *ledger.Operation {
	for _, o := range r.operations {
		if o.ID == id {
			return o
		}
	}
	return nil
}

func (r *rows) record(key ledger.RecordKey) ledger.Record {
	for _, have := range r.records {
		if have.Key() == key {
			return have
		}
	}
	return nil
}

func (r *rows) scope(ref locks.Ref) (locks.Scope, bool) {
	for _, s := range r.scopes {
		if s.Ref == ref {
			return s, true
		}
	}
	return locks.Scope{Ref: ref}, false
}

// tx is one try of one transaction over rows. It commits by its rows being taken.
type tx struct {
	now  time.Time
	rows rows
	// see is a broken rule's view of what is loaded; nil: as it is.
	see func(*ledger.Operation) *ledger.Operation
	// alone hides who else holds a scope, and still the last number that was given there.
	alone, still bool
}

func (t *tx) Now(context.Context) (time.Time, error) { return t.now, nil }

func (t *tx) Claim(_ context.Context, claims []ledger.Claim) (lost []ledger.ClaimID, err error) {
	for _, c := range claims {
		if t.holder(c.ClaimID) >= 0 {
			lost = append(lost, c.ClaimID)
			continue
		}
		t.rows.claims = append(slices.Clip(t.rows.claims), c)
	}
	return lost, nil
}

func (t *tx) holder(id ledger.ClaimID) int {
	return slices.IndexFunc(t.rows.claims, func(c ledger.Claim) bool { return c.ClaimID == id })
}

func (t *tx) Load(_ context.Context, v *ledger.View, reads []ledger.Read) error {
	for _, r := range reads {
		v.MarkLoaded(r)
		switch r.Kind {
		case ledger.ReadOperation:
			t.loadOperation(v, ledger.OperationID(r.ID))
		case ledger.ReadKey, ledger.ReadRequest, ledger.ReadEffect, ledger.ReadReference:
			for _, c := range t.rows.claims {
				if c.Read() != r {
					continue
				}
				v.PutClaim(c)
				if r.Kind != ledger.ReadRequest {
					t.loadOperation(v, c.OperationID)
				}
			}
		case ledger.ReadScope:
			s, _ := t.rows.scope(r.ScopeRef())
			if t.alone {
				s.Holders = nil
			}
			if t.still {
				s.Fence = max(0, s.Fence-1)
			}
			v.PutScope(s)
		case ledger.ReadEpoch:
			v.PutEpoch(r.Namespace, t.rows.epoch)
		case ledger.ReadTool: // no tool is switched off
		default:
			if err := t.loadRecord(v, ledger.RecordKey{Kind: ledger.RecordKind(r.Kind), Namespace: r.Namespace, ID: r.ID}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *tx) loadOperation(v *ledger.View, id ledger.OperationID) {
	o := t.rows.operation(id)
	if o == nil {
		return
	}
	if t.see != nil {
		o = t.see(o)
	}
	v.PutOperation(o)
}

func (t *tx) loadRecord(v *ledger.View, key ledger.RecordKey) error {
	r := t.rows.record(key)
	if r == nil && key.Kind.Awaited() {
		var err error
		if r, err = ledger.DecodeRecord(key, 0, nil); err != nil {
			return err
		}
	}
	if r != nil {
		v.PutRecord(r)
	}
	return nil
}

// Save takes the changes. What the search does not know how to tell apart is refused, so that no state is taken for
// another one by oversight.
func (t *tx) Save(_ context.Context, c *ledger.Changes) error {
	t.rows.claims = slices.DeleteFunc(slices.Clone(t.rows.claims), func(have ledger.Claim) bool { return slices.Contains(c.Unclaims, have.ClaimID) })
	var conflict ledger.ClaimConflictError
	for _, cl := range c.Claims {
		switch i := t.holder(cl.ClaimID); {
		case i < 0:
			t.rows.claims = append(t.rows.claims, cl)
		case cl.Kind == ledger.ClaimRequest || t.rows.claims[i].OperationID == cl.OperationID:
			t.rows.claims[i] = cl
		default:
			conflict.IDs = append(conflict.IDs, cl.ClaimID)
		}
	}
	if len(conflict.IDs) > 0 {
		return &conflict
	}
	for _, o := range c.Operations {
		t.rows.operations = put(t.rows.operations, o, func(have *ledger.Operation) bool { return have.ID == o.ID })
	}
	for _, s := range c.Scopes {
		t.rows.scopes = put(t.rows.scopes, s, func(have locks.Scope) bool { return have.Ref == s.Ref })
	}
	for _, r := range c.Records {
		switch kind := r.Key().Kind; kind {
		case ledger.RecordLease:
		case ledger.RecordNotice:
			continue // tells people, and decides nothing
		default:
			return fmt.Errorf("a %s was saved, which this world does not have", kind)
		}
		t.rows.records = put(t.rows.records, r, func(have ledger.Record) bool { return have.Key() == r.Key() })
	}
	if len(c.Tools)+len(c.Versions)+len(c.Epochs) > 0 {
		return fmt.Errorf("the configuration was saved, which no command of this world changes")
	}
	return nil
}

// put replaces or adds one row in a copy of the list.
func put[T any](list []T, row T, same func(T) bool) []T {
	list = slices.Clone(list)
	if i := slices.IndexFunc(list, same); i >= 0 {
		list[i] = row
		return list
	}
	return append(list, row)
}
