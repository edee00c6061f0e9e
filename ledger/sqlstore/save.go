package sqlstore

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// Save writes the changes: one statement a table and kind of write, all sent together.
func (t *tx) Save(ctx context.Context, c *ledger.Changes) error {
	w, err := rows.FromChanges(c, t.loaded)
	if err != nil {
		return err
	}
	b := &pgx.Batch{}
	queueClaimWrites(b, w)
	queueOperationWrites(b, w)
	queueHistory(b, w)
	queueOpenWrites(b, w)
	queueWorkWrites(b, w)
	queueScopeWrites(b, w)
	queueToolWrites(b, w)
	queueRecordWrites(b, w)
	if err := t.send(ctx, b); err != nil {
		return err
	}
	t.loaded.Saved(c)
	return nil
}

// exactly refuses a statement that touched fewer rows than it was given: one of them was not as it had been read.
func exactly(n int, what string) func(pgconn.CommandTag) error {
	return func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() != int64(n) {
			return lostWrite("%d of %d %s were as they had been read", tag.RowsAffected(), n, what)
		}
		return nil
	}
}

// free names the claims of which at least one turned out to be another operation's.
func free(claims []ledger.Claim) func(pgconn.CommandTag) error {
	return func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() == int64(len(claims)) {
			return nil
		}
		conflict := &ledger.ClaimConflictError{}
		for _, c := range claims {
			if c.Kind != ledger.ClaimRequest {
				conflict.IDs = append(conflict.IDs, c.ClaimID)
			}
		}
		return conflict
	}
}

func queueClaimWrites(b *pgx.Batch, w *rows.Writes) {
	if len(w.Unclaims) > 0 {
		b.Queue(deleteClaims, claimIDArrayArgs(w.Unclaims)...)
	}
	if n := len(w.Claims); n > 0 {
		b.Queue(saveClaims, claimArrayArgs(w.Claims)...).Exec(free(w.Claims))
	}
}

func queueOperationWrites(b *pgx.Batch, w *rows.Writes) {
	if len(w.Inserts) > 0 {
		b.Queue(insertOperations, operationArrayArgs(w.Inserts)...)
	}
	if n := len(w.Updates); n > 0 {
		b.Queue(updateOperations, updateArrayArgs(w.Updates)...).Exec(exactly(n, "operations"))
	}
}

func queueHistory(b *pgx.Batch, w *rows.Writes) {
	if len(w.Events) > 0 {
		b.Queue(insertEvents, eventArrayArgs(w.Events)...)
	}
	if len(w.Decisions) > 0 {
		b.Queue(insertDecisions, decisionArrayArgs(w.Decisions)...)
	}
}

func queueOpenWrites(b *pgx.Batch, w *rows.Writes) {
	if len(w.Open) > 0 {
		b.Queue(saveOpen, openArrayArgs(w.Open)...)
	}
	if len(w.Closed) > 0 {
		b.Queue(deleteOpen, operationKeyArrayArgs(w.Closed)...)
	}
}

func queueScopeWrites(b *pgx.Batch, w *rows.Writes) {
	if n := len(w.Scopes); n > 0 {
		b.Queue(saveScopes, scopeArrayArgs(w.Scopes)...).Exec(exactly(n, "scopes"))
	}
}

func queueToolWrites(b *pgx.Batch, w *rows.Writes) {
	if len(w.Tools) > 0 {
		b.Queue(saveTools, toolArrayArgs(w.Tools)...)
	}
	if len(w.Versions) > 0 {
		b.Queue(insertToolVersions, versionArrayArgs(w.Versions)...)
	}
	if len(w.Epochs) > 0 {
		b.Queue(saveEpochs, epochArrayArgs(w.Epochs)...)
	}
}
