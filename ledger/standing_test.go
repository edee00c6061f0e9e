package ledger_test

import (
	"errors"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

func (c *configured) standing(change ...func(*ledger.CreateStanding)) *ledger.CreateStanding {
	s := &ledger.CreateStanding{
		Namespace: ledgertest.North, Giver: ledger.Actor{Principal: "ann", Person: "ann@example.com"}, ID: "sap_1", Epoch: c.epoch,
		Terms:        policy.StandingTerms{Tool: "refund.create", MaxCount: 5, AmountPointer: "/amount", MaxAmount: new(int64(3000))},
		ExpiresAfter: 24 * time.Hour, Reason: "goodwill week",
	}
	for _, f := range change {
		f(s)
	}
	return s
}

func TestCreateStanding(t *testing.T) {
	c := configure(t)
	_, err := c.Do(c.standing())
	wantRefusal(t, err, ledger.ReasonToolNotFound)
	c.tool("refund.create")
	var moved *ledger.EpochMovedError
	if _, err = c.Do(c.standing(func(s *ledger.CreateStanding) { s.Epoch = 0 })); !errors.As(err, &moved) {
		t.Fatalf("its terms were checked against another configuration, and: %v", err)
	}
	_, err = c.Do(c.standing(func(s *ledger.CreateStanding) { s.Terms.Proposer = "ann" }))
	wantRefusal(t, err, ledger.ReasonRolesNotApart)

	create := c.standing()
	given := c.changes(create).(*ledger.StandingKept).Standing
	if given.Terms.ID != "sap_1" || given.Terms.GivenBy != "ann" || given.Terms.GivenByPerson != "ann@example.com" ||
		!given.Terms.ExpiresAt.Equal(ledgertest.Start.Add(24*time.Hour)) || given.Index().Status != "held" {
		t.Fatalf("got %+v", given)
	}
	c.Advance(time.Minute)
	if again := c.keeps(create).(*ledger.StandingKept).Standing; again.Etag() != given.Etag() || !again.Terms.ExpiresAt.Equal(given.Terms.ExpiresAt) {
		t.Fatalf("its own write is %+v", again)
	}
	_, err = c.Do(c.standing(func(s *ledger.CreateStanding) { s.Terms.MaxAmount = new(int64(30000)) }))
	wantRefusal(t, err, ledger.ReasonRequestReused)
}

func TestRevokeStanding(t *testing.T) {
	c := configure(t)
	c.tool("refund.create")
	revoke := &ledger.RevokeStanding{Namespace: ledgertest.North, Principal: "kim", ID: "sap_1", Reason: "enough"}
	_, err := c.Do(revoke)
	wantRefusal(t, err, ledger.ReasonPolicyNotFound)
	c.changes(c.standing())
	_, err = c.Do(&ledger.RevokeStanding{Namespace: ledgertest.North, Principal: "kim", ID: "sap_1", Reason: "enough", Etag: "v9"})
	wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)
	revoked := c.changes(revoke).(*ledger.StandingKept).Standing
	if revoked.RevokedAt.IsZero() || revoked.RevokedBy != "kim" || revoked.RevokedFor != "enough" || revoked.Index().Status != "revoked" {
		t.Fatalf("got %+v", revoked)
	}
	c.keeps(revoke)
	_, err = c.Do(&ledger.RevokeStanding{Namespace: ledgertest.North, Principal: "ann", ID: "sap_1", Reason: "mine"})
	wantRefusal(t, err, ledger.ReasonPolicyNotFound)
}
