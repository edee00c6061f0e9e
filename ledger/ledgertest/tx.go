package ledgertest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// key names an operation's row.
type key struct {
	ns ledger.Namespace
	id ledger.OperationID
}

// row is an operation as a store keeps it: its document is JSON, so that whatever the JSON form lost would be missed.
type row struct {
	version  int64
	state    ledger.State
	document []byte
}

// rows are committed state.
type rows struct {
	operations map[key]row
	claims     map[ledger.ClaimID]ledger.Claim
	scopes     map[locks.Ref]locks.Scope
	tools      map[string]ledger.ToolHead // by namespace and name
	epochs     map[ledger.Namespace]int64
	events     map[key][]ledger.Event
	decisions  map[ledger.DecisionID]ledger.Decision
	versions   []ledger.ToolVersion
	records    map[ledger.RecordKey]recordRow
}

// recordRow is a record as a store keeps it.
type recordRow struct {
	version  int64
	document []byte
}

func newRows() rows {
	return rows{
		operations: map[key]row{}, claims: map[ledger.ClaimID]ledger.Claim{}, scopes: map[locks.Ref]locks.Scope{},
		tools: map[string]ledger.ToolHead{}, epochs: map[ledger.Namespace]int64{}, events: map[key][]ledger.Event{},
		decisions: map[ledger.DecisionID]ledger.Decision{}, records: map[ledger.RecordKey]recordRow{},
	}
}

// tx is one try of one transaction: it writes into a copy, which the World takes when the transaction commits.
type tx struct {
	now    time.Time
	rows   rows
	loaded map[key]int64
	// loadedRecords are the versions of records that were loaded; an absent one was loaded at version zero.
	loadedRecords map[ledger.RecordKey]int64
}

func (w *World) begin() *tx {
	r := w.rows
	r.operations, r.claims, r.scopes = maps.Clone(r.operations), maps.Clone(r.claims), maps.Clone(r.scopes)
	r.tools, r.epochs, r.events = maps.Clone(r.tools), maps.Clone(r.epochs), maps.Clone(r.events)
	r.decisions, r.versions, r.records = maps.Clone(r.decisions), slices.Clone(r.versions), maps.Clone(r.records)
	return &tx{now: w.Now, rows: r, loaded: map[key]int64{}, loadedRecords: map[ledger.RecordKey]int64{}}
}

func (t *tx) Now(context.Context) (time.Time, error) { return t.now, nil }

func (t *tx) Claim(_ context.Context, claims []ledger.Claim) (lost []ledger.ClaimID, err error) {
	for _, c := range claims {
		if _, held := t.rows.claims[c.ClaimID]; held {
			lost = append(lost, c.ClaimID)
			continue
		}
		t.rows.claims[c.ClaimID] = c
	}
	return lost, nil
}

func (t *tx) Load(_ context.Context, v *ledger.View, reads []ledger.Read) error {
	for _, r := range reads {
		switch r.Kind {
		case ledger.ReadOperation:
			if err := t.loadOperation(v, r.Namespace, ledger.OperationID(r.ID)); err != nil {
				return err
			}
		case ledger.ReadKey, ledger.ReadRequest, ledger.ReadEffect, ledger.ReadReference:
			for id, c := range t.rows.claims {
				if id.Read() != r {
					continue
				}
				v.PutClaim(c)
				if r.Kind != ledger.ReadRequest {
					if err := t.loadOperation(v, r.Namespace, c.OperationID); err != nil {
						return err
					}
				}
			}
		case ledger.ReadScope:
			if s, ok := t.rows.scopes[r.ScopeRef()]; ok {
				v.PutScope(s.Clone())
			}
		case ledger.ReadTool:
			if h, ok := t.rows.tools[string(r.Namespace)+"/"+r.ID]; ok {
				v.PutTool(h)
			}
		case ledger.ReadEpoch:
			v.PutEpoch(r.Namespace, t.rows.epochs[r.Namespace])
		default:
			if err := t.loadRecord(v, ledger.RecordKey{Kind: ledger.RecordKind(r.Kind), Namespace: r.Namespace, ID: r.ID}); err != nil {
				return err
			}
		}
		v.MarkLoaded(r)
	}
	return nil
}

