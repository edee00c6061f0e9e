package rows

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// ToolSetRow is one version of one tool beside its head and the namespace's epoch. Everything but the epoch is nil where
// the namespace has no tools.
type ToolSetRow struct {
	Epoch      int64
	Name       *string
	Head       *int64
	HeadDigest *string
	Disabled   *bool
	Reason     *string
	Version    *int64
	Definition []byte
	Digest     *string
	AppliedBy  *string
	AppliedAt  time.Time
}

// ToolSetBuilder gathers rows that come sorted by name and version.
type ToolSetBuilder struct{ Set ledger.ToolSet }

// Add adds a row.
func (b *ToolSetBuilder) Add(ns ledger.Namespace, r ToolSetRow) {
	b.Set.Epoch = r.Epoch
	if r.Name == nil || r.Head == nil || r.HeadDigest == nil || r.Disabled == nil || r.Reason == nil {
		return
	}
	heads := b.Set.Heads
	if n := len(heads); n == 0 || heads[n-1].Name != *r.Name {
		b.Set.Heads = append(heads, ledger.ToolHead{
			Namespace: ns, Name: *r.Name, Version: *r.Head, Digest: *r.HeadDigest, Disabled: *r.Disabled, Reason: *r.Reason,
		})
	}
	if r.Version == nil || r.Digest == nil || r.AppliedBy == nil {
		return
	}
	b.Set.Versions = append(b.Set.Versions, ledger.ToolVersion{
		Namespace: ns, Name: *r.Name, Version: *r.Version, Definition: r.Definition, Digest: *r.Digest,
		AppliedBy: ledger.Principal(*r.AppliedBy), AppliedAt: r.AppliedAt,
	})
}

// AddRule adds a rule that holds.
func (b *ToolSetBuilder) AddRule(r ledger.Record) {
	b.Set.Rules = append(b.Set.Rules, r.(*ledger.Rule))
}

// AddSwitch adds a switch where it is on.
func (b *ToolSetBuilder) AddSwitch(r ledger.Record) {
	if s := r.(*ledger.Switch); s.Paused || s.Shadow {
		b.Set.Switches = append(b.Set.Switches, s)
	}
}

// AddStanding adds a standing approval that was not revoked, where it has not expired by the engine's time.
func (b *ToolSetBuilder) AddStanding(r ledger.Record, now time.Time) {
	if s := r.(*ledger.Standing); s.RevokedAt.IsZero() && now.Before(s.Terms.ExpiresAt) {
		b.Set.Standing = append(b.Set.Standing, s)
	}
}

// StatsBuilder gathers the figures behind the gauges.
type StatsBuilder struct{ Stats ledger.Stats }

// AddLease adds a lease by its document. One that has expired holds nothing and is not counted.
func (b *StatsBuilder) AddLease(document []byte, now time.Time) error {
	var l locks.Lease
	if err := json.Unmarshal(document, &l); err != nil {
		return fmt.Errorf("a lease cannot be read: %w", err)
	}
	if !l.Active(now) {
		return nil
	}
	stats, used := &b.Stats.Leases, l.AcquiredAt
	if l.ProvedAt.After(used) {
		used = l.ProvedAt
	}
	stats.Held++
	stats.Oldest = max(stats.Oldest, now.Sub(l.AcquiredAt))
	if l.Renewals >= ledger.UnusedRenewals && now.Sub(used) >= ledger.UnusedFor {
		stats.Unused++
	}
	return nil
}

// AddOpen adds a count of open operations and since when the oldest of them is in its state.
func (b *StatsBuilder) AddOpen(c ledger.OpenCount, oldest, now time.Time) {
	b.Stats.Open = append(b.Stats.Open, c)
	if c.State == ledger.UnknownOutcome {
		age := now.Sub(oldest)
		b.Stats.OldestUnknown = max(b.Stats.OldestUnknown, age)
		b.Stats.Unknown = append(b.Stats.Unknown, ledger.UnknownCount{Namespace: c.Namespace, Tool: c.Tool, Count: c.Count, Oldest: age})
	}
}
