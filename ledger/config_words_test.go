package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// TestEveryPauseKeepsItsWords: one that differs in who says it or in why is another, and becomes the one that stands.
func TestEveryPauseKeepsItsWords(t *testing.T) {
	c := configure(t)
	was := c.changes(c.pause(ledger.SwitchScope{}, "ops", "an incident")).(*ledger.Switched).Switch
	for _, next := range []struct {
		by     ledger.Principal
		reason string
	}{{"kim", "an incident"}, {"kim", "a second incident"}} {
		now := c.changes(c.pause(ledger.SwitchScope{}, next.by, next.reason)).(*ledger.Switched).Switch
		if now.PausedBy != next.by || now.PauseReason != next.reason || now.Etag() == was.Etag() {
			t.Errorf("after %s's %q: %+v", next.by, next.reason, now)
		}
		was = now
	}
	ended := c.changes(c.resume(ledger.SwitchScope{}, was.Etag())).(*ledger.Switched).Switch
	again := c.changes(c.pause(ledger.SwitchScope{}, was.PausedBy, was.PauseReason)).(*ledger.Switched).Switch
	if !again.Paused || again.Etag() == ended.Etag() {
		t.Errorf("the same pause after its end is %+v", again)
	}
}

// TestEveryShadowKeepsItsWords, as pauses do.
func TestEveryShadowKeepsItsWords(t *testing.T) {
	c := configure(t)
	for _, next := range []struct {
		by     ledger.Principal
		reason string
	}{{"ops", "a trial"}, {"kim", "a trial"}, {"kim", "a longer trial"}} {
		now := c.changes(&ledger.SetShadow{Request: c.request(next.by), Shadow: true, Reason: next.reason}).(*ledger.Switched).Switch
		if now.ShadowBy != next.by || now.ShadowReason != next.reason {
			t.Errorf("after %s's %q: %+v", next.by, next.reason, now)
		}
	}
}

// TestHowAScopeIsNamedForPeople in messages.
func TestHowAScopeIsNamedForPeople(t *testing.T) {
	for want, scope := range map[string]ledger.SwitchScope{
		"the namespace": {}, "the class IRREVERSIBLE": {Class: registry.Irreversible}, "the tool refund.create": {Tool: "refund.create"},
	} {
		if scope.String() != want {
			t.Errorf("%+v is named %q, want %q", scope, scope, want)
		}
	}
}

// TestAStandingApprovalIsRevokedOnce: its own words again are its repeat; other words, and other people's, are refused.
func TestAStandingApprovalIsRevokedOnce(t *testing.T) {
	c := configure(t)
	c.tool("refund.create")
	c.changes(c.standing())
	c.changes(&ledger.RevokeStanding{Namespace: ledgertest.North, Principal: "kim", ID: "sap_1", Reason: "enough"})
	for _, other := range []ledger.RevokeStanding{{Principal: "kim", Reason: "mine"}, {Principal: "ann", Reason: "enough"}} {
		other.Namespace, other.ID = ledgertest.North, "sap_1"
		_, err := c.Do(&other)
		wantRefusal(t, err, ledger.ReasonPolicyNotFound)
	}
}

// TestAStandingApprovalIsGivenOnce: whatever differs in it is another wish, and the same request cannot mean both.
func TestAStandingApprovalIsGivenOnce(t *testing.T) {
	c := configure(t)
	c.tool("refund.create")
	c.changes(c.standing())
	for name, change := range map[string]func(*ledger.CreateStanding){
		"its reason": func(s *ledger.CreateStanding) { s.Reason = "another" },
		"its end":    func(s *ledger.CreateStanding) { s.ExpiresAfter = time.Hour },
		"its bound":  func(s *ledger.CreateStanding) { s.Terms.MaxCount = 6 },
	} {
		_, err := c.Do(c.standing(change))
		if err == nil || !strings.Contains(err.Error(), string(ledger.ReasonRequestReused)) {
			t.Errorf("with another %s: %v", name, err)
		}
	}
	other := c.standing(func(s *ledger.CreateStanding) { s.ID, s.Terms.Proposer = "sap_2", "ben" })
	if given := c.changes(other).(*ledger.StandingKept).Standing; given.Terms.Proposer != "ben" {
		t.Errorf("%+v", given)
	}
}

// TestWhenALeaseCountsAsUnused: in figures that dashboards are built on.
func TestWhenALeaseCountsAsUnused(t *testing.T) {
	if ledger.UnusedRenewals != 10 || ledger.UnusedFor.String() != "10m0s" {
		t.Errorf("after %d renewals and %s", ledger.UnusedRenewals, ledger.UnusedFor)
	}
}
