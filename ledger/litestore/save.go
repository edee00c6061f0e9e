package litestore

import (
	"context"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// Save writes the changes, row by row: a statement inside the process costs less than it would to gather rows for it.
func (t *tx) Save(ctx context.Context, c *ledger.Changes) error {
	ctx = context.WithoutCancel(ctx)
	w, err := rows.FromChanges(c, t.loaded)
	if err != nil {
		return err
	}
	for _, save := range []func(context.Context, *rows.Writes) error{
		t.saveClaims, t.saveOperations, t.saveHistory, t.saveOpen, t.saveWork, t.saveScopes, t.saveTools, t.saveRecords,
	} {
		if err := save(ctx, w); err != nil {
			return err
		}
	}
	t.loaded.Saved(c)
	return nil
}

func (t *tx) saveClaims(ctx context.Context, w *rows.Writes) error {
	for _, id := range w.Unclaims {
		if _, err := t.exec(ctx, deleteClaim, string(id.Namespace), string(id.Kind), id.Value, id.Number); err != nil {
			return err
		}
	}
	for _, cl := range w.Claims {
		n, err := t.exec(ctx, saveClaim, claimArgs(cl)...)
		if err != nil {
			return err
		}
		if n == 0 {
			return &ledger.ClaimConflictError{IDs: []ledger.ClaimID{cl.ClaimID}}
		}
	}
	return nil
}

func (t *tx) saveOperations(ctx context.Context, w *rows.Writes) error {
	for _, o := range w.Inserts {
		if _, err := t.exec(ctx, insertOperation, operationArgs(o)...); err != nil {
			return err
		}
	}
	for _, o := range w.Updates {
		n, err := t.exec(ctx, updateOperation, o.Namespace, o.OperationID, o.Version, o.State, o.NeedsHuman,
			o.HasIncident, o.Document, o.Loaded)
		if err != nil {
			return err
		}
		if n != 1 {
			return lostWrite("operation %s no longer has version %d", o.OperationID, o.Loaded)
		}
	}
	return nil
}

func operationArgs(o rows.Operation) []any {
	return []any{
		o.Namespace, o.OperationID, o.Version, o.State, o.Class, o.Tool, o.WorkflowID, o.RunID, o.ToolCallID, o.Entity, o.Key, o.Revision,
		o.NeedsHuman, o.HasIncident, micros(o.CreatedAt), o.Document,
	}
}

func (t *tx) saveHistory(ctx context.Context, w *rows.Writes) error {
	for _, e := range w.Events {
		if _, err := t.exec(ctx, insertEvent, e.Namespace, e.OperationID, e.Sequence, e.Version, micros(e.At), e.Type, e.Document); err != nil {
			return err
		}
	}
	for _, d := range w.Decisions {
		if _, err := t.exec(ctx, insertDecision, d.Namespace, d.DecisionID, micros(d.At), d.Kind, d.Tool, d.Rule, d.OperationID, d.WorkflowID, d.Entity, d.Document); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) saveOpen(ctx context.Context, w *rows.Writes) error {
	for _, o := range w.Open {
		_, err := t.exec(ctx, saveOpen, o.Namespace, o.OperationID, o.Tool, o.Class, o.State, micros(o.StateSince), micros(o.At), o.Kind, o.Stamp)
		if err != nil {
			return err
		}
	}
	for _, key := range w.Closed {
		if _, err := t.exec(ctx, deleteOpen, string(key.Namespace), string(key.OperationID)); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) saveScopes(ctx context.Context, w *rows.Writes) error {
	for _, s := range w.Scopes {
		n, err := t.exec(ctx, saveScope, s.Namespace, s.EntityType, s.EntityID, s.Name, s.Fence, s.Holders, s.Document)
		if err != nil {
			return err
		}
		if n != 1 {
			return lostWrite("scope %s of %s/%s has a fence above %d", s.Name, s.EntityType, s.EntityID, s.Fence)
		}
	}
	return nil
}

func (t *tx) saveTools(ctx context.Context, w *rows.Writes) error {
	for _, h := range w.Tools {
		if _, err := t.exec(ctx, saveTool, string(h.Namespace), h.Name, h.Version, h.Digest, h.Disabled, h.Reason); err != nil {
			return err
		}
	}
	for _, v := range w.Versions {
		_, err := t.exec(ctx, insertToolVersion, string(v.Namespace), v.Name, v.Version, v.Definition, v.Digest, string(v.AppliedBy), micros(v.AppliedAt))
		if err != nil {
			return err
		}
	}
	for _, e := range w.Epochs {
		if _, err := t.exec(ctx, saveEpoch, string(e.Namespace), e.Epoch); err != nil {
			return err
		}
	}
	return nil
}
