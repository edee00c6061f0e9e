package dispatch

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// depth is a queue with so many items ready: "shop/mail/1" is the namespace, the tool and the provider.
func depth(name string, ready int64) ledger.QueueDepth {
	parts := strings.Split(name, "/")
	return ledger.QueueDepth{
		Queue: ledger.Queue{
			Namespace: ledger.Namespace(parts[0]), Executor: registry.ServerHTTP, Tool: parts[1], Kind: ledger.WorkDispatch, Provider: parts[2],
		},
		Waiting: ready, Ready: ready, Oldest: time.Unix(1, 0),
	}
}

func everything(ledger.Queue) bool { return true }

// dealt is what was handed out, as "shop/mail/1:3 shop/sms/1:1".
func dealt(shares []share) string {
	var parts []string
	for _, s := range shares {
		parts = append(parts, fmt.Sprintf("%s/%s/%s:%d", s.queue.Namespace, s.queue.Tool, s.queue.Provider, s.items))
	}
	return strings.Join(parts, " ")
}

func TestPlacesAreDealtByTurns(t *testing.T) {
	for name, c := range map[string]struct {
		ready   []ledger.QueueDepth
		places  int
		allowed room
		want    string
	}{
		"all that is ready": {[]ledger.QueueDepth{depth("a/x/1", 2)}, 10, everything, "a/x/1:2"},
		"a large tenant beside a small one": {
			[]ledger.QueueDepth{depth("a/x/1", 100000), depth("b/x/1", 2)}, 6, everything, "a/x/1:4 b/x/1:2",
		},
		"tools of one tenant, whatever the other has": {
			[]ledger.QueueDepth{depth("a/x/1", 9), depth("a/y/1", 9), depth("b/x/1", 9)}, 8, everything, "a/x/1:2 b/x/1:4 a/y/1:2",
		},
		"providers of one tool": {[]ledger.QueueDepth{depth("a/x/1", 9), depth("a/x/2", 9), depth("a/y/1", 9)}, 8, everything, "a/x/1:2 a/x/2:2 a/y/1:4"},
		"a provider that takes no more": {
			[]ledger.QueueDepth{depth("a/x/1", 9), depth("a/y/2", 9)}, 6, func(q ledger.Queue) bool { return q.Provider == "2" }, "a/y/2:6",
		},
		"nothing is ready": {[]ledger.QueueDepth{depth("a/x/1", 0)}, 6, everything, ""},
		"no place":         {[]ledger.QueueDepth{depth("a/x/1", 3)}, 0, everything, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := newTurns().deal(c.ready, c.places, c.allowed)
			if !sameShares(dealt(got), c.want) {
				t.Errorf("dealt %q, want %q", dealt(got), c.want)
			}
		})
	}
}

// sameShares compares without the order, which ties leave open.
func sameShares(a, b string) bool {
	count := map[string]int{}
	for _, s := range strings.Fields(a) {
		count[s]++
	}
	for _, s := range strings.Fields(b) {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// TestWhoeverIsReadyIsServedInTurn drives the dealer with queues that come and go, and with providers that take no more
// now and then. A queue that is ready all the time and is allowed is served before anybody of its own level is served
// twice: a namespace before another namespace's second turn, and so on below.
func TestWhoeverIsReadyIsServedInTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var names []string
		for _, ns := range []string{"a", "b", "c"} {
			for _, tool := range []string{"x", "y"} {
				for _, provider := range []string{"1", "2"} {
					names = append(names, ns+"/"+tool+"/"+provider)
				}
			}
		}
		turns := newTurns()
		// patient is ready and allowed in every round; nobody may overtake it twice.
		patient := rapid.SampledFrom(names).Draw(t, "patient")
		level := strings.Split(patient, "/")
		overtaken := map[string]int{} // by whom, at the level where they part, since patient's level was served last
		for round := range rapid.IntRange(1, 40).Draw(t, "rounds") {
			var ready []ledger.QueueDepth
			for _, name := range names {
				if n := rapid.Int64Range(0, 3).Draw(t, name); name == patient {
					ready = append(ready, depth(name, 1000))
				} else if n > 0 {
					ready = append(ready, depth(name, n))
				}
			}
			places := rapid.IntRange(1, 5).Draw(t, "places")
			refused := map[string]bool{}
			for _, p := range []string{"1", "2"} {
				refused[p] = p != level[2] && rapid.Bool().Draw(t, "refuses "+p)
			}
			total := 0
			var order []string
			shares := turns.deal(ready, places, func(q ledger.Queue) bool { return !refused[q.Provider] })
			for _, s := range shares {
				if s.items < 1 || refused[s.queue.Provider] {
					t.Fatalf("round %d: %d items of a provider that takes none: %v", round, s.items, s.queue)
				}
				for _, r := range ready {
					if r.Queue == s.queue && int64(s.items) > r.Ready {
						t.Fatalf("round %d: %d items of a queue with %d", round, s.items, r.Ready)
					}
				}
				total += s.items
				order = append(order, dealt([]share{s}))
			}
			if total != places { // the patient one alone could fill every place
				t.Fatalf("round %d: %d places were left empty: %v", round, places-total, order)
			}
			served := false
			for _, s := range shares {
				served = served || s.queue.Namespace == ledger.Namespace(level[0])
			}
			if served {
				overtaken = map[string]int{}
				continue
			}
			for _, s := range shares {
				if overtaken[string(s.queue.Namespace)] += s.items; overtaken[string(s.queue.Namespace)] > 1 {
					t.Fatalf("round %d: %s was served twice while %s waited", round, s.queue.Namespace, level[0])
				}
			}
		}
	})
}

// TestNobodyStarves: whoever is ready all the time is served within as many turns as there are others at its level, at
// each level, whoever else comes and goes.
func TestNobodyStarves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const others = 4
		at := rapid.IntRange(0, 2).Draw(t, "level")
		name := func(i int) string {
			parts := []string{"a", "x", "1"}
			parts[at] = fmt.Sprint(parts[at], i)
			return strings.Join(parts, "/")
		}
		turns, waited := newTurns(), 0
		for range 60 {
			ready := []ledger.QueueDepth{depth(name(0), 5)}
			for i := 1; i <= others; i++ {
				if rapid.Bool().Draw(t, name(i)) {
					ready = append(ready, depth(name(i), 5))
				}
			}
			shares := turns.deal(ready, 1, everything)
			if len(shares) != 1 || shares[0].items != 1 {
				t.Fatalf("one place was dealt as %q", dealt(shares))
			}
			if waited++; shares[0].queue == ready[0].Queue {
				waited = 0
			}
			if waited > others {
				t.Fatalf("it has waited for %d turns beside %d others", waited, others)
			}
		}
	})
}
