package ledger_test

import (
	"errors"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// configured runs commands on the configuration, each at the epoch that it finds unless a test sets another.
type configured struct {
	*ledgertest.World
	t     *testing.T
	epoch int64
}

func configure(t *testing.T) *configured {
	t.Helper()
	return &configured{World: ledgertest.New(t), t: t}
}

// changes runs a command that moves the epoch by one.
func (c *configured) changes(command ledger.Command) any {
	c.t.Helper()
	c.epoch++
	return c.keeps(command)
}

// keeps runs a command, and expects the epoch where it was.
func (c *configured) keeps(command ledger.Command) any {
	c.t.Helper()
	reply, err := c.Do(command)
	wantOK(c.t, err)
	c.at(c.epoch)
	return reply
}

// at expects the epoch. A command that is built at another one is told where it stands.
func (c *configured) at(epoch int64) {
	c.t.Helper()
	_, err := c.Do(&ledger.ApplyRule{Request: ledger.Request{Namespace: ledgertest.North}, RuleID: "probe", Epoch: -1, Number: 1})
	var moved *ledger.EpochMovedError
	if !errors.As(err, &moved) || moved.Now != epoch {
		c.t.Fatalf("the epoch is %v, want %d", err, epoch)
	}
}

// tool makes a tool of that name known.
func (c *configured) tool(name string) {
	c.t.Helper()
	c.changes(&ledger.ApplyTool{Namespace: ledgertest.North, Principal: "ops", Name: name, Version: 1, Digest: name})
}

// request makes a request of its own.
func (c *configured) request(by ledger.Principal) ledger.Request {
	id := c.ID("request")
	return ledger.Request{Namespace: ledgertest.North, Principal: by, ID: ledger.RequestID(id), Hash: "of " + id}
}

func (c *configured) rule(number int64, digest string, change ...func(*ledger.ApplyRule)) *ledger.ApplyRule {
	a := &ledger.ApplyRule{
		Request: c.request("ops"), Epoch: c.epoch, RuleID: "no-refunds", Number: number, Definition: []byte(digest), Digest: digest,
	}
	for _, f := range change {
		f(a)
	}
	return a
}

func TestApplyRule(t *testing.T) {
	c := configure(t)
	first := c.rule(1, "one")
	applied := c.changes(first).(*ledger.RuleApplied)
	if !applied.Created || applied.Rule.RuleVersion != 1 || applied.Rule.AppliedBy != "ops" || !applied.Rule.AppliedAt.Equal(ledgertest.Start) {
		t.Fatalf("got %+v", applied.Rule)
	}
	// Its own write, and the same rule from somebody who has not seen it: no new version.
	if again := c.keeps(first).(*ledger.RuleApplied); !again.Created || again.Rule.RuleVersion != 1 {
		t.Fatalf("its own write is %+v", again)
	}
	if same := c.keeps(c.rule(2, "one")).(*ledger.RuleApplied); same.Created || same.Rule.RuleVersion != 1 {
		t.Fatalf("the same rule again is %+v", same)
	}
	_, err := c.Do(c.rule(1, "two"))
	wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)
	_, err = c.Do(c.rule(2, "two", func(a *ledger.ApplyRule) { a.Etag = "v0" }))
	wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)

	second := c.changes(c.rule(2, "two", func(a *ledger.ApplyRule) { a.Etag = applied.Rule.Etag() })).(*ledger.RuleApplied)
	if second.Rule.RuleVersion != 2 || second.Rule.Etag() == applied.Rule.Etag() {
		t.Fatalf("got %+v", second.Rule)
	}
	for number, digest := range map[int64]string{1: "one", 2: "two"} {
		kept, _ := c.Record(ledger.RuleVersionKey(ledgertest.North, "no-refunds", number)).(*ledger.RuleVersion)
		if kept == nil || string(kept.Definition) != digest || kept.Number != number || kept.RuleID != "no-refunds" {
			t.Fatalf("version %d is kept as %+v", number, kept)
		}
	}
}

