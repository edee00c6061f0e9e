package server

import (
	"testing"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// TestPollsOfOnePrincipalThatWaitAreBounded: beyond the bound a poll does not wait, others' polls do, and room comes back.
func TestPollsOfOnePrincipalThatWaitAreBounded(t *testing.T) {
	h := &workHub{waiters: map[*workWaiter]struct{}{}, counts: map[whose]int{}}
	of := func(ns ledger.Namespace, principal ledger.Principal) *workPoll {
		return &workPoll{call: call{Caller: callers.Caller{Namespace: ns, Principal: principal}}, request: &pb.PollWorkRequest{WorkerId: "w"}}
	}
	var all []*workWaiter
	for i := range maxWaitingPolls {
		w, mayWait := h.register(of("shop", "thief"))
		if all = append(all, w); !mayWait {
			t.Fatalf("poll %d may not wait", i)
		}
	}
	over, mayWait := h.register(of("shop", "thief"))
	if mayWait {
		t.Error("there is no bound")
	}
	for _, p := range []*workPoll{of("shop", "worker"), of("other", "thief")} {
		if _, mayWait := h.register(p); !mayWait {
			t.Errorf("%s of %s is kept out by another", p.call.Principal, p.call.Namespace)
		}
	}
	h.leave(over)
	h.leave(all[0])
	if _, mayWait := h.register(of("shop", "thief")); !mayWait {
		t.Error("who has left still counts")
	}
}
