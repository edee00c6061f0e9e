package locks_test

import (
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/locks"
)

// holders lists who stands in the scope, in order; one that waits for approval with a question mark.
func holders(s locks.Scope) []string {
	var names []string
	for _, h := range s.Holders {
		if h.Waiting {
			h.OperationID += "?"
		}
		names = append(names, h.OperationID)
	}
	return names
}

func holds(t *testing.T, s locks.Scope, want ...string) {
	t.Helper()
	if got := holders(s); !slices.Equal(got, want) {
		t.Errorf("%q stand in the scope, not %q", got, want)
	}
}

func TestScopeIsNamedByGroupOrLease(t *testing.T) {
	group, lease := locks.GroupRef("shop", a, "money"), locks.LeaseRefOf("shop", a)
	if group.Group() != "money" || lease.Group() != "" || group == lease {
		t.Errorf("the group of %+v is %q, of %+v %q", group, group.Group(), lease, lease.Group())
	}
	if a.String() != "order/a" || a.IsZero() || !(locks.Entity{}).IsZero() {
		t.Errorf("%s", a)
	}
}

func TestHoldersComeInOrderOfJoining(t *testing.T) {
	s := locks.Scope{}.Join("op_1", "wf_1", start).Join("op_2", "wf_2", start).Join("op_1", "wf_1", start.Add(time.Hour))
	holds(t, s, "op_1", "op_2")
	if s.Holders[0].Since != start {
		t.Error("joining twice changes nothing")
	}
	holds(t, s.Leave("op_1"), "op_2")
	holds(t, s.Leave("op_3"), "op_1", "op_2")
}

// TestBlockerIsTheEarliestOther: two operations of a scope never wait for each other.
func TestBlockerIsTheEarliestOther(t *testing.T) {
	s := locks.Scope{}.Announce("op_0", "wf_0", start).Join("op_1", "wf_1", start).Join("op_2", "wf_2", start).Join("op_3", "wf_3", start)
	for operation, want := range map[string]string{"op_1": "", "op_2": "op_1", "op_3": "op_1", "op_0": "op_1", "op_new": "op_1"} {
		if by, blocked := s.Blocker(operation); by.OperationID != want || blocked != (want != "") {
			t.Errorf("%s is blocked by %q: %t", operation, by.OperationID, blocked)
		}
	}
	waiting := locks.Scope{}.Announce("op_1", "wf_1", start).Announce("op_2", "wf_2", start)
	if by, blocked := waiting.Blocker("op_2"); blocked {
		t.Errorf("what waits for approval holds nothing: %s", by.OperationID)
	}
}

func TestWhoWaitsForApprovalIsNamedToOthers(t *testing.T) {
	s := locks.Scope{}.Join("op_0", "wf_0", start).Announce("op_1", "wf_1", start).Announce("op_2", "wf_2", start)
	for operation, want := range map[string]string{"op_0": "op_1", "op_1": "op_2", "op_2": "op_1", "op_new": "op_1"} {
		if other, asking := s.Asking(operation); other.OperationID != want || !asking {
			t.Errorf("to %s is named %q: %t", operation, other.OperationID, asking)
		}
	}
	if other, asking := (locks.Scope{}).Announce("op_1", "wf_1", start).Asking("op_1"); asking {
		t.Errorf("an operation does not wait for itself, as %s", other.OperationID)
	}
	holds(t, s.Announce("op_1", "wf_1", start), "op_0", "op_1?", "op_2?")
	holds(t, s.Announce("op_0", "wf_0", start), "op_0", "op_1?", "op_2?")
}

func TestReleaseAfterApprovalGoesToTheEndOfTheLine(t *testing.T) {
	s := locks.Scope{}.Join("op_0", "wf_0", start).Announce("op_1", "wf_1", start).Announce("op_2", "wf_2", start).Join("op_3", "wf_3", start)
	later := start.Add(time.Minute)
	s = s.Join("op_1", "wf_1", later)
	holds(t, s, "op_0", "op_2?", "op_3", "op_1")
	if last := s.Holders[3]; last.Since != later || last.WorkflowID != "wf_1" {
		t.Errorf("%+v", last)
	}
}

// TestKeeperOfTwoWorkflowsIsNobodys: its request may still come from either, so it keeps the entity from both.
func TestKeeperOfTwoWorkflowsIsNobodys(t *testing.T) {
	s := locks.Scope{}.Join("op_0", "wf_2", start).Keep("op_1", "wf_1", start)
	if again := s.Keep("op_1", "wf_1", start.Add(time.Hour)); again.Holders[1] != s.Holders[1] || len(again.Holders) != 2 {
		t.Errorf("keeping it again for the same workflow changed %+v", again.Holders)
	}
	both := s.Keep("op_1", "wf_2", start)
	holds(t, both, "op_0", "op_1")
	if s.Holders[1].WorkflowID != "wf_1" {
		t.Error("the scope that it was made of changed")
	}
	for workflow, want := range map[string][]string{"wf_1": {"op_0", "op_1"}, "wf_2": {"op_1"}, "": {"op_0", "op_1"}} {
		var keepers []string
		for _, h := range both.Keepers(workflow) {
			keepers = append(keepers, h.OperationID)
		}
		if !slices.Equal(keepers, want) {
			t.Errorf("%q keep it from workflow %q, not %q", keepers, workflow, want)
		}
	}
}

// TestNobodysWorkKeepsFromEverybody: an operation without a workflow is another's, also to one without.
func TestNobodysWorkKeepsFromEverybody(t *testing.T) {
	s := locks.Scope{}.Join("op_1", "", start)
	if len(s.Keepers("")) != 1 || len(s.Keepers("wf_1")) != 1 {
		t.Errorf("%+v", s.Keepers(""))
	}
}

func TestApproversNoHoldsUntilItsTimeAndTheLongerStands(t *testing.T) {
	until := start.Add(time.Hour)
	s := locks.Scope{}
	if s.Standing(start) != nil {
		t.Error("nobody said no")
	}
	denied := s.Deny(locks.StandingNo{OperationID: "op_1", Until: until})
	for at, want := range map[time.Time]bool{start: true, until.Add(-1): true, until: false, until.Add(1): false} {
		if got := denied.Standing(at) != nil; got != want {
			t.Errorf("at %s a no stands: %t", at, got)
		}
	}
	for _, second := range []struct {
		until time.Time
		want  string
	}{{until.Add(-1), "op_1"}, {until, "op_1"}, {until.Add(1), "op_2"}} {
		if no := denied.Deny(locks.StandingNo{OperationID: "op_2", Until: second.until}).Standing(start); no.OperationID != second.want {
			t.Errorf("after a second no until %s, that of %s stands", second.until, no.OperationID)
		}
	}
	if s.No != nil || denied.No.OperationID != "op_1" {
		t.Error("a scope that a no was added to changed itself")
	}
}
