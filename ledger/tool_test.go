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
