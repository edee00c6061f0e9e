package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

func (c *configured) pause(scope ledger.SwitchScope, by ledger.Principal, reason string) *ledger.PauseScope {
	return &ledger.PauseScope{Request: c.request(by), Scope: scope, Reason: reason}
}

func (c *configured) resume(scope ledger.SwitchScope, etag string) *ledger.ResumeScope {
	return &ledger.ResumeScope{Request: c.request("ops"), Scope: scope, Reason: "all is well", Etag: etag}
}

// TestPauseAndResume holds a pause of each scope against its whole life.
func TestPauseAndResume(t *testing.T) {
	for scope, as := range map[ledger.SwitchScope]policy.Switch{
		{}:                             {},
		{Class: registry.Irreversible}: {Class: "IRREVERSIBLE"},
		{Tool: "refund.create"}:        {Tool: "refund.create"},
	} {
		t.Run(scope.ID(), func(t *testing.T) {
			c := configure(t)
			c.tool("refund.create")
			_, err := c.Do(c.resume(scope, ""))
			wantRefusal(t, err, ledger.ReasonPolicyNotFound)

			first := c.pause(scope, "ops", "an incident")
			paused := c.changes(first).(*ledger.Switched).Switch
			as.Paused, as.Reason = true, "an incident"
			if paused.Policy() != as || paused.Scope() != scope || paused.Index().Status != "paused" {
				t.Fatalf("got %+v as %+v", paused, paused.Policy())
			}
			for _, same := range []*ledger.PauseScope{first, c.pause(scope, "ops", "an incident")} {
				if again := c.keeps(same).(*ledger.Switched); again.Changed || again.Switch.Etag() != paused.Etag() {
					t.Fatalf("the same once more is %+v", again)
				}
			}

			// Another's pause keeps the beginning and changes the etag: the first one's end is not the second one's.
			c.Advance(time.Hour)
			other := c.changes(c.pause(scope, "kim", "a second incident")).(*ledger.Switched).Switch
			if other.PausedBy != "kim" || other.PauseReason != "a second incident" || !other.PausedAt.Equal(ledgertest.Start) {
				t.Fatalf("got %+v", other)
			}
			_, err = c.Do(c.resume(scope, paused.Etag()))
			wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)

			end := c.resume(scope, other.Etag())
			resumed := c.changes(end).(*ledger.Switched).Switch
			if resumed.Paused || resumed.ResumedBy != "ops" || resumed.ResumeReason != "all is well" || resumed.PauseReason != "a second incident" || resumed.Index().Status != "" {
				t.Fatalf("got %+v", resumed)
			}
			if c.keeps(end).(*ledger.Switched).Changed {
				t.Fatal("its own write is no change")
			}
			_, err = c.Do(c.resume(scope, ""))
			wantRefusal(t, err, ledger.ReasonPolicyNotFound)
			// The first pause's repeat, however late, pauses nothing; a new request does.
			if late := c.keeps(first).(*ledger.Switched); late.Changed || late.Switch.Paused {
				t.Fatalf("got %+v", late.Switch)
			}
			if since := c.changes(c.pause(scope, "ops", "an incident")).(*ledger.Switched).Switch.PausedAt; !since.Equal(ledgertest.Start.Add(time.Hour)) {
				t.Fatalf("a new pause began at %s", since)
			}
			// And the resumption's repeat does not end it.
			if late := c.keeps(end).(*ledger.Switched); late.Changed || !late.Switch.Paused {
				t.Fatalf("got %+v", late.Switch)
			}
		})
	}
}

func TestSetShadow(t *testing.T) {
	c := configure(t)
	c.tool("refund.create")
	scope := ledger.SwitchScope{Tool: "refund.create"}
	set := func(shadow bool) *ledger.SetShadow {
		return &ledger.SetShadow{Request: c.request("ops"), Scope: scope, Shadow: shadow, Reason: "a trial"}
	}
	if c.keeps(set(false)).(*ledger.Switched).Changed {
		t.Fatal("it was in force already")
	}
	on := c.changes(set(true)).(*ledger.Switched).Switch
	if !on.Policy().Shadow || on.ShadowBy != "ops" || on.ShadowReason != "a trial" || on.ShadowAt.IsZero() {
		t.Fatalf("got %+v", on)
	}
	c.keeps(set(true)) // the same once more is no change
	// A pause of the same scope is beside it.
	both := c.changes(c.pause(scope, "ops", "an incident")).(*ledger.Switched).Switch
	if both.Policy() != (policy.Switch{Tool: "refund.create", Paused: true, Reason: "an incident", Shadow: true}) {
		t.Fatalf("got %+v", both.Policy())
	}
	if off := c.changes(set(false)).(*ledger.Switched).Switch; off.Shadow || !off.Paused {
		t.Fatalf("got %+v", off)
	}
}

// TestSwitchOfNoTool: a slip of the pen pauses nothing, and is told.
func TestSwitchOfNoTool(t *testing.T) {
	c := configure(t)
	scope := ledger.SwitchScope{Tool: "refund.craete"}
	_, err := c.Do(c.pause(scope, "ops", "an incident"))
	wantRefusal(t, err, ledger.ReasonToolNotFound)
	_, err = c.Do(&ledger.SetShadow{Request: c.request("ops"), Scope: scope, Shadow: true, Reason: "a trial"})
	wantRefusal(t, err, ledger.ReasonToolNotFound)
	_, err = c.Do(c.resume(scope, ""))
	wantRefusal(t, err, ledger.ReasonToolNotFound)
}
