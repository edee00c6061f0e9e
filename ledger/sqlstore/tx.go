package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// tx is one try of one transaction. Each of its methods is one round trip.
type tx struct {
	store  *Store
	conn   *pgxpool.Conn
	sql    pgx.Tx
	now    time.Time
	loaded rows.Loaded
	met    map[ledger.Namespace]struct{} // namespaces whose row exists once this transaction has committed
	// fault is the first error of a statement. The transaction has failed by it, even where its user goes on.
	fault error
}

func newTx(s *Store, conn *pgxpool.Conn) *tx {
	return &tx{store: s, conn: conn, loaded: rows.NewLoaded(), met: map[ledger.Namespace]struct{}{}}
}

// Now is the time at which the transaction began, by the database's clock.
func (t *tx) Now(context.Context) (time.Time, error) { return t.now, nil }

// fail keeps the first error of the transaction.
func (t *tx) fail(err error) error {
	err = mark(t.conn, err)
	if err != nil && t.fault == nil {
		t.fault = err
	}
	return err
}

// Claim inserts the claims that are free and answers the others. It looks at nothing before: a look for a claim that is
// not there would lock the place where everybody's claims come to lie.
func (t *tx) Claim(ctx context.Context, claims []ledger.Claim) ([]ledger.ClaimID, error) {
	sorted, err := rows.SortClaims(claims)
	if err != nil || len(sorted) == 0 {
		return nil, err
	}
	found, err := t.sql.Query(ctx, insertClaims, claimArrayArgs(sorted)...)
	if err != nil {
		return nil, t.fail(err)
	}
	won := map[ledger.ClaimID]bool{}
	var id ledger.ClaimID
	_, err = pgx.ForEachRow(found, []any{&id.Namespace, &id.Kind, &id.Value, &id.Number}, func() error {
		won[id] = true
		return nil
	})
	if err != nil {
		return nil, t.fail(err)
	}
	var lost []ledger.ClaimID
	for _, cl := range sorted {
		if !won[cl.ClaimID] {
			lost = append(lost, cl.ClaimID)
		}
	}
	return lost, nil
}

// send runs a batch and keeps its first error.
func (t *tx) send(ctx context.Context, b *pgx.Batch) error {
	if b.Len() == 0 {
		return nil
	}
	return t.fail(t.sql.SendBatch(ctx, b).Close())
}

// lostWrite explains ledger.ErrLostWrite.
func lostWrite(what string, args ...any) error {
	return fmt.Errorf("%w: %s", ledger.ErrLostWrite, fmt.Sprintf(what, args...))
}
