package sqlstore

import (
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// column takes one column out of rows: statements take many rows as one array a column.
func column[R, C any](list []R, of func(*R) C) []C {
	values := make([]C, len(list))
	for i := range list {
		values[i] = of(&list[i])
	}
	return values
}

func claimArrayArgs(list []ledger.Claim) []any {
	return []any{
		column(list, func(c *ledger.Claim) string { return string(c.Namespace) }),
		column(list, func(c *ledger.Claim) string { return string(c.Kind) }),
		column(list, func(c *ledger.Claim) string { return c.Value }),
		column(list, func(c *ledger.Claim) int64 { return c.Number }),
		column(list, func(c *ledger.Claim) string { return string(c.OperationID) }),
		column(list, func(c *ledger.Claim) string { return string(c.AttemptID) }),
		column(list, func(c *ledger.Claim) string { return c.Fingerprint }),
	}
}

func claimIDArrayArgs(list []ledger.ClaimID) []any {
	return []any{
		column(list, func(c *ledger.ClaimID) string { return string(c.Namespace) }),
		column(list, func(c *ledger.ClaimID) string { return string(c.Kind) }),
		column(list, func(c *ledger.ClaimID) string { return c.Value }),
		column(list, func(c *ledger.ClaimID) int64 { return c.Number }),
	}
}

func operationArrayArgs(list []rows.Operation) []any {
	return []any{
		column(list, func(o *rows.Operation) string { return o.Namespace }),
		column(list, func(o *rows.Operation) string { return o.OperationID }),
		column(list, func(o *rows.Operation) int64 { return o.Version }),
		column(list, func(o *rows.Operation) string { return o.State }),
		column(list, func(o *rows.Operation) string { return o.Class }),
		column(list, func(o *rows.Operation) string { return o.Tool }),
		column(list, func(o *rows.Operation) string { return o.WorkflowID }),
		column(list, func(o *rows.Operation) string { return o.RunID }),
		column(list, func(o *rows.Operation) string { return o.ToolCallID }),
		column(list, func(o *rows.Operation) string { return o.Entity }),
		column(list, func(o *rows.Operation) string { return o.Key }),
		column(list, func(o *rows.Operation) int64 { return o.Revision }),
		column(list, func(o *rows.Operation) bool { return o.NeedsHuman }),
		column(list, func(o *rows.Operation) bool { return o.HasIncident }),
		column(list, func(o *rows.Operation) time.Time { return o.CreatedAt }),
		column(list, func(o *rows.Operation) string { return o.Document }),
	}
}

func updateArrayArgs(list []rows.Update) []any {
	return []any{
		column(list, func(u *rows.Update) string { return u.Namespace }),
		column(list, func(u *rows.Update) string { return u.OperationID }),
		column(list, func(u *rows.Update) int64 { return u.Version }),
		column(list, func(u *rows.Update) string { return u.State }),
		column(list, func(u *rows.Update) bool { return u.NeedsHuman }),
		column(list, func(u *rows.Update) bool { return u.HasIncident }),
		column(list, func(u *rows.Update) string { return u.Document }),
		column(list, func(u *rows.Update) int64 { return u.Loaded }),
	}
}

func operationKeyArrayArgs(list []ledger.OperationKey) []any {
	return []any{
		column(list, func(k *ledger.OperationKey) string { return string(k.Namespace) }),
		column(list, func(k *ledger.OperationKey) string { return string(k.OperationID) }),
	}
}

func eventArrayArgs(list []rows.Event) []any {
	return []any{
		column(list, func(e *rows.Event) string { return e.Namespace }),
		column(list, func(e *rows.Event) string { return e.OperationID }),
		column(list, func(e *rows.Event) int64 { return e.Sequence }),
		column(list, func(e *rows.Event) int64 { return e.Version }),
		column(list, func(e *rows.Event) time.Time { return e.At }),
		column(list, func(e *rows.Event) string { return e.Type }),
		column(list, func(e *rows.Event) string { return e.Document }),
	}
}

func decisionArrayArgs(list []rows.Decision) []any {
	return []any{
		column(list, func(d *rows.Decision) string { return d.Namespace }),
		column(list, func(d *rows.Decision) string { return d.DecisionID }),
		column(list, func(d *rows.Decision) time.Time { return d.At }),
		column(list, func(d *rows.Decision) string { return d.Kind }),
		column(list, func(d *rows.Decision) string { return d.Tool }),
		column(list, func(d *rows.Decision) string { return d.Rule }),
		column(list, func(d *rows.Decision) string { return d.OperationID }),
		column(list, func(d *rows.Decision) string { return d.WorkflowID }),
		column(list, func(d *rows.Decision) string { return d.Entity }),
		column(list, func(d *rows.Decision) string { return d.Document }),
	}
}

func openArrayArgs(list []rows.Open) []any {
	return []any{
		column(list, func(o *rows.Open) string { return o.Namespace }),
		column(list, func(o *rows.Open) string { return o.OperationID }),
		column(list, func(o *rows.Open) int64 { return o.Shard }),
		column(list, func(o *rows.Open) string { return o.Tool }),
		column(list, func(o *rows.Open) string { return o.Class }),
		column(list, func(o *rows.Open) string { return o.State }),
		column(list, func(o *rows.Open) time.Time { return o.StateSince }),
		column(list, func(o *rows.Open) time.Time { return o.At }),
		column(list, func(o *rows.Open) string { return o.Kind }),
		column(list, func(o *rows.Open) int64 { return o.Stamp }),
	}
}

func scopeKeyArrayArgs(list []rows.Scope) []any {
	return []any{
		column(list, func(s *rows.Scope) string { return s.Namespace }),
		column(list, func(s *rows.Scope) string { return s.EntityType }),
		column(list, func(s *rows.Scope) string { return s.EntityID }),
		column(list, func(s *rows.Scope) string { return s.Name }),
	}
}

func scopeArrayArgs(list []rows.Scope) []any {
	return append(scopeKeyArrayArgs(list),
		column(list, func(s *rows.Scope) int64 { return s.Fence }),
		column(list, func(s *rows.Scope) string { return s.Holders }),
		column(list, func(s *rows.Scope) string { return s.Document }),
	)
}

func toolArrayArgs(list []ledger.ToolHead) []any {
	return []any{
		column(list, func(t *ledger.ToolHead) string { return string(t.Namespace) }),
		column(list, func(t *ledger.ToolHead) string { return t.Name }),
		column(list, func(t *ledger.ToolHead) int64 { return t.Version }),
		column(list, func(t *ledger.ToolHead) string { return t.Digest }),
		column(list, func(t *ledger.ToolHead) bool { return t.Disabled }),
		column(list, func(t *ledger.ToolHead) string { return t.Reason }),
	}
}

func versionArrayArgs(list []ledger.ToolVersion) []any {
	return []any{
		column(list, func(v *ledger.ToolVersion) string { return string(v.Namespace) }),
		column(list, func(v *ledger.ToolVersion) string { return v.Name }),
		column(list, func(v *ledger.ToolVersion) int64 { return v.Version }),
		column(list, func(v *ledger.ToolVersion) []byte { return v.Definition }),
		column(list, func(v *ledger.ToolVersion) string { return v.Digest }),
		column(list, func(v *ledger.ToolVersion) string { return string(v.AppliedBy) }),
		column(list, func(v *ledger.ToolVersion) time.Time { return v.AppliedAt }),
	}
}

func epochArrayArgs(list []rows.Epoch) []any {
	return []any{
		column(list, func(e *rows.Epoch) string { return string(e.Namespace) }),
		column(list, func(e *rows.Epoch) int64 { return e.Epoch }),
	}
}
