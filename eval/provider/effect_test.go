package provider

import (
	"errors"
	"testing"

	"github.com/opledger/opledger/eval"
)

func refund(of string) Request {
	return Request{Method: Undo, Collection: "refunds", BusinessKey: "undo-1", VendorKey: "vk-undo", Undoes: of}
}

func TestAnUndoIsAnEffectOfItsOwn(t *testing.T) {
	s := newStand(t, Stated(false))
	id := s.send(eval.NoFault).EffectID
	if a := s.Write(refund("charge_none"), eval.NoFault); a.Status != 404 {
		t.Errorf("of nothing: %d", a.Status)
	}
	s.Write(refund(id), eval.LateCommit)
	if s.Effects("order-1")[0].Undone {
		t.Error("undone before the commit")
	}
	s.pass(flight)
	if !s.Effects("order-1")[0].Undone || len(s.Effects("undo-1")) != 1 {
		t.Errorf("%+v", s.All())
	}
	s.Write(refund(id), eval.NoFault)
	if len(s.Effects("undo-1")) != 2 {
		t.Error("the second refund does not count")
	}
	c := s.Counts()
	if c.Effects["charges"] != 1 || c.Undone["charges"] != 1 || c.Effects["refunds"] != 2 || c.Undone["refunds"] != 0 || c.Writes["refunds"] != 3 {
		t.Errorf("%+v", c)
	}
	if found, _ := s.Find(Query{ObjectID: id}); len(found) != 1 || !found[0].Undone {
		t.Errorf("%+v", found)
	}
}

func TestAReadMakesNothing(t *testing.T) {
	for _, f := range append(eval.ProviderFaults, eval.DelayLongerThanStated, eval.KeyForgottenEarly, eval.LookupLies) {
		s := newStand(t, Stated(true))
		r := charge()
		r.Method = Read
		a := s.Write(r, f)
		s.pass(2 * defaultOverrun)
		s.want(0)
		if clear := a.Whole() && a.Status == 200; f == eval.NoFault && !clear || f == eval.TimeoutAfterCommit && clear {
			t.Errorf("%s: %+v", f, a)
		}
	}
}

func TestLookups(t *testing.T) {
	s := newStand(t, Stated(true))
	id := s.send(eval.NoFault).EffectID
	other := charge()
	other.BusinessKey, other.VendorKey, other.ClientReference, other.Body = "order-2", "vk-2", "ref-2", []byte(`{"note":"for order-2"}`)
	s.Write(other, eval.NoFault)
	for _, c := range []struct {
		q    Query
		want int
	}{
		{Query{}, 2}, {Query{Collection: "charges"}, 2}, {Query{Collection: "mails"}, 0}, {Query{VendorKey: "vk-1"}, 1}, {Query{ClientReference: "ref-2"}, 1},
		{Query{ObjectID: id}, 1}, {Query{ObjectID: "charge_none"}, 0}, {Query{Text: "order-2"}, 1}, {Query{VendorKey: "vk-1", ClientReference: "ref-2"}, 0},
		{Query{ObjectID: id, Collection: "mails"}, 0},
	} {
		if found, err := s.Find(c.q); err != nil || len(found) != c.want {
			t.Errorf("%+v: %+v %v", c.q, found, err)
		}
	}
	other.BusinessKey, other.VendorKey, other.ClientReference = "order-3", "vk-3", "ref-3"
	s.Write(other, eval.LookupDown)
	if _, err := s.Find(Query{ClientReference: "ref-3"}); !errors.Is(err, ErrLookupDown) {
		t.Errorf("of what is down: %v", err)
	}
	if _, err := s.Find(Query{ClientReference: "ref-1"}); err != nil {
		t.Errorf("of another: %v", err)
	}
}

// TestNamesHangOnTheBusinessKeyAlone: whatever else a provider does, a run repeated alone has the same names.
func TestNamesHangOnTheBusinessKeyAlone(t *testing.T) {
	alone, busy := newStand(t, Stated(false)), newStand(t, Stated(false))
	other := charge()
	other.BusinessKey = "order-2"
	id := busy.Write(other, eval.NoFault).EffectID
	for range 2 {
		a, b := alone.send(eval.NoFault).EffectID, busy.send(eval.NoFault).EffectID
		if a != b || a == id {
			t.Errorf("%s, %s beside %s", a, b, id)
		}
		id = a
	}
}
