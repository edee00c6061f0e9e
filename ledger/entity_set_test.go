package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

func setState(state string) *ledger.SetEntityState {
	return &ledger.SetEntityState{
		Namespace: ledgertest.North, Actor: ledger.Actor{Principal: "shop"}, Entity: orders("a")[0], State: &state, Reason: "the shop says so",
	}
}

func TestEntityStateIsSetWithVersions(t *testing.T) {
	w := ledgertest.New(t)
	c := setState("paid")
	c.Attributes = []byte(`{"tier":"gold"}`)
	for range 2 { // the second is a retry that sees its own write
		e := did[ledger.Entity](t, w, c)
		if e.Version != 1 || e.State != "paid" || string(e.Attributes) != `{"tier":"gold"}` || e.Principal != "shop" || e.Reason != c.Reason || e.UpdatedAt != ledgertest.Start {
			t.Fatalf("%+v", e)
		}
	}
	w.Advance(time.Minute)
	next := setState("refunded")
	next.Etag = "v1"
	for range 2 {
		if e := did[ledger.Entity](t, w, next); e.Version != 2 || e.State != "refunded" || string(e.Attributes) != `{"tier":"gold"}` || e.UpdatedAt != w.Now {
			t.Fatalf("what is not named stays as it is: %+v", e)
		}
	}
	stale := setState("lost")
	stale.Etag = "v1"
	refusedBy(t, w, stale, ledger.ReasonVersionSeenOutdated)
	only := &ledger.SetEntityState{Namespace: ledgertest.North, Actor: c.Actor, Entity: c.Entity, Attributes: []byte(`{}`), Reason: "cleared"}
	if e := did[ledger.Entity](t, w, only); e.Version != 3 || e.State != "refunded" || string(e.Attributes) != `{}` {
		t.Fatalf("%+v", e)
	}
	another := setState("refunded") // the same, said by somebody else, is their word
	another.Actor.Principal, another.Reason = "warehouse", only.Reason
	if e := did[ledger.Entity](t, w, another); e.Version != 4 || e.Principal != "warehouse" {
		t.Fatalf("%+v", e)
	}
	same := setState("refunded") // the same state, said for another reason, is another word
	if e := did[ledger.Entity](t, w, same); e.Version != 5 {
		t.Fatalf("%+v", e)
	}
}

func TestEntityStateFirstWord(t *testing.T) {
	w := ledgertest.New(t)
	c := setState("paid")
	c.Etag = "v3"
	refusedBy(t, w, c, ledger.ReasonVersionSeenOutdated)
	c.Etag = "v0"
	if e := did[ledger.Entity](t, w, c); e.Version != 1 {
		t.Fatalf("%+v", e)
	}
}
