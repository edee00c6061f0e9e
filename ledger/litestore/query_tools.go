package litestore

import (
	"context"
	"database/sql"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// Tools reads a namespace's configuration in one reading transaction, which sees one snapshot.
func (s *Store) Tools(ctx context.Context, ns ledger.Namespace) (set ledger.ToolSet, err error) {
	sqlTx, err := s.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return set, err
	}
	defer func() { _ = sqlTx.Rollback() }() // it changed nothing
	var b rows.ToolSetBuilder
	found, err := sqlTx.StmtContext(ctx, s.queries[selectToolSet]).QueryContext(ctx, string(ns))
	_, err = collect(found, err, func(scan func(...any) error) (struct{}, error) {
		var r rows.ToolSetRow
		var at *int64
		err := scan(&r.Epoch, &r.Name, &r.Head, &r.HeadDigest, &r.Disabled, &r.Reason, &r.Version, &r.Definition, &r.Digest, &r.AppliedBy, &at)
		if at != nil {
			r.AppliedAt = instant(*at)
		}
		b.Add(ns, r)
		return struct{}{}, err
	})
	if err != nil {
		return set, err
	}
	now := s.now()
	for _, part := range []struct {
		kind   ledger.RecordKind
		status string
		add    func(ledger.Record)
	}{
		{ledger.RecordRule, "held", b.AddRule}, {ledger.RecordSwitch, "", b.AddSwitch},
		{ledger.RecordStanding, "held", func(r ledger.Record) { b.AddStanding(r, now) }},
	} {
		found, err := sqlTx.StmtContext(ctx, s.queries[recordsOf[part.kind].hold]).QueryContext(ctx, string(ns), part.status)
		list, err := collect(found, err, scanRecord(part.kind))
		if err != nil {
			return set, err
		}
		for _, r := range list {
			part.add(r)
		}
	}
	return b.Set, nil
}
