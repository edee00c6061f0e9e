package provider

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
)

// TestWebhooks: of each fault what comes by webhook, and how many seconds after the request.
func TestWebhooks(t *testing.T) {
	for fault, want := range map[eval.Fault]string{
		eval.NoFault:          "10 succeeded",
		eval.ErrorClean:       "",
		eval.LateCommit:       "40 succeeded",
		eval.DuplicateWebhook: "10 succeeded, 20 succeeded",
		eval.UnorderedWebhook: "10 succeeded, 15 failed, 20 pending",
		eval.LateWebhook:      "900 succeeded",
		eval.Accepted:         "10 pending, 310 succeeded",
	} {
		s := newStand(t, Stated(false))
		s.send(fault)
		var came []string
		var last Delivery
		for {
			next, some := s.NextOf("order-1")
			if !some {
				break
			}
			if early := s.Webhooks(next.Add(-1)); len(early) > 0 {
				t.Errorf("%s: before their time: %+v", fault, early)
			}
			s.at = next
			for _, d := range s.Webhooks(s.at) {
				came = append(came, strconv.Itoa(int(d.At.Sub(start)/time.Second))+" "+d.Status)
				if d.Type != "charges."+d.Status || d.ObjectID != s.Effects("order-1")[0].ID || d.ClientReference != "ref-1" {
					t.Errorf("%s: %+v", fault, d)
				}
				switch {
				case last.ID == "":
				case fault == eval.DuplicateWebhook && last.ID != d.ID:
					t.Errorf("a repeated event has another id: %s, %s", last.ID, d.ID)
				case fault != eval.DuplicateWebhook && last.ID == d.ID:
					t.Errorf("%s: two events have the id %s", fault, d.ID)
				case fault == eval.UnorderedWebhook && !d.Occurred.Before(last.Occurred):
					t.Errorf("what comes later is not of an earlier time: %v after %v", d.Occurred, last.Occurred)
				}
				last = d
			}
		}
		if got := strings.Join(came, ", "); got != want {
			t.Errorf("%s: %q, want %q", fault, got, want)
		}
	}
}

func TestWebhooksOfOneBusinessKey(t *testing.T) {
	s := newStand(t, Stated(false))
	second := charge()
	second.BusinessKey = "order-2"
	s.Write(second, eval.NoFault)
	s.pass(time.Second)
	s.send(eval.NoFault)
	s.pass(minute)
	of := func(due []Delivery) (keys []string) {
		for _, d := range due {
			keys = append(keys, d.BusinessKey)
		}
		return keys
	}
	if got := of(s.WebhooksOf("order-1", s.at)); !slices.Equal(got, []string{"order-1"}) {
		t.Error(got)
	}
	s.send(eval.NoFault)
	s.pass(minute)
	if got := of(s.Webhooks(s.at)); !slices.Equal(got, []string{"order-2", "order-1"}) {
		t.Errorf("in order of time: %v", got)
	}
	if got := s.Webhooks(s.at); got != nil {
		t.Errorf("again: %+v", got)
	}
	if got := s.WebhooksOf("order-none", s.at); got != nil {
		t.Error(got)
	}
}

// TestOneDeliveryIsNotedAlone: neither its repetition nor another event of its business key counts as made.
func TestOneDeliveryIsNotedAlone(t *testing.T) {
	s := newStand(t, Stated(false))
	s.send(eval.DuplicateWebhook)
	s.send(eval.UnorderedWebhook)
	s.pass(minute)
	for left := 5; left > 0; left-- {
		due := s.dueWebhooks()
		if len(due) != left || s.Counts().Webhooks != left {
			t.Fatalf("%d are left: %+v", left, due)
		}
		s.delivered(due[0])
	}
}
