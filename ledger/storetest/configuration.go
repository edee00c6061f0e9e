package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

func configuration(t *testing.T, fresh Make) {
	t.Run("it has the rules, switches and standing approvals that hold, and no others", func(t *testing.T) {
		b := open(t, fresh)
		now, err := b.engine.Time(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		held, removed := rule(tenant, "held", now), rule(tenant, "removed", now)
		removed.RemovedAt = now
		paused, shadow, off := onOff("tool/a", now), onOff("tool/b", now), onOff("tool/c", now)
		paused.Paused, shadow.Shadow = true, true
		standing := func(id string, expires time.Duration) *ledger.Standing {
			s := &ledger.Standing{Terms: policy.StandingTerms{ID: id, Tool: "t", ExpiresAt: now.Add(expires)}, CreatedAt: now}
			s.Namespace, s.ID, s.Version = tenant, id, 1
			return s
		}
		usable, expired, revoked := standing("usable", 2*time.Hour), standing("expired", time.Hour), standing("revoked", 2*time.Hour)
		revoked.RevokedAt = now
		saveRecords(t, b.engine, held, removed, rule(other, "another tenant's", now), paused, shadow, off, usable, expired, revoked)
		want := ledger.ToolSet{
			Rules: []*ledger.Rule{held}, Switches: []*ledger.Switch{paused, shadow}, Standing: []*ledger.Standing{expired, usable},
		}
		same(t, "at first", toolSet(t, b.engine, tenant), want)
		b.advance(90 * time.Minute)
		want.Standing = []*ledger.Standing{usable}
		same(t, "later", toolSet(t, b.engine, tenant), want)
	})
	t.Run("a rule and the epoch that it was applied in are never seen apart", func(t *testing.T) {
		b := open(t, fresh)
		engines := b.servers(t, 2)
		const changes = 40
		apply := func(ctx context.Context, epoch int64) error {
			next := rule(tenant, "r", anyTime)
			next.Version, next.RuleVersion = epoch, epoch
			return try(ctx, engines[0], []ledger.Read{next.Key().Read()}, func(*ledger.View) *ledger.Changes {
				return &ledger.Changes{Records: []ledger.Record{next}, Epochs: map[ledger.Namespace]int64{tenant: epoch}}
			})
		}
		if err := apply(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		wait.Go(func() {
			for epoch := int64(2); epoch <= changes; epoch++ {
				if err := apply(t.Context(), epoch); err != nil {
					t.Error(err)
					return
				}
			}
		})
		for seen := int64(0); seen < changes && !t.Failed(); {
			set := toolSet(t, engines[1], tenant)
			if len(set.Rules) != 1 || set.Rules[0].RuleVersion != set.Epoch || set.Epoch < seen {
				t.Errorf("at epoch %d, after %d: rules %+v", set.Epoch, seen, set.Rules)
			}
			seen = set.Epoch
		}
		wait.Wait()
	})
}

func rule(ns ledger.Namespace, id string, at time.Time) *ledger.Rule {
	r := &ledger.Rule{RuleVersion: 1, Definition: []byte(id), Digest: "sha256:" + id, AppliedBy: "admin", AppliedAt: at}
	r.Namespace, r.ID, r.Version = ns, id, 1
	return r
}

func onOff(id string, at time.Time) *ledger.Switch {
	s := &ledger.Switch{PausedAt: at, PauseReason: "why"}
	s.Namespace, s.ID, s.Version = tenant, id, 1
	return s
}
