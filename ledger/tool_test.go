package ledger_test

import (
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestApplyToolFindsItsOwnWrite runs the command again after it was saved, as a commit whose answer was lost makes the
// engine do.
func TestApplyToolFindsItsOwnWrite(t *testing.T) {
	w := ledgertest.New(t)
	apply := func(version int64, digest string) *ledger.ApplyTool {
		return &ledger.ApplyTool{
			Namespace: ledgertest.North, Principal: "ops", Name: "refund", Version: version, Definition: []byte(digest), Digest: digest,
		}
	}
	applied := func(c ledger.Command, want ledger.ToolHead) {
		t.Helper()
		reply, err := w.Do(c)
		wantOK(t, err)
		if a := reply.(*ledger.Applied); !a.Changed || a.Head != want {
			t.Fatalf("got %+v, want %+v", a, want)
		}
	}
	head := ledger.ToolHead{Namespace: ledgertest.North, Name: "refund", Version: 1, Digest: "one"}
	applied(apply(1, "one"), head)
	applied(apply(1, "one"), head)
	_, err := w.Do(apply(1, "two"))
	wantRefusal(t, err, ledger.ReasonToolVersionConflict)

	head.Version, head.Digest = 2, "two"
	applied(apply(2, "two"), head)
	applied(apply(2, "two"), head)
	_, err = w.Do(apply(1, "one")) // a version that another followed
	wantRefusal(t, err, ledger.ReasonToolVersionConflict)
	_, err = w.Do(apply(2, "")) // without a digest nothing can be told from another's
	wantRefusal(t, err, ledger.ReasonToolVersionConflict)

	head.Disabled, head.Reason = true, "incident 7"
	applied(&ledger.SwitchTool{Namespace: ledgertest.North, Name: "refund", Disabled: true, Reason: "incident 7"}, head)
	applied(apply(2, "two"), head) // what has happened since is told
	head.Version, head.Digest = 3, "three"
	applied(apply(3, "three"), head)
}

// TestLateSwitch: a switch that was turned once is not turned again by its request's repeat, after somebody else's.
func TestLateSwitch(t *testing.T) {
	c := configure(t)
	c.tool("refund")
	turn := func(off bool) *ledger.SwitchTool {
		return &ledger.SwitchTool{Namespace: ledgertest.North, Name: "refund", Disabled: off, Reason: "a test", Request: c.request("ops")}
	}
	off, on := turn(true), turn(false)
	c.changes(off)
	c.changes(on)
	c.changes(turn(true))
	if late := c.keeps(on).(*ledger.Applied); late.Changed || !late.Head.Disabled {
		t.Fatalf("got %+v", late)
	}
	on.Request.Hash = "of another"
	_, err := c.Do(on)
	wantRefusal(t, err, ledger.ReasonRequestReused)
}

// TestLateToolVersion: a version that was applied once is not applied again over another.
func TestLateToolVersion(t *testing.T) {
	c := configure(t)
	apply := func(version int64, digest string) *ledger.ApplyTool {
		return &ledger.ApplyTool{Namespace: ledgertest.North, Principal: "ops", Name: "refund", Version: version, Digest: digest, Request: c.request("ops")}
	}
	first := apply(1, "one")
	c.changes(first)
	c.changes(apply(2, "two"))
	first.Version = 3 // as an edge that does not know of the first try builds it anew
	if late := c.keeps(first).(*ledger.Applied); late.Changed || late.Head.Version != 2 {
		t.Fatalf("got %+v", late)
	}
}