// TestRulesAreCheckedAgainstWhatHolds: a rule and a tool that were checked at the same time, each without the other, are
// not both stored.
func TestRulesAreCheckedAgainstWhatHolds(t *testing.T) {
	c := configure(t)
	seen := c.epoch
	apply := &ledger.ApplyTool{Namespace: ledgertest.North, Principal: "ops", Name: "refund", Version: 1, Digest: "t", Epoch: &seen}
	rule := c.rule(1, "one")
	c.changes(rule)
	var moved *ledger.EpochMovedError
	if _, err := c.Do(apply); !errors.As(err, &moved) || moved.Now != 1 || moved.Have != 0 {
		t.Fatalf("the tool was checked without the rule, and: %v", err)
	}
	now := c.epoch
	apply.Epoch = &now
	c.changes(apply)
	c.keeps(apply) // its own write, although the epoch has moved by it
	if _, err := c.Do(c.rule(2, "two", func(a *ledger.ApplyRule) { a.Epoch = seen })); !errors.As(err, &moved) {
		t.Fatalf("the rule was checked without the tool, and: %v", err)
	}
}

func TestRemoveRule(t *testing.T) {
	c := configure(t)
	remove := func(change ...func(*ledger.RemoveRule)) *ledger.RemoveRule {
		r := &ledger.RemoveRule{Request: c.request("ops"), RuleID: "no-refunds", Reason: "the campaign is over"}
		for _, f := range change {
			f(r)
		}
		return r
	}
	_, err := c.Do(remove())
	wantRefusal(t, err, ledger.ReasonPolicyNotFound)
	applied := c.changes(c.rule(1, "one")).(*ledger.RuleApplied)
	_, err = c.Do(remove(func(r *ledger.RemoveRule) { r.Etag = "v7" }))
	wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)

	mine := remove(func(r *ledger.RemoveRule) { r.Etag = applied.Rule.Etag() })
	removed := c.changes(mine).(*ledger.RuleRemoved).Rule
	if removed.RemovedAt.IsZero() || removed.RemovedBy != "ops" || removed.Reason != mine.Reason || removed.Index().Status != "removed" {
		t.Fatalf("got %+v", removed)
	}
	if !c.keeps(mine).(*ledger.RuleRemoved).Rule.RemovedAt.Equal(removed.RemovedAt) {
		t.Fatal("its own write is answered as it is")
	}
	_, err = c.Do(remove())
	wantRefusal(t, err, ledger.ReasonPolicyNotFound)

	// Applied again it goes on with the next number, also where it says what it said before.
	back := c.changes(c.rule(2, "one")).(*ledger.RuleApplied)
	if !back.Created || back.Rule.RuleVersion != 2 || !back.Rule.RemovedAt.IsZero() || back.Rule.Index().Status != "held" {
		t.Fatalf("got %+v", back.Rule)
	}
	// The removal's repeat, however late, does not remove it again; nor does another request under its id.
	if c.keeps(mine).(*ledger.RuleRemoved).Rule.RuleVersion != 2 {
		t.Fatal("a late repeat is answered with what stands by now")
	}
	mine.Hash = "of another"
	_, err = c.Do(mine)
	wantRefusal(t, err, ledger.ReasonRequestReused)
}

// TestLateApplication: a rule that was applied once is not applied again by its request's repeat, over one that came after.
func TestLateApplication(t *testing.T) {
	c := configure(t)
	first := c.rule(1, "one")
	c.changes(first)
	c.changes(c.rule(2, "two"))
	first.Number, first.Epoch = 3, c.epoch // as an edge that does not know of the first try builds it anew
	if late := c.keeps(first).(*ledger.RuleApplied); late.Created || late.Rule.RuleVersion != 2 || late.Rule.Digest != "two" {
		t.Fatalf("got %+v", late.Rule)
	}
}
