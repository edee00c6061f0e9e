package storetest

import (
	"reflect"
	"testing"

	"github.com/opledger/opledger/ledger"
)

func events(t *testing.T, fresh Make) {
	t.Run("every field comes back as it was saved", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		full := ledger.Event{}
		(&filler{from: o.CreatedAt}).fill(t, reflect.ValueOf(&full).Elem())
		full.Namespace, full.OperationID, full.Sequence, full.Type = tenant, o.ID, 2, ledger.EventEvidence
		step(t, b.engine, nil, func(*ledger.View) *ledger.Changes { return &ledger.Changes{Events: []ledger.Event{full}} })
		same(t, "events", history(t, b.engine, o, 1, 10), []ledger.Event{full})
	})
	t.Run("they page in their order, after a sequence", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		for range 11 {
			o = update(t, b.engine, o, nil)
		}
		var sequences []int64
		for after := int64(0); ; {
			page := history(t, b.engine, o, after, 5)
			if len(page) == 0 {
				break
			}
			for _, e := range page {
				sequences = append(sequences, e.Sequence)
			}
			after = page[len(page)-1].Sequence
		}
		same(t, "sequences", sequences, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	})
	t.Run("a sequence is never used twice", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		err := try(t.Context(), b.engine, []ledger.Read{readOf(o)}, func(v *ledger.View) *ledger.Changes {
			c := next(v.Operation(tenant, o.ID), v.Now, nil)
			return &ledger.Changes{Operations: []*ledger.Operation{c}, Events: []ledger.Event{event(c, 1, ledger.EventIncident)}}
		})
		if err == nil {
			t.Fatal("an event was overwritten")
		}
		same(t, "operation", get(t, b.engine, o), o)
		same(t, "events", history(t, b.engine, o, 0, 10), []ledger.Event{event(o, 1, ledger.EventCreated)})
	})
	t.Run("an operation that does not exist has no history", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		_, err := b.engine.ListEvents(t.Context(), other, o.ID, 0, 10)
		refused(t, "of another tenant", err, ledger.ErrNotFound)
		same(t, "after the last", history(t, b.engine, o, 1, 10), []ledger.Event(nil))
	})
}

func history(t *testing.T, e ledger.Engine, o *ledger.Operation, after int64, limit int) []ledger.Event {
	t.Helper()
	list, err := e.ListEvents(t.Context(), o.Namespace, o.ID, after, limit)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
