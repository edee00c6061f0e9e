package rows

import (
	"errors"
	"strings"
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

// grant is a small record.
func grant(id string, version int64) *ledger.Grant {
	g := &ledger.Grant{Tool: "t", CreatedAt: now}
	g.Namespace, g.ID, g.Version = "n", id, version
	return g
}

func TestRecordsThatCannotBeGuardedAreRefused(t *testing.T) {
	loaded := NewLoaded()
	loaded.Records[grant("g_1", 0).Key()] = 3
	for name, list := range map[string][]ledger.Record{
		"the version stayed":    {grant("g_1", 3)},
		"the version went back": {grant("g_1", 2)},
		"no version":            {grant("g_2", 0)},
		"listed twice":          {grant("g_1", 4), grant("g_1", 5)},
		"new and listed twice":  {grant("g_2", 1), grant("g_2", 2)},
		"no id":                 {grant("", 1)},
		"an id too long":        {grant(strings.Repeat("x", MaxName+1), 1)},
	} {
		if _, err := FromChanges(&ledger.Changes{Records: list}, loaded); !errors.Is(err, ErrImpossible) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestWritesOfRecords(t *testing.T) {
	loaded := NewLoaded()
	loaded.Records[grant("g_2", 0).Key()] = 3
	lease := &ledger.Lease{}
	lease.Namespace, lease.ID, lease.Version = "n", "lease_1", 2
	loaded.Records[lease.Key()] = 0 // an empty row
	changes := &ledger.Changes{Records: []ledger.Record{grant("g_3", 1), grant("g_2", 5), grant("g_1", 1), lease}}
	w, err := FromChanges(changes, loaded)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Records) != 2 || w.Records[0].Table.Name != "leases" || w.Records[1].Table.Name != "grants" {
		t.Fatalf("tables %+v, want leases before grants", w.Records)
	}
	if u := w.Records[0].Updates; len(u) != 1 || u[0].Loaded != 0 || u[0].Version != 2 {
		t.Errorf("an empty row is changed, and no other made: %+v", w.Records[0])
	}
	grants := w.Records[1]
	if len(grants.Inserts) != 2 || grants.Inserts[0].ID != "g_1" || grants.Inserts[1].ID != "g_3" {
		t.Errorf("inserts %+v, want g_1 and g_3 in this order", grants.Inserts)
	}
	if u := grants.Updates; len(u) != 1 || u[0].ID != "g_2" || u[0].Loaded != 3 || u[0].Version != 5 {
		t.Errorf("updates %+v, want g_2 from 3 to 5", u)
	}
	loaded.Saved(changes)
	if loaded.Records[grant("g_1", 0).Key()] != 1 || loaded.Records[grant("g_2", 0).Key()] != 5 {
		t.Errorf("saved versions %v", loaded.Records)
	}
}

func TestEveryKindHasOneTable(t *testing.T) {
	names := map[string]bool{}
	for _, kind := range ledger.RecordKinds {
		table, found := TableOf(kind)
		if !found || table.Kind != kind || names[table.Name] {
			t.Errorf("%s is kept in %+v", kind, table)
		}
		names[table.Name] = true
	}
	if len(Tables) != len(ledger.RecordKinds) {
		t.Errorf("%d tables for %d kinds", len(Tables), len(ledger.RecordKinds))
	}
}

func TestReadsOfRecordsAreGatheredByTable(t *testing.T) {
	split, err := SplitReads([]ledger.Read{
		grant("g_2", 0).Key().Read(), ledger.ReadOf("lease", "n", "l"), grant("g_1", 0).Key().Read(), ledger.ReadOf(ledger.ReadTool, "n", "t"),
	})
	if err != nil || len(split.Tools) != 1 || len(split.Records) != 2 {
		t.Fatalf("%+v, %v", split, err)
	}
	if r := split.Records; r[0].Table.Name != "leases" || len(r[1].Rows) != 2 || r[1].Rows[0].ID != "g_1" {
		t.Errorf("%+v: want leases first, and each table's rows in the order of their key", r)
	}
	if _, err := SplitReads([]ledger.Read{grant("a\x00b", 0).Key().Read()}); !errors.Is(err, ErrImpossible) {
		t.Errorf("an id that cannot be kept: %v", err)
	}
}

func TestDueWorkOfAKindThatHasNoneIsRefused(t *testing.T) {
	n := &ledger.Notice{At: now, NextAt: now}
	n.Namespace, n.ID, n.Version = "n", "ntc_1", 1
	row, err := FromRecord(n)
	if err != nil || row.DueAt == nil || !row.DueAt.Equal(now) {
		t.Fatalf("%+v, %v", row, err)
	}
	if _, err := FromRecord(dueGrant{grant("g", 1)}); !errors.Is(err, ErrImpossible) {
		t.Errorf("got %v", err)
	}
}

// dueGrant is a grant that wants due work.
type dueGrant struct{ *ledger.Grant }

func (dueGrant) Index() ledger.RecordIndex { return ledger.RecordIndex{DueAt: now} }
