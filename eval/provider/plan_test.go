package provider

import (
	"fmt"
	"testing"

	"github.com/opledger/opledger/eval"
)

func TestAPlanIsForTheRequestsOfItsKeyInOrder(t *testing.T) {
	s := newStand(t, Stated(false))
	if err := s.Plan(Plan{BusinessKey: "order-1", Faults: []eval.Fault{eval.RateLimited, eval.ErrorCommitted}}); err != nil {
		t.Fatal(err)
	}
	other := charge()
	other.BusinessKey = "order-2"
	for i, want := range []struct {
		r      Request
		status int
	}{{charge(), 429}, {other, 201}, {charge(), 500}, {charge(), 201}} {
		if a := s.WriteAsPlanned(want.r, Chance{}); a.Status != want.status {
			t.Errorf("request %d: %d, want %d", i, a.Status, want.status)
		}
	}
	if err := s.Plan(Plan{BusinessKey: "order-1", Faults: []eval.Fault{eval.NoFault, "timeout"}}); err == nil {
		t.Error("a fault that there is not can be planned")
	}
}

// TestChance: the same seed brings the same faults to the same requests, about as many as asked for, and all of them.
func TestChance(t *testing.T) {
	const keys = 2000
	met := map[eval.Fault]int{}
	other := 0
	for i := range keys {
		key := fmt.Sprint("order-", i)
		f := Chance{Seed: 7, Share: 0.5}.draw(key, 0)
		met[f]++
		if f != (Chance{Seed: 7, Share: 0.5}).draw(key, 0) {
			t.Fatal("the same seed brings another fault")
		}
		if f != (Chance{Seed: 8, Share: 0.5}).draw(key, 0) || f != (Chance{Seed: 7, Share: 0.5}).draw(key, 1) {
			other++
		}
	}
	for _, f := range eval.ProviderFaults {
		if met[f] == 0 {
			t.Errorf("%s is never drawn", f)
		}
	}
	if n := met[eval.NoFault]; n < keys*45/100 || n > keys*55/100 {
		t.Errorf("%d of %d met none", n, keys)
	}
	if other < keys/2 {
		t.Errorf("another seed or number brought another fault to %d of %d", other, keys)
	}
	s := newStand(t, Stated(false))
	for n := range 20 {
		want := newStand(t, Stated(false)).send(Chance{Seed: 7, Share: 1}.draw("order-1", n))
		if got := s.WriteAsPlanned(charge(), Chance{Seed: 7, Share: 1}); got.Kind != want.Kind || got.Status != want.Status && got.Status != 422 {
			t.Errorf("request %d: %s %d, want %s %d", n, got.Kind, got.Status, want.Kind, want.Status)
		}
	}
	if f := (Chance{Seed: 7}).draw("order-1", 0); f != eval.NoFault {
		t.Errorf("without a share: %s", f)
	}
}