func (t *tx) loadOperation(v *ledger.View, ns ledger.Namespace, id ledger.OperationID) error {
	k := key{ns, id}
	stored, ok := t.rows.operations[k]
	if !ok {
		return nil
	}
	o, err := stored.operation(k)
	if err != nil {
		return err
	}
	if !v.Loaded(ledger.ReadOf(ledger.ReadOperation, ns, string(id))) {
		v.PutOperation(o)
		t.loaded[k] = o.Version
	}
	return nil
}

func (r row) operation(k key) (*ledger.Operation, error) {
	o := &ledger.Operation{}
	if err := json.Unmarshal(r.document, o); err != nil {
		return nil, err
	}
	o.Namespace, o.ID, o.Version, o.State = k.ns, k.id, r.version, r.state
	return o, nil
}

func (t *tx) Save(_ context.Context, c *ledger.Changes) error {
	for _, id := range c.Unclaims {
		delete(t.rows.claims, id)
	}
	if err := t.saveClaims(c.Claims); err != nil {
		return err
	}
	for _, o := range c.Operations {
		if err := t.saveOperation(o, c.Created[o.RowKey()]); err != nil {
			return err
		}
	}
	for _, e := range c.Events {
		k := key{e.Namespace, e.OperationID}
		t.rows.events[k] = append(slices.Clone(t.rows.events[k]), e)
	}
	for _, s := range c.Scopes {
		t.rows.scopes[s.Ref] = s.Clone()
	}
	for _, d := range c.Decisions {
		t.rows.decisions[d.ID] = d
	}
	for _, h := range c.Tools {
		t.rows.tools[string(h.Namespace)+"/"+h.Name] = h
	}
	t.rows.versions = append(t.rows.versions, c.Versions...)
	for _, r := range c.Records {
		if err := t.saveRecord(r); err != nil {
			return err
		}
	}
	maps.Copy(t.rows.epochs, c.Epochs)
	return nil
}

// loadRecord puts a record; a kind that is awaited has an empty row before it is first made, as in a store.
func (t *tx) loadRecord(v *ledger.View, key ledger.RecordKey) error {
	stored, exists := t.rows.records[key]
	t.loadedRecords[key] = stored.version
	if !exists && !key.Kind.Awaited() {
		return nil
	}
	r, err := ledger.DecodeRecord(key, stored.version, stored.document)
	if err != nil {
		return err
	}
	v.PutRecord(r)
	return nil
}

func (t *tx) saveRecord(r ledger.Record) error {
	key, have := r.Key(), t.rows.records[r.Key()]
	if loaded := t.loadedRecords[key]; have.version != loaded || r.RowVersion() <= loaded {
		return fmt.Errorf("%w: %s %s at version %d, loaded at %d, is saved as %d", ledger.ErrLostWrite, key.Kind, key.ID, have.version, loaded, r.RowVersion())
	}
	document, err := json.Marshal(r)
	if err != nil {
		return err
	}
	t.rows.records[key] = recordRow{version: r.RowVersion(), document: document}
	return nil
}

func (t *tx) saveClaims(claims []ledger.Claim) error {
	var conflict ledger.ClaimConflictError
	for _, c := range claims {
		held, ok := t.rows.claims[c.ClaimID]
		if ok && c.Kind != ledger.ClaimRequest && held.OperationID != c.OperationID {
			conflict.IDs = append(conflict.IDs, c.ClaimID)
			continue
		}
		t.rows.claims[c.ClaimID] = c
	}
	if len(conflict.IDs) > 0 {
		return &conflict
	}
	return nil
}

func (t *tx) saveOperation(o *ledger.Operation, created bool) error {
	k := key{o.Namespace, o.ID}
	have, exists := t.rows.operations[k]
	loaded, known := t.loaded[k]
	switch {
	case created && exists:
		return fmt.Errorf("%w: operation %s is said to be new and exists", ledger.ErrLostWrite, o.ID)
	case !created && (!exists || !known || have.version != loaded || o.Version <= loaded):
		return fmt.Errorf("%w: operation %s at version %d, loaded at %d, is saved as %d", ledger.ErrLostWrite, o.ID, have.version, loaded, o.Version)
	}
	document, err := json.Marshal(o)
	if err != nil {
		return err
	}
	t.rows.operations[k] = row{version: o.Version, state: o.State, document: document}
	return nil
}
