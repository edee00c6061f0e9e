package litestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
	"github.com/opledger/opledger/locks"
)

// tx is one try of one transaction.
type tx struct {
	store  *Store
	sql    *sql.Tx
	now    time.Time
	loaded rows.Loaded
}

func newTx(s *Store, sqlTx *sql.Tx) *tx {
	return &tx{store: s, sql: sqlTx, now: s.now(), loaded: rows.NewLoaded()}
}

// Now is the time at which the try began.
func (t *tx) Now(context.Context) (time.Time, error) { return t.now, nil }

// exec runs a prepared statement and answers how many rows it touched.
func (t *tx) exec(ctx context.Context, statement string, args ...any) (int64, error) {
	res, err := t.sql.StmtContext(ctx, t.store.prepared[statement]).ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// row reads the one row of a prepared statement, or reports that there is none.
func (t *tx) row(ctx context.Context, statement string, args []any, into ...any) (bool, error) {
	err := t.sql.StmtContext(ctx, t.store.prepared[statement]).QueryRowContext(ctx, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Claim inserts the claims that are free and answers the others.
func (t *tx) Claim(ctx context.Context, claims []ledger.Claim) ([]ledger.ClaimID, error) {
	ctx = context.WithoutCancel(ctx)
	sorted, err := rows.SortClaims(claims)
	if err != nil {
		return nil, err
	}
	var lost []ledger.ClaimID
	for _, cl := range sorted {
		n, err := t.exec(ctx, insertClaim, claimArgs(cl)...)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			lost = append(lost, cl.ClaimID)
		}
	}
	return lost, nil
}

func claimArgs(cl ledger.Claim) []any {
	return []any{string(cl.Namespace), string(cl.Kind), cl.Value, cl.Number, string(cl.OperationID), string(cl.AttemptID), cl.Fingerprint}
}

// Load answers the reads into the view.
func (t *tx) Load(ctx context.Context, v *ledger.View, reads []ledger.Read) error {
	ctx = context.WithoutCancel(ctx)
	split, err := rows.SplitReads(reads)
	if err != nil {
		return err
	}
	for _, r := range split.Operations {
		if err := t.loadOperation(ctx, v, r.Namespace, ledger.OperationID(r.ID)); err != nil {
			return err
		}
	}
	for _, r := range split.Claims {
		if err := t.loadClaims(ctx, v, r); err != nil {
			return err
		}
	}
	for _, ref := range split.Scopes {
		if err := t.loadScope(ctx, v, ref); err != nil {
			return err
		}
	}
	for _, r := range split.Tools {
		head := ledger.ToolHead{}
		found, err := t.row(ctx, selectTool, []any{string(r.Namespace), r.ID},
			&head.Namespace, &head.Name, &head.Version, &head.Digest, &head.Disabled, &head.Reason)
		if err != nil {
			return err
		}
		if found {
			v.PutTool(head)
		}
	}
	for _, ns := range split.Epochs {
		var epoch int64
		if _, err := t.row(ctx, selectEpoch, []any{string(ns)}, &epoch); err != nil {
			return err
		}
		v.PutEpoch(ns, epoch)
	}
	for _, r := range split.Records {
		if err := t.loadRecords(ctx, v, r); err != nil {
			return err
		}
	}
	for _, r := range reads {
		v.MarkLoaded(r)
	}
	return nil
}

func (t *tx) loadOperation(ctx context.Context, v *ledger.View, ns ledger.Namespace, id ledger.OperationID) error {
	row, err := scanOperation(t.sql.StmtContext(ctx, t.store.prepared[selectOperation]).QueryRowContext(ctx, string(ns), string(id)))
	if errors.Is(err, sql.ErrNoRows) {
		v.MarkLoaded(ledger.ReadOf(ledger.ReadOperation, ns, string(id)))
		return nil
	}
	if err != nil {
		return err
	}
	o, err := row.Ledger()
	if err != nil {
		return err
	}
	t.loaded.Operations[o.RowKey()] = o.Version
	v.PutOperation(o)
	return nil
}

// loadClaims loads the claims under one value and the operations that hold them.
func (t *tx) loadClaims(ctx context.Context, v *ledger.View, r rows.ClaimsRead) error {
	claims, err := t.claims(ctx, r)
	if err != nil {
		return err
	}
	for _, cl := range claims {
		v.PutClaim(cl)
		key := ledger.OperationKey{Namespace: cl.Namespace, OperationID: cl.OperationID}
		if _, have := t.loaded.Operations[key]; have || cl.OperationID == "" {
			continue
		}
		if err := t.loadOperation(ctx, v, cl.Namespace, cl.OperationID); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) claims(ctx context.Context, r rows.ClaimsRead) ([]ledger.Claim, error) {
	found, err := t.sql.StmtContext(ctx, t.store.prepared[selectClaims]).QueryContext(ctx, string(r.Namespace), string(r.Kind), r.Value)
	return collect(found, err, func(scan func(...any) error) (cl ledger.Claim, err error) {
		return cl, scan(&cl.Namespace, &cl.Kind, &cl.Value, &cl.Number, &cl.OperationID, &cl.AttemptID, &cl.Fingerprint)
	})
}

func (t *tx) loadScope(ctx context.Context, v *ledger.View, ref locks.Ref) error {
	row := rows.FromRef(ref)
	args := []any{row.Namespace, row.EntityType, row.EntityID, row.Name}
	if _, err := t.row(ctx, selectScope, args, &row.Namespace, &row.EntityType, &row.EntityID, &row.Name, &row.Fence, &row.Holders, &row.Document); err != nil {
		return err
	}
	scope, err := row.Ledger()
	if err != nil {
		return err
	}
	v.PutScope(scope)
	return nil
}

// lostWrite explains ledger.ErrLostWrite.
func lostWrite(what string, args ...any) error {
	return fmt.Errorf("%w: %s", ledger.ErrLostWrite, fmt.Sprintf(what, args...))
}
