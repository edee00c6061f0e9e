package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

func grant(change ...func(*ledger.CreateGrant)) *ledger.CreateGrant {
	c := &ledger.CreateGrant{
		Namespace: ledgertest.North, Giver: ledger.Actor{Principal: "ann", Person: "ann@example.com"}, ID: "gr_1", Kind: ledger.GrantOverride,
		Tool: "refund.create", Fingerprint: "sha256:f", Rule: "refund.create/twice", ExpiresAfter: time.Hour, Reason: "the first went to a closed account",
	}
	for _, f := range change {
		f(c)
	}
	return c
}

func TestCreateGrant(t *testing.T) {
	c := configure(t)
	_, err := c.Do(grant())
	wantRefusal(t, err, ledger.ReasonToolNotFound)
	c.tool("refund.create")

	_, err = c.Do(grant(func(g *ledger.CreateGrant) { g.ForPrincipal = "ann" }))
	wantRefusal(t, err, ledger.ReasonRolesNotApart)
	_, err = c.Do(grant(func(g *ledger.CreateGrant) { g.Kind, g.Rule, g.OperationID = ledger.GrantRevise, "", "op_none" }))
	wantRefusal(t, err, ledger.ReasonOperationNotFound)

	given := c.keeps(grant()).(*ledger.GrantKept).Grant
	if given.GivenBy != "ann" || given.GivenByPerson != "ann@example.com" || given.GivenLocally || !given.ExpiresAt.Equal(ledgertest.Start.Add(time.Hour)) {
		t.Fatalf("got %+v", given)
	}
	// The request again, later and in another try of its transaction: the same grant, with the end that it has.
	c.Advance(time.Minute)
	if again := c.keeps(grant()).(*ledger.GrantKept).Grant; !again.ExpiresAt.Equal(given.ExpiresAt) || again.Etag() != given.Etag() {
		t.Fatalf("got %+v", again)
	}
	for name, change := range map[string]func(*ledger.CreateGrant){
		"kind":        func(g *ledger.CreateGrant) { g.Kind = ledger.GrantRepeat },
		"fingerprint": func(g *ledger.CreateGrant) { g.Fingerprint = "sha256:g" },
		"rule":        func(g *ledger.CreateGrant) { g.Rule = "other" },
		"occurrence":  func(g *ledger.CreateGrant) { g.Occurrence = "second" },
		"principal":   func(g *ledger.CreateGrant) { g.ForPrincipal = "agent" },
		"expiry":      func(g *ledger.CreateGrant) { g.ExpiresAfter = time.Minute },
		"reason":      func(g *ledger.CreateGrant) { g.Reason = "another" },
	} {
		if _, err := c.Do(grant(change)); err == nil {
			t.Errorf("one request gave two grants that differ in their %s", name)
		} else {
			wantRefusal(t, err, ledger.ReasonRequestReused)
		}
	}
	if g := c.keeps(grant(func(g *ledger.CreateGrant) { g.ID, g.ForPrincipal = "gr_bens", "ben" })).(*ledger.GrantKept).Grant; g.ForPrincipal != "ben" {
		t.Fatalf("got %+v", g)
	}
	if local := c.keeps(grant(func(g *ledger.CreateGrant) {
		g.ID, g.Giver, g.ForPrincipal = "gr_local", ledger.Actor{Principal: "local", Local: true}, "local"
	})).(*ledger.GrantKept).Grant; !local.GivenLocally {
		t.Fatal("what one and the same person decides is marked so")
	}
}

// TestReviseGrantIsForAnOperationOfItsTool: a grant to revise names an operation that its fingerprint's tool has made.
func TestReviseGrantIsForAnOperationOfItsTool(t *testing.T) {
	c := configure(t)
	c.tool(capture.Tool.Name)
	c.tool("refund.create")
	h := c.Execute(capture)
	revise := func(tool string) *ledger.CreateGrant {
		return grant(func(g *ledger.CreateGrant) {
			g.Kind, g.Rule, g.Tool, g.OperationID = ledger.GrantRevise, "", tool, h.Operation
		})
	}
	_, err := c.Do(revise("refund.create"))
	wantRefusal(t, err, ledger.ReasonStateNotSuitable)
	if g := c.keeps(revise(capture.Tool.Name)).(*ledger.GrantKept).Grant; g.OperationID != h.Operation {
		t.Fatalf("got %+v", g)
	}
}

func TestRevokeGrant(t *testing.T) {
	c := configure(t)
	c.tool("refund.create")
	revoke := func(change ...func(*ledger.RevokeGrant)) *ledger.RevokeGrant {
		r := &ledger.RevokeGrant{Namespace: ledgertest.North, Principal: "ann", ID: "gr_1", Reason: "a mistake"}
		for _, f := range change {
			f(r)
		}
		return r
	}
	_, err := c.Do(revoke())
	wantRefusal(t, err, ledger.ReasonPolicyNotFound)
	given := c.keeps(grant()).(*ledger.GrantKept).Grant
	if !given.Usable(c.Now) || given.Usable(given.ExpiresAt) {
		t.Fatal("it can be used until it expires, and not then")
	}
	_, err = c.Do(revoke(func(r *ledger.RevokeGrant) { r.Etag = "v9" }))
	wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)
	mine := revoke(func(r *ledger.RevokeGrant) { r.Etag = given.Etag() })
	revoked := c.keeps(mine).(*ledger.GrantKept).Grant
	if revoked.RevokedAt.IsZero() || revoked.RevokedBy != "ann" || revoked.RevokeReason != "a mistake" || revoked.Usable(c.Now) || revoked.Index().Status != "revoked" {
		t.Fatalf("got %+v", revoked)
	}
	c.keeps(mine)
	_, err = c.Do(revoke(func(r *ledger.RevokeGrant) { r.Reason = "another" }))
	wantRefusal(t, err, ledger.ReasonGrantNotUsable)
	_, err = c.Do(revoke(func(r *ledger.RevokeGrant) { r.Principal = "ben" })) // whatever ben's reason is, ann has revoked it
	wantRefusal(t, err, ledger.ReasonGrantNotUsable)
	// The request that gave it, answered late, does not bring it back.
	if again := c.keeps(grant()).(*ledger.GrantKept).Grant; again.Usable(c.Now) {
		t.Fatal("a revoked grant came back")
	}
}
