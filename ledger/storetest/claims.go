package storetest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/opledger/opledger/ledger"
)

func claims(t *testing.T, fresh Make) {
	t.Run("a free claim is taken, a taken one is answered as lost", func(t *testing.T) {
		b := open(t, fresh)
		mine, yours := keyClaim(tenant, "k", 1, "op_1"), keyClaim(tenant, "k", 1, "op_2")
		same(t, "first", claim(t, b.engine, mine), []ledger.ClaimID(nil))
		same(t, "second", claim(t, b.engine, yours, keyClaim(tenant, "k", 2, "op_2")), []ledger.ClaimID{yours.ClaimID})
	})
	t.Run("namespace, kind, value and number tell claims apart", func(t *testing.T) {
		b := open(t, fresh)
		effect := ledger.Claim{ClaimID: ledger.ClaimID{Namespace: tenant, Kind: ledger.ClaimEffect, Value: "k"}, OperationID: "op_1"}
		lost := claim(t, b.engine, keyClaim(tenant, "k", 1, "op_1"), keyClaim(tenant, "k", 2, "op_2"), keyClaim(tenant, "K", 1, "op_3"),
			keyClaim(other, "k", 1, "op_4"), effect)
		same(t, "lost", lost, []ledger.ClaimID(nil))
	})
	t.Run("a claim is read back as it was made, with the operation that holds it", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		request := requestClaim(tenant, "r1")
		request.OperationID, request.AttemptID = o.ID, "att_1"
		claim(t, b.engine, request, keyClaim(tenant, string(o.Key), 2, o.ID))
		v := view(t, b.engine, request.Read(), keyClaim(tenant, string(o.Key), 1, o.ID).Read())
		same(t, "request", v.Claims(request.ClaimID), []ledger.Claim{request})
		id := ledger.ClaimID{Namespace: tenant, Kind: ledger.ClaimKey, Value: string(o.Key)}
		same(t, "keys by number", v.Claims(id), []ledger.Claim{keyClaim(tenant, string(o.Key), 1, o.ID), keyClaim(tenant, string(o.Key), 2, o.ID)})
		same(t, "operation", v.Operation(tenant, o.ID), o)
	})
	t.Run("a reference is one operation's, and brings it into view", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		id := ledger.ClaimID{Namespace: tenant, Kind: ledger.ClaimReference, Value: "client_reference\x1fopl_1"}
		mine, yours := ledger.Claim{ClaimID: id, OperationID: o.ID}, ledger.Claim{ClaimID: id, OperationID: "op_2"}
		step(t, b.engine, nil, func(*ledger.View) *ledger.Changes { return &ledger.Changes{Claims: []ledger.Claim{mine}} })
		err := try(t.Context(), b.engine, nil, func(*ledger.View) *ledger.Changes { return &ledger.Changes{Claims: []ledger.Claim{yours}} })
		refused(t, "another's reference", err, ledger.ErrLostWrite)
		v := view(t, b.engine, id.Read())
		same(t, "claims", v.Claims(id), []ledger.Claim{mine})
		same(t, "operation", v.Operation(tenant, o.ID), o)
		id.Value = "client_reference\x1fopl_2"
		same(t, "a reference of nobody", view(t, b.engine, id.Read()).Claims(id), []ledger.Claim(nil))
	})
	t.Run("a claim given back is free again", func(t *testing.T) {
		b := open(t, fresh)
		mine := keyClaim(tenant, "k", 1, "op_1")
		err := b.engine.Transact(t.Context(), func(ctx context.Context, tx ledger.Tx) error {
			if _, err := tx.Claim(ctx, []ledger.Claim{mine}); err != nil {
				return err
			}
			return tx.Save(ctx, &ledger.Changes{Unclaims: []ledger.ClaimID{mine.ClaimID}})
		})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "lost", claim(t, b.engine, keyClaim(tenant, "k", 1, "op_2")), []ledger.ClaimID(nil))
	})
	t.Run("what a request earned can be changed, an owner cannot", func(t *testing.T) {
		b := open(t, fresh)
		request, key := requestClaim(tenant, "r1"), keyClaim(tenant, "k", 1, "op_1")
		claim(t, b.engine, request, key)
		request.OperationID, request.AttemptID = "op_2", "att_2"
		step(t, b.engine, nil, func(*ledger.View) *ledger.Changes { return &ledger.Changes{Claims: []ledger.Claim{request, key}} })
		same(t, "request", view(t, b.engine, request.Read()).Claims(request.ClaimID), []ledger.Claim{request})
		key.OperationID = "op_2"
		err := try(t.Context(), b.engine, nil, func(*ledger.View) *ledger.Changes { return &ledger.Changes{Claims: []ledger.Claim{key}} })
		refused(t, "another's key", err, ledger.ErrLostWrite)
	})
	t.Run("long values are told apart to their last byte", func(t *testing.T) {
		b := open(t, fresh)
		same(t, "lost", claim(t, b.engine, keyClaim(tenant, long(1000)+"a", 1, "op_1"), keyClaim(tenant, long(1000)+"b", 1, "op_2")), []ledger.ClaimID(nil))
	})
	t.Run("of 64 claimants of one key one wins", func(t *testing.T) {
		b := open(t, fresh)
		engines := b.servers(t, 4)
		var won atomic.Int64
		var wait sync.WaitGroup
		for i := range 64 {
			wait.Go(func() {
				mine := keyClaim(tenant, "k", 1, ledger.OperationID(fmt.Sprintf("op_%d", i)))
				var lost []ledger.ClaimID
				err := engines[i%len(engines)].Transact(t.Context(), func(ctx context.Context, tx ledger.Tx) (err error) {
					lost, err = tx.Claim(ctx, []ledger.Claim{mine})
					return err
				})
				switch {
				case err != nil:
					t.Errorf("claimant %d: %v", i, err)
				case len(lost) == 0:
					won.Add(1)
				}
			})
		}
		wait.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d of 64 won", won.Load())
		}
	})
}

// claim claims in a transaction of its own.
func claim(t *testing.T, e ledger.Engine, list ...ledger.Claim) (lost []ledger.ClaimID) {
	t.Helper()
	err := e.Transact(t.Context(), func(ctx context.Context, tx ledger.Tx) (err error) {
		lost, err = tx.Claim(ctx, list)
		return err
	})
	if err != nil {
		t.Fatalf("claim: %v", err)
	}
	return lost
}
