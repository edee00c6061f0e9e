package ledger_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// bureau is two operations that two persons each must approve: they are proposed, decided on, left alone, cancelled, begun
// and reported in any order, while the tool may get another version.
type bureau struct {
	*office
	rt      *rapid.T
	holders []*ledgertest.Holder
	begun   int
}

var bureauCalls = []ledgertest.Call{revoking("u_7"), revoking("u_8")}

func (b *bureau) propose() {
	c := rapid.SampledFrom(bureauCalls).Draw(b.rt, "call")
	c.Person = rapid.SampledFrom([]string{"ann", "ben"}).Draw(b.rt, "behind the agent")
	reply, err := b.Do(b.Command(c))
	if err != nil {
		b.rt.Fatalf("propose: %v", err)
	}
	if a := reply.(*ledger.Answer); a.Permit != nil {
		b.holders = append(b.holders, b.HolderOf(a))
	}
}

func (b *bureau) decide() {
	all := b.Records(ledger.RecordApproval)
	if len(all) == 0 {
		return
	}
	id := rapid.SampledFrom(all).Draw(b.rt, "approval").Key().ID
	who := person(rapid.SampledFrom([]string{"ann", "ben", "cleo", "dora"}).Draw(b.rt, "person"), "lead")
	if rapid.Bool().Draw(b.rt, "by another credential") {
		who.Principal += "/phone"
	}
	b.mayRefuse(b.says(who, id, rapid.IntRange(0, 5).Draw(b.rt, "no") > 0))
}

func (b *bureau) holder() *ledgertest.Holder {
	if len(b.holders) == 0 {
		return nil
	}
	return rapid.SampledFrom(b.holders).Draw(b.rt, "holder")
}

func (b *bureau) begin() {
	if h := b.holder(); h != nil {
		err := h.Begin()
		b.mayRefuse(err)
		if err == nil {
			b.begun++
		}
	}
}

func (b *bureau) report() {
	if h := b.holder(); h != nil {
		outcome := rapid.SampledFrom([]ledger.Outcome{ledger.OutcomeNotSent, ledger.OutcomeAmbiguous, ledger.OutcomeRateLimited}).Draw(b.rt, "outcome")
		b.mayRefuse(h.Says(outcome))
	}
}

func (b *bureau) cancel() {
	if all := b.Operations(); len(all) > 0 && rapid.IntRange(0, 4).Draw(b.rt, "cancelled") == 0 {
		o := rapid.SampledFrom(all).Draw(b.rt, "operation")
		_, err := b.Do(&ledger.CancelOperation{Namespace: ledgertest.North, Principal: ledgertest.Agent, OperationID: o.ID})
		b.mayRefuse(err)
	}
}

func (b *bureau) wait() {
	b.Advance(rapid.SampledFrom([]time.Duration{time.Second, 30 * time.Second, 90 * time.Second, time.Hour}).Draw(b.rt, "time"))
	b.RunDue()
}

// mayRefuse lets refusals pass: the interleaving is blind.
func (b *bureau) mayRefuse(err error) {
	if err != nil && !ledgertest.Final(err) {
		b.rt.Fatalf("failed inside: %v", err)
	}
}

// check holds what must be true of every begun attempt: a full set of yeses by distinct persons who neither proposed the
// operation nor carried it out, in an approval that no other attempt has.
func (b *bureau) check() {
	type key struct {
		op     ledger.OperationID
		number int64
	}
	used := map[key]*ledger.Approval{}
	for _, r := range b.Records(ledger.RecordApproval) {
		a := r.(*ledger.Approval)
		if a.State == ledger.ApprovalSpent {
			used[key{a.OperationID, a.Attempt}] = a
		}
		if o := b.now(a); o.State == ledger.Planned && !slices.ContainsFunc(o.Approvals, func(r ledger.ApprovalRef) bool { return !r.Due.IsZero() }) {
			b.rt.Fatalf("operation %s waits for a person and for no time", o.ID)
		}
	}
	for _, o := range b.Operations() {
		for i := range o.Attempts {
			at := &o.Attempts[i]
			if !at.Begun() {
				continue
			}
			a := used[key{o.ID, at.Number}]
			if a == nil {
				b.rt.Fatalf("attempt %d of %s has begun without an approval of its own", at.Number, o.ID)
			}
			var persons []string
			for _, w := range a.Words {
				if !w.Approved || slices.Contains(persons, w.Person) || w.Person == o.Person || w.Person == at.Person {
					b.rt.Fatalf("attempt %d of %s (by %s, proposed by %s) has begun on the words %+v", at.Number, o.ID, at.Person, o.Person, a.Words)
				}
				persons = append(persons, w.Person)
			}
			if len(persons) < 2 || a.Fingerprint != o.Fingerprint {
				b.rt.Fatalf("attempt %d of %s has begun on %d yeses", at.Number, o.ID, len(persons))
			}
		}
	}
}

// TestNobodyBeginsAlone: whatever comes in whatever order.
func TestNobodyBeginsAlone(t *testing.T) {
	begun := 0
	rapid.Check(t, func(rt *rapid.T) {
		expiry := need(of(2))
		switch rapid.IntRange(0, 2).Draw(rt, "expiry") {
		case 1:
			onExpiry(policy.ExpiryEscalate, "lead", "director")(&expiry)
		case 2:
			onExpiry(policy.ExpiryNeedsHuman)(&expiry)
		}
		b := &bureau{office: rapidOffice(rt, expiry), rt: rt}
		steps := []func(){b.propose, b.propose, b.decide, b.decide, b.decide, b.decide, b.begin, b.begin, b.report, b.cancel, b.wait,
			func() {
				if rapid.IntRange(0, 9).Draw(rt, "upgraded") == 0 {
					b.upgrade()
				}
			}}
		for range rapid.IntRange(10, 60).Draw(rt, "steps") {
			rapid.SampledFrom(steps).Draw(rt, "step")()
			b.check()
		}
		begun += b.begun
	})
	if begun == 0 {
		t.Fatal("no interleaving has begun anything: the property says nothing")
	}
	t.Logf("%d attempts were begun", begun)
}
