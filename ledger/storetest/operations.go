package storetest

import (
	"context"
	"reflect"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

func operations(t *testing.T, fresh Make) {
	t.Run("every field comes back as it was saved", func(t *testing.T) {
		b := open(t, fresh)
		now, err := b.engine.Time(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		full := &ledger.Operation{}
		(&filler{from: now}).fill(t, reflect.ValueOf(full).Elem())
		// These are columns, and what an edge has checked before.
		full.Namespace, full.ID, full.State, full.Tool = tenant, "op_full", ledger.UnknownOutcome, "tool"
		full.Key, full.WorkflowID, full.RunID, full.Entity.Type, full.Entity.ID, full.Live = "key", "wf", "run", "order", "1", 1
		full.Terms.Class = registry.Irreversible
		step(t, b.engine, nil, func(*ledger.View) *ledger.Changes {
			return &ledger.Changes{Operations: []*ledger.Operation{full}, Created: map[ledger.OperationKey]bool{full.RowKey(): true}}
		})
		same(t, "through a reader", get(t, b.engine, full), full)
		same(t, "through a transaction", view(t, b.engine, readOf(full)).Operation(tenant, full.ID), full)
	})
	t.Run("one that does not exist is not found, here or in another namespace", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		_, err := b.engine.GetOperation(t.Context(), tenant, "op_2")
		refused(t, "absent", err, ledger.ErrNotFound)
		_, err = b.engine.GetOperation(t.Context(), other, o.ID)
		refused(t, "of another tenant", err, ledger.ErrNotFound)
		v := view(t, b.engine, ledger.ReadOf(ledger.ReadOperation, other, string(o.ID)), ledger.ReadOf(ledger.ReadKey, other, string(o.Key)))
		if v.Operation(other, o.ID) != nil || len(v.Claims(ledger.ClaimID{Namespace: other, Kind: ledger.ClaimKey, Value: string(o.Key)})) > 0 {
			t.Fatal("another tenant's rows show")
		}
	})
	t.Run("a transaction that does not know the newest version loses", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		err := try(t.Context(), b.engine, nil, func(v *ledger.View) *ledger.Changes {
			return &ledger.Changes{Operations: []*ledger.Operation{next(o, v.Now, nil)}}
		})
		if err == nil {
			t.Fatal("an operation was changed without having been loaded")
		}
		err = try(t.Context(), b.engine, []ledger.Read{readOf(o)}, func(*ledger.View) *ledger.Changes {
			return &ledger.Changes{Operations: []*ledger.Operation{o}}
		})
		if err == nil {
			t.Fatal("an operation was changed without a new version")
		}
		same(t, "operation", get(t, b.engine, o), o)
	})
	t.Run("several changes of one transaction are saved as the last", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		step(t, b.engine, []ledger.Read{readOf(o)}, func(v *ledger.View) *ledger.Changes {
			return &ledger.Changes{Operations: []*ledger.Operation{next(next(o, v.Now, nil), v.Now, nil)}}
		})
		if got := get(t, b.engine, o).Version; got != 3 {
			t.Fatalf("version %d, want 3", got)
		}
		same(t, "watched versions", versions(t, b.engine, o.ID, "op_2"), map[ledger.OperationID]int64{o.ID: 3})
	})
	t.Run("one transaction makes an operation and changes its namesake of another namespace", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		var made, changed *ledger.Operation
		step(t, b.engine, []ledger.Read{readOf(o)}, func(v *ledger.View) *ledger.Changes {
			made, changed = operation(other, "op_1", v.Now), next(o, v.Now, nil)
			c := creation(made)
			c.Operations = append(c.Operations, changed)
			return c
		})
		same(t, "made", get(t, b.engine, made), made)
		same(t, "changed", get(t, b.engine, changed), changed)
	})
	t.Run("an id that exists is not made twice", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := try(ctx, b.engine, nil, func(v *ledger.View) *ledger.Changes {
			again := operation(tenant, "op_1", v.Now)
			again.Tool = "another"
			return &ledger.Changes{Operations: []*ledger.Operation{again}, Created: map[ledger.OperationKey]bool{again.RowKey(): true}}
		})
		if err == nil {
			t.Fatal("an operation was made twice")
		}
		same(t, "operation", get(t, b.engine, o), o)
	})
}

func versions(t *testing.T, e ledger.Engine, ids ...ledger.OperationID) map[ledger.OperationID]int64 {
	t.Helper()
	found, err := e.Versions(t.Context(), tenant, ids)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
