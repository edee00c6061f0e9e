package rows

import (
	"errors"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/registry"
)

var now = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// at names an operation's row.
func at(ns ledger.Namespace, id ledger.OperationID) ledger.OperationKey {
	return ledger.OperationKey{Namespace: ns, OperationID: id}
}

func operation(id string, version int64) *ledger.Operation {
	return &ledger.Operation{
		Namespace: "n", ID: ledger.OperationID(id), Version: version, State: ledger.PendingDispatch, Tool: "t", Key: "k", Revision: 1,
		Terms:     ledger.Terms{Class: registry.Irreversible, PendingMaxAge: time.Hour},
		CreatedAt: now, UpdatedAt: now, StateSince: now,
	}
}

func TestChangesThatCannotBeGuardedAreRefused(t *testing.T) {
	loaded := Loaded{Operations: map[ledger.OperationKey]int64{at("n", "op_1"): 3}}
	for name, c := range map[string]*ledger.Changes{
		"never loaded":          {Operations: []*ledger.Operation{operation("op_2", 2)}},
		"the version stayed":    {Operations: []*ledger.Operation{operation("op_1", 3)}},
		"the version went back": {Operations: []*ledger.Operation{operation("op_1", 2)}},
		"new, and loaded":       {Operations: []*ledger.Operation{operation("op_1", 4)}, Created: map[ledger.OperationKey]bool{at("n", "op_1"): true}},
		"a claim twice": {Claims: []ledger.Claim{
			{ClaimID: ledger.ClaimID{Namespace: "n", Kind: ledger.ClaimKey, Value: "k", Number: 1}, OperationID: "op_1"},
			{ClaimID: ledger.ClaimID{Namespace: "n", Kind: ledger.ClaimKey, Value: "k", Number: 1}, OperationID: "op_2"},
		}},
		"a key of nobody":      {Claims: []ledger.Claim{{ClaimID: ledger.ClaimID{Namespace: "n", Kind: ledger.ClaimKey, Value: "k", Number: 1}}}},
		"an epoch of zero":     {Epochs: map[ledger.Namespace]int64{"n": 0}},
		"a scope of nowhere":   {Scopes: []locks.Scope{{Ref: locks.Ref{Namespace: "n"}}}},
		"a decision of no day": {Decisions: []ledger.Decision{{Namespace: "n", ID: "d", Kind: ledger.DecisionDenied}}},
	} {
		if _, err := FromChanges(c, loaded); !errors.Is(err, ErrImpossible) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestWritesOfOneOperation(t *testing.T) {
	ended := operation("op_1", 5)
	ended.State = ledger.CompletedNoop
	w, err := FromChanges(&ledger.Changes{
		Operations: []*ledger.Operation{ended, operation("op_2", 2)}, Created: map[ledger.OperationKey]bool{at("n", "op_2"): true, at("other", "op_1"): true},
	}, Loaded{Operations: map[ledger.OperationKey]int64{at("n", "op_1"): 3}})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Updates) != 1 || w.Updates[0].Loaded != 3 || w.Updates[0].Version != 5 {
		t.Errorf("updates %+v, want one from version 3 to 5", w.Updates)
	}
	if len(w.Inserts) != 1 || len(w.Open) != 1 || w.Open[0].OperationID != "op_2" || w.Open[0].Stamp != 2 {
		t.Errorf("inserts %+v with due work %+v, want op_2 with stamp 2", w.Inserts, w.Open)
	}
	if len(w.Closed) != 1 || w.Closed[0].OperationID != "op_1" {
		t.Errorf("closed %+v, want op_1", w.Closed)
	}
}

func TestShardsAreAllUsedAndListedOnce(t *testing.T) {
	used := map[int64]bool{}
	for i := range 1000 {
		used[Shard("n", string(rune('a'+i%26))+time.Duration(i).String())] = true
	}
	if len(used) != Shards {
		t.Errorf("%d shards of %d are used", len(used), Shards)
	}
	listed := map[int64]bool{}
	for _, s := range ShardsFrom(1<<64 - 3) {
		listed[s] = true
	}
	if len(listed) != Shards || ShardsFrom(5)[0] != 5 {
		t.Errorf("listed %v", listed)
	}
}

func TestReadsWithoutRowsAreErrors(t *testing.T) {
	if _, err := SplitReads([]ledger.Read{ledger.ReadOf("something_new", "n", "x")}); err == nil {
		t.Error("a read of an unknown kind was answered")
	}
}
