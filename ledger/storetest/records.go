package storetest

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

func records(t *testing.T, fresh Make) {
	for _, kind := range ledger.RecordKinds {
		t.Run("every field of a "+string(kind)+" comes back as it was saved, and as it was changed", func(t *testing.T) {
			b := open(t, fresh)
			for version := int64(1); version <= 2; version++ {
				want := filled(t, b.engine, kind, version)
				saveRecords(t, b.engine, want)
				same(t, "read", getRecord(t, b.engine, want.Key()), want)
				same(t, "listed", listRecords(t, b.engine, ledger.RecordQuery{Kind: kind, Namespace: tenant}), []ledger.Record{want})
			}
			same(t, "of another tenant", listRecords(t, b.engine, ledger.RecordQuery{Kind: kind, Namespace: other}), []ledger.Record(nil))
			_, err := b.engine.GetRecord(t.Context(), ledger.RecordKey{Kind: kind, Namespace: other, ID: "id"})
			refused(t, "of another tenant", err, ledger.ErrNotFound)
		})
		t.Run("a "+string(kind)+" that was only looked at is none", func(t *testing.T) {
			b := open(t, fresh)
			key := ledger.RecordKey{Kind: kind, Namespace: tenant, ID: "id"}
			for range 2 {
				if !view(t, b.engine, key.Read()).Loaded(key.Read()) {
					t.Fatal("the read was not answered")
				}
			}
			_, err := b.engine.GetRecord(t.Context(), key)
			refused(t, "get", err, ledger.ErrNotFound)
			same(t, "list", listRecords(t, b.engine, ledger.RecordQuery{Kind: kind, Namespace: tenant}), []ledger.Record(nil))
			saveRecords(t, b.engine, filled(t, b.engine, kind, 1)) // its place is free
		})
	}
	// One kind that is awaited, one that may be due, one that is neither: the statements of the others are made by the same
	// functions.
	for _, kind := range []ledger.RecordKind{ledger.RecordHistory, ledger.RecordNotice, ledger.RecordGrant} {
		t.Run("a transaction that does not know the newest version of a "+string(kind)+" loses", func(t *testing.T) {
			b := open(t, fresh)
			first, second := filled(t, b.engine, kind, 1), filled(t, b.engine, kind, 2)
			saveRecords(t, b.engine, first)
			err := try(t.Context(), b.engine, []ledger.Read{first.Key().Read()}, func(*ledger.View) *ledger.Changes {
				return &ledger.Changes{Records: []ledger.Record{filled(t, b.engine, kind, 1)}}
			})
			if err == nil {
				t.Fatal("changed without a new version")
			}
			err = try(t.Context(), b.engine, nil, func(*ledger.View) *ledger.Changes { return &ledger.Changes{Records: []ledger.Record{second}} })
			refused(t, "changed without having been loaded", err, ledger.ErrLostWrite)
			same(t, "record", getRecord(t, b.engine, first.Key()), first)
		})
	}
	t.Run("a transaction that saves twice is guarded by its own first save", func(t *testing.T) {
		b := open(t, fresh)
		for _, kind := range []ledger.RecordKind{ledger.RecordGrant, ledger.RecordHistory} {
			err := b.engine.Transact(t.Context(), func(ctx context.Context, tx ledger.Tx) error {
				first, second := filled(t, b.engine, kind, 1), filled(t, b.engine, kind, 2)
				if err := tx.Load(ctx, ledger.NewView(anyTime), []ledger.Read{first.Key().Read()}); err != nil {
					return err
				}
				if err := tx.Save(ctx, &ledger.Changes{Records: []ledger.Record{first}}); err != nil {
					return err
				}
				return tx.Save(ctx, &ledger.Changes{Records: []ledger.Record{second}})
			})
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			if got := getRecord(t, b.engine, ledger.RecordKey{Kind: kind, Namespace: tenant, ID: "id"}).RowVersion(); got != 2 {
				t.Fatalf("%s: version %d, want 2", kind, got)
			}
		}
	})
	t.Run("a record that is not fit to be kept is refused whole", func(t *testing.T) {
		b := open(t, fresh)
		for what, spoil := range map[string]func(*ledger.Grant){
			"an id that is too long": func(g *ledger.Grant) { g.ID = long(1000) },
			"no id":                  func(g *ledger.Grant) { g.ID = "" },
			"a zero byte in a tool":  func(g *ledger.Grant) { g.Tool = "a\x00b" },
			"version zero":           func(g *ledger.Grant) { g.Version = 0 },
			"a document too long":    func(g *ledger.Grant) { g.Reason = long(1 << 20) },
		} {
			err := try(t.Context(), b.engine, nil, func(v *ledger.View) *ledger.Changes {
				spoilt := grantAt(v.Now, "spoilt", "t")
				spoil(spoilt)
				return &ledger.Changes{Records: []ledger.Record{grantAt(v.Now, "good", "t"), spoilt}}
			})
			if err == nil {
				t.Errorf("%s was kept", what)
			}
		}
		same(t, "kept", listRecords(t, b.engine, ledger.RecordQuery{Kind: ledger.RecordGrant, Namespace: tenant}), []ledger.Record(nil))
	})
	t.Run("an id of 600 bytes is kept, of every kind", func(t *testing.T) {
		b := open(t, fresh)
		for _, kind := range ledger.RecordKinds {
			r := filled(t, b.engine, kind, 1)
			reflect.ValueOf(r).Elem().FieldByName("ID").SetString(long(600))
			placed(r)
			saveRecords(t, b.engine, r)
			same(t, string(kind), getRecord(t, b.engine, r.Key()), r)
		}
	})
	t.Run("of what many add to one history nothing is lost", func(t *testing.T) {
		b := open(t, fresh)
		engines := b.servers(t, 3)
		const writers, additions = 6, 10
		key := ledger.RecordKey{Kind: ledger.RecordHistory, Namespace: tenant, ID: "rule@1/customer"}
		var wait sync.WaitGroup
		for w := range writers {
			wait.Go(func() {
				for range additions {
					if err := addOne(t.Context(), engines[w%len(engines)], key, nil); err != nil {
						t.Errorf("writer %d: %v", w, err)
						return
					}
				}
			})
		}
		wait.Wait()
		h := getRecord(t, b.engine, key).(*ledger.History)
		if h.Past[0].Sum != writers*additions || h.Version != writers*additions {
			t.Fatalf("%d were added in %d versions, want %d", h.Past[0].Sum, h.Version, writers*additions)
		}
	})
	t.Run("two that have read the same row do not both write it", func(t *testing.T) {
		b := open(t, fresh)
		if !b.database.Shared() {
			return // one writer: the second reads when the first has written
		}
		key := ledger.RecordKey{Kind: ledger.RecordHistory, Namespace: tenant, ID: "h"}
		if err := addOne(t.Context(), b.engine, key, nil); err != nil {
			t.Fatal(err)
		}
		var both, wait sync.WaitGroup
		both.Add(2)
		for _, e := range b.servers(t, 2) {
			wait.Go(func() {
				var once sync.Once // at the first try alone: the one who loses comes again by itself
				meet := func() { once.Do(func() { both.Done(); both.Wait() }) }
				if err := addOne(t.Context(), e, key, meet); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if got := getRecord(t, b.engine, key).(*ledger.History).Past[0].Sum; got != 3 {
			t.Fatalf("the sum is %d, want 3", got)
		}
		if b.retries.Load() == 0 {
			t.Fatal("neither of the two was tried again")
		}
	})
}

// addOne adds one to a history in a transaction of its own. It reads what the history holds beside the transaction, once
// the transaction has loaded the row: what it reads is then as new as the snapshot or newer, and only a row that is as it
// was in the snapshot can be written.
func addOne(ctx context.Context, e ledger.Engine, key ledger.RecordKey, loaded func()) error {
	return e.Transact(ctx, func(ctx context.Context, tx ledger.Tx) error {
		if err := tx.Load(ctx, ledger.NewView(anyTime), []ledger.Read{key.Read()}); err != nil {
			return err
		}
		next := &ledger.History{History: policy.History{Past: []policy.Past{{At: anyTime}}}}
		next.Namespace, next.ID = key.Namespace, key.ID
		switch have, err := e.GetRecord(ctx, key); {
		case err == nil:
			next = have.(*ledger.History)
		case !errors.Is(err, ledger.ErrNotFound):
			return err
		}
		if loaded != nil {
			loaded()
		}
		next.Version++
		next.Past[0].Sum++
		return tx.Save(ctx, &ledger.Changes{Records: []ledger.Record{next}})
	})
}

// filled is a record with something of its own in every field. The texts that are columns are such as an edge lets in.
func filled(t *testing.T, e ledger.Engine, kind ledger.RecordKind, version int64) ledger.Record {
	t.Helper()
	now, err := e.Time(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := ledger.NewRecord(kind)
	row := reflect.ValueOf(r).Elem()
	(&filler{from: now.Truncate(time.Hour), n: 1000 * version}).fill(t, row)
	index := r.Index()
	plain(row, index.Status, index.Subject, index.Tool, index.Entity)
	row.FieldByName("Namespace").SetString(string(tenant))
	row.FieldByName("ID").SetString("id")
	row.FieldByName("Version").SetInt(version)
	placed(r)
	return r
}

// placed gives an operation within a reading what the reading's row says of it.
func placed(r ledger.Record) {
	if reading, ok := r.(*ledger.Reading); ok {
		o := reading.Operation
		o.Namespace, o.ID, o.Version, o.State = reading.Namespace, ledger.OperationID(reading.ID), 0, ledger.Dispatched
	}
}

// saveRecords saves records in one transaction that has loaded them.
func saveRecords(t *testing.T, e ledger.Engine, list ...ledger.Record) {
	t.Helper()
	var reads []ledger.Read
	for _, r := range list {
		reads = append(reads, r.Key().Read())
	}
	step(t, e, reads, func(*ledger.View) *ledger.Changes { return &ledger.Changes{Records: list} })
}

func getRecord(t *testing.T, e ledger.Engine, key ledger.RecordKey) ledger.Record {
	t.Helper()
	r, err := e.GetRecord(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func listRecords(t *testing.T, e ledger.Engine, q ledger.RecordQuery) []ledger.Record {
	t.Helper()
	list, err := e.ListRecords(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
