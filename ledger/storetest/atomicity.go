package storetest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// errOnPurpose is what a transaction of the suite fails with.
var errOnPurpose = errors.New("on purpose")

func atomicity(t *testing.T, fresh Make) {
	everything := func(v *ledger.View) *ledger.Changes {
		c := creation(operation(tenant, "op_1", v.Now))
		c.Scopes = []locks.Scope{{Ref: group(tenant, "1"), Fence: 3}}
		c.Decisions = []ledger.Decision{{Namespace: tenant, ID: "dec_1", At: v.Now, Kind: ledger.DecisionDenied}}
		c.Tools = []ledger.ToolHead{{Namespace: tenant, Name: "refund", Version: 1}}
		c.Epochs = map[ledger.Namespace]int64{tenant: 1}
		return c
	}
	nothing := func(t *testing.T, b *bench) {
		t.Helper()
		ref := group(tenant, "1")
		v := view(t, b.engine, ledger.ReadOf(ledger.ReadOperation, tenant, "op_1"), ledger.ReadOf(ledger.ReadKey, tenant, "key:op_1"), ledger.ReadScopeOf(ref),
			ledger.ReadOf(ledger.ReadTool, tenant, "refund"), ledger.ReadOf(ledger.ReadEpoch, tenant, ""), ledger.ReadOf(ledger.ReadKey, tenant, "k"))
		_, tool := v.Tool(tenant, "refund")
		keys := len(v.Claims(keyClaim(tenant, "key:op_1", 1, "").ClaimID)) + len(v.Claims(keyClaim(tenant, "k", 1, "").ClaimID))
		if v.Operation(tenant, "op_1") != nil || keys > 0 || v.Scope(ref).Fence != 0 || tool || v.Epoch(tenant) != 0 {
			t.Fatal("something of a failed transaction was kept")
		}
		if got := listDecisions(t, b.engine, ledger.DecisionQuery{Namespace: tenant}); len(got) > 0 {
			t.Fatal("a decision of a failed transaction was kept")
		}
		b.advance(1 << 50)
		if got := claimDue(t, b.engine, "c", 10); len(got) > 0 {
			t.Fatal("due work of a failed transaction was kept")
		}
	}
	fail := func(ctx context.Context, tx ledger.Tx) error {
		now, err := tx.Now(ctx)
		if err != nil {
			return err
		}
		if _, err := tx.Claim(ctx, []ledger.Claim{keyClaim(tenant, "k", 1, "op_1")}); err != nil {
			return err
		}
		if err := tx.Save(ctx, everything(ledger.NewView(now))); err != nil {
			return err
		}
		return errOnPurpose
	}
	t.Run("nothing stays of a transaction that fails after its save", func(t *testing.T) {
		b := open(t, fresh)
		refused(t, "transaction", b.engine.Transact(t.Context(), fail), errOnPurpose)
		nothing(t, b)
	})
	t.Run("nothing stays of a transaction that panics, and the next one runs", func(t *testing.T) {
		b := open(t, fresh)
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was swallowed")
				}
			}()
			_ = b.engine.Transact(t.Context(), func(ctx context.Context, tx ledger.Tx) error {
				if err := fail(ctx, tx); !errors.Is(err, errOnPurpose) {
					return err
				}
				panic("on purpose")
			})
		}()
		nothing(t, b)
	})
	t.Run("nothing stays where the last row of a save is refused", func(t *testing.T) {
		b := open(t, fresh)
		err := try(t.Context(), b.engine, nil, func(v *ledger.View) *ledger.Changes {
			c := everything(v)
			c.Events = append(c.Events, c.Events[0]) // the same sequence twice
			return c
		})
		if err == nil {
			t.Fatal("a sequence was used twice")
		}
		nothing(t, b)
	})
	t.Run("nothing stays where a row is not fit to be kept", func(t *testing.T) {
		b := open(t, fresh)
		for name, spoil := range map[string]func(*ledger.Changes){
			"a state that does not exist": func(c *ledger.Changes) { c.Operations[0].State = "done" },
			"an event without a sequence": func(c *ledger.Changes) { c.Events[0].Sequence = 0 },
			"a claim that is too long":    func(c *ledger.Changes) { c.Claims[0].Value = long(5000) },
			"a zero byte in a name":       func(c *ledger.Changes) { c.Operations[0].WorkflowID = "a\x00b" },
			"broken UTF-8 in a name":      func(c *ledger.Changes) { c.Operations[0].WorkflowID = "\xff" },
			"a document that is too long": func(c *ledger.Changes) { c.Operations[0].Arguments = []byte(long(1 << 20)) },
		} {
			err := try(t.Context(), b.engine, nil, func(v *ledger.View) *ledger.Changes {
				c := everything(v)
				spoil(c)
				return c
			})
			if err == nil {
				t.Errorf("%s was kept", name)
			}
		}
		nothing(t, b)
	})
	t.Run("nothing stays where the one who asked has gone", func(t *testing.T) {
		b := open(t, fresh)
		ctx, cancel := context.WithCancel(t.Context())
		err := b.engine.Transact(ctx, func(ctx context.Context, tx ledger.Tx) error {
			err := fail(ctx, tx)
			cancel()
			if errors.Is(err, errOnPurpose) {
				return nil
			}
			return err
		})
		refused(t, "transaction", err, context.Canceled)
		if errors.Is(err, ledger.ErrUnknownCommit) {
			t.Fatalf("%v, although nothing was sent to be committed", err)
		}
		nothing(t, b)
	})
}

func reopening(t *testing.T, fresh Make) {
	t.Run("everything is there when the database is opened again", func(t *testing.T) {
		b := &bench{database: fresh(t), offset: &atomic.Int64{}, retries: &atomic.Int64{}}
		first := b.another(t)
		o := update(t, first, create(t, first, tenant, "op_1", nil), nil)
		ref := group(tenant, "1")
		step(t, first, nil, func(*ledger.View) *ledger.Changes {
			return &ledger.Changes{Scopes: []locks.Scope{{Ref: ref, Fence: 3}}, Epochs: map[ledger.Namespace]int64{tenant: 4}}
		})
		if _, err := first.TokenKey(t.Context(), []byte("key")); err != nil {
			t.Fatal(err)
		}
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		second := b.another(t)
		defer second.Close()
		same(t, "operation", get(t, second, o), o)
		if got := len(history(t, second, o, 0, 10)); got != 2 {
			t.Fatalf("%d events", got)
		}
		v := view(t, second, ledger.ReadScopeOf(ref), ledger.ReadOf(ledger.ReadEpoch, tenant, ""))
		if v.Scope(ref).Fence != 3 || v.Epoch(tenant) != 4 {
			t.Fatalf("fence %d, epoch %d", v.Scope(ref).Fence, v.Epoch(tenant))
		}
		key, err := second.TokenKey(t.Context(), []byte("another"))
		if err != nil || string(key) != "key" {
			t.Fatalf("token key %q, %v", key, err)
		}
	})
}
