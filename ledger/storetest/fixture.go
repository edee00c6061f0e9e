package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/registry"
)

// tenant is the namespace of most tests; other is a second one, in which nothing of the first may show.
const (
	tenant = ledger.Namespace("tenant-a")
	other  = ledger.Namespace("tenant-b")
)

// operation builds a plausible operation that waits for its dispatch.
func operation(ns ledger.Namespace, id string, now time.Time) *ledger.Operation {
	return &ledger.Operation{
		Namespace: ns, ID: ledger.OperationID(id), Version: 1, State: ledger.PendingDispatch,
		Tool: "refund.create", ToolVersion: 1,
		Terms: ledger.Terms{Class: registry.ExternalNonIdempotentWrite, Executor: registry.Inline, PendingMaxAge: time.Hour, HumanAfter: time.Hour},
		Key:   ledger.IdempotencyKey("key:" + id), Keys: []ledger.KeyNumber{{Key: ledger.IdempotencyKey("key:" + id), Number: 1}},
		Revision: 1, Fingerprint: "sha256:00", Canonical: []byte(`{"a":1}`), Arguments: []byte(`{"a": 1}`), Proposer: "agent",
		CreatedAt: now, UpdatedAt: now, StateSince: now,
	}
}

// next is the operation's next version, with its event.
func next(o *ledger.Operation, now time.Time, change func(*ledger.Operation)) *ledger.Operation {
	c := o.Clone()
	c.Version++
	c.UpdatedAt = now
	if change != nil {
		change(c)
	}
	return c
}

// event is one entry of an operation's history.
func event(o *ledger.Operation, sequence int64, kind ledger.EventType) ledger.Event {
	return ledger.Event{
		Namespace: o.Namespace, OperationID: o.ID, Sequence: sequence, Version: o.Version, At: o.UpdatedAt, Type: kind,
		From: ledger.Planned, To: o.State, Attempt: 1, By: "agent", Detail: map[string]string{"sequence": fmt.Sprint(sequence)},
	}
}

// creation makes an operation with its first event and its key's claim.
func creation(o *ledger.Operation) *ledger.Changes {
	return &ledger.Changes{
		Operations: []*ledger.Operation{o}, Created: map[ledger.OperationKey]bool{o.RowKey(): true},
		Events: []ledger.Event{event(o, 1, ledger.EventCreated)}, Claims: []ledger.Claim{keyClaim(o.Namespace, string(o.Key), 1, o.ID)},
	}
}

func keyClaim(ns ledger.Namespace, key string, number int64, id ledger.OperationID) ledger.Claim {
	return ledger.Claim{ClaimID: ledger.ClaimID{Namespace: ns, Kind: ledger.ClaimKey, Value: key, Number: number}, OperationID: id}
}

func requestClaim(ns ledger.Namespace, id string) ledger.Claim {
	return ledger.Claim{
		ClaimID:     ledger.ClaimID{Namespace: ns, Kind: ledger.ClaimRequest, Value: ledger.RequestValue("agent", ledger.RequestID(id))},
		Fingerprint: "sha256:request",
	}
}

func group(ns ledger.Namespace, entity string) locks.Ref {
	return locks.GroupRef(string(ns), locks.Entity{Type: "order", ID: entity}, "refunds")
}

// step runs one transaction that loads reads and saves what change makes of them.
func step(t *testing.T, e ledger.Engine, reads []ledger.Read, change func(v *ledger.View) *ledger.Changes) {
	t.Helper()
	if err := try(t.Context(), e, reads, change); err != nil {
		t.Fatalf("transaction: %v", err)
	}
}

// try is step, for changes that may be refused.
func try(ctx context.Context, e ledger.Engine, reads []ledger.Read, change func(v *ledger.View) *ledger.Changes) error {
	return e.Transact(ctx, func(ctx context.Context, tx ledger.Tx) error {
		now, err := tx.Now(ctx)
		if err != nil {
			return err
		}
		v := ledger.NewView(now)
		if len(reads) > 0 {
			if err := tx.Load(ctx, v, reads); err != nil {
				return err
			}
		}
		return tx.Save(ctx, change(v))
	})
}

// create saves a new operation and answers it as it was made.
func create(t *testing.T, e ledger.Engine, ns ledger.Namespace, id string, change func(*ledger.Operation)) *ledger.Operation {
	t.Helper()
	var made *ledger.Operation
	step(t, e, nil, func(v *ledger.View) *ledger.Changes {
		made = operation(ns, id, v.Now)
		if change != nil {
			change(made)
		}
		return creation(made)
	})
	return made
}

// update saves an operation's next version with its event.
func update(t *testing.T, e ledger.Engine, o *ledger.Operation, change func(*ledger.Operation)) *ledger.Operation {
	t.Helper()
	var changed *ledger.Operation
	step(t, e, []ledger.Read{readOf(o)}, func(v *ledger.View) *ledger.Changes {
		changed = next(v.Operation(o.Namespace, o.ID), v.Now, change)
		return &ledger.Changes{Operations: []*ledger.Operation{changed}, Events: []ledger.Event{event(changed, changed.Version, ledger.EventStateChanged)}}
	})
	return changed
}

func readOf(o *ledger.Operation) ledger.Read {
	return ledger.ReadOf(ledger.ReadOperation, o.Namespace, string(o.ID))
}

// view loads reads in a transaction that changes nothing.
func view(t *testing.T, e ledger.Engine, reads ...ledger.Read) *ledger.View {
	t.Helper()
	var seen *ledger.View
	step(t, e, reads, func(v *ledger.View) *ledger.Changes {
		seen = v
		return &ledger.Changes{}
	})
	return seen
}

// get reads an operation back.
func get(t *testing.T, e ledger.Engine, o *ledger.Operation) *ledger.Operation {
	t.Helper()
	found, err := e.GetOperation(t.Context(), o.Namespace, o.ID)
	if err != nil {
		t.Fatalf("get %s: %v", o.ID, err)
	}
	return found
}

// same fails where two values differ in any field.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

// refused fails where a call did not fail with the error that it should.
func refused(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("%s: got %v, want %v", what, err, want)
	}
}

// long is a text of n bytes.
func long(n int) string { return strings.Repeat("x", n) }
