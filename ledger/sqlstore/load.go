package sqlstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
	"github.com/opledger/opledger/locks"
)

// Load answers the reads into the view: one statement a table, all sent together.
func (t *tx) Load(ctx context.Context, v *ledger.View, reads []ledger.Read) error {
	split, err := rows.SplitReads(reads)
	if err != nil {
		return err
	}
	b := &pgx.Batch{}
	t.queueOperations(b, v, split.Operations)
	t.queueClaims(b, v, split.Claims)
	t.queueScopes(b, v, split.Scopes)
	t.queueTools(b, v, split.Tools)
	t.queueEpochs(b, v, split.Epochs)
	t.queueRecords(b, v, split.Records)
	if err := t.send(ctx, b); err != nil {
		return err
	}
	for _, r := range reads {
		v.MarkLoaded(r)
	}
	return nil
}

// operationTargets are where an operation's columns are read into.
func operationTargets(r *rows.Operation) []any {
	return []any{
		&r.Namespace, &r.OperationID, &r.Version, &r.State, &r.Class, &r.Tool, &r.WorkflowID, &r.RunID, &r.ToolCallID, &r.Entity,
		&r.Key, &r.Revision, &r.NeedsHuman, &r.HasIncident, &r.CreatedAt, &r.Document,
	}
}

// put puts a loaded operation into the view and remembers its version.
func (t *tx) put(v *ledger.View, row rows.Operation) error {
	key := ledger.OperationKey{Namespace: ledger.Namespace(row.Namespace), OperationID: ledger.OperationID(row.OperationID)}
	if _, have := t.loaded.Operations[key]; have {
		return nil
	}
	o, err := row.Ledger()
	if err != nil {
		return err
	}
	t.loaded.Operations[key] = o.Version
	v.PutOperation(o)
	return nil
}

func (t *tx) queueOperations(b *pgx.Batch, v *ledger.View, reads []ledger.Read) {
	if len(reads) == 0 {
		return
	}
	var row rows.Operation
	b.Queue(selectOperations,
		column(reads, func(r *ledger.Read) string { return string(r.Namespace) }), column(reads, func(r *ledger.Read) string { return r.ID }),
	).Query(each(operationTargets(&row), func() error { return t.put(v, row) }))
}

// queueClaims loads claims with the operations that hold them.
func (t *tx) queueClaims(b *pgx.Batch, v *ledger.View, reads []rows.ClaimsRead) {
	if len(reads) == 0 {
		return
	}
	var cl ledger.Claim
	var holder optionalOperation
	targets := append([]any{&cl.Namespace, &cl.Kind, &cl.Value, &cl.Number, &cl.OperationID, &cl.AttemptID, &cl.Fingerprint}, holder.targets()...)
	b.Queue(selectClaims,
		column(reads, func(r *rows.ClaimsRead) string { return string(r.Namespace) }),
		column(reads, func(r *rows.ClaimsRead) string { return string(r.Kind) }),
		column(reads, func(r *rows.ClaimsRead) string { return r.Value }),
	).Query(each(targets, func() error {
		v.PutClaim(cl)
		if row, found := holder.row(); found {
			return t.put(v, row)
		}
		return nil
	}))
}

func (t *tx) queueScopes(b *pgx.Batch, v *ledger.View, refs []locks.Ref) {
	if len(refs) == 0 {
		return
	}
	keys := scopeKeyArrayArgs(rows.SortScopes(column(refs, func(r *locks.Ref) rows.Scope { return rows.FromRef(*r) })))
	b.Queue(insertScopes, keys...)
	var row rows.Scope
	targets := []any{&row.Namespace, &row.EntityType, &row.EntityID, &row.Name, &row.Fence, &row.Holders, &row.Document}
	b.Queue(selectScopes, keys...).Query(each(targets, func() error {
		scope, err := row.Ledger()
		if err != nil {
			return err
		}
		v.PutScope(scope)
		return nil
	}))
}

func (t *tx) queueTools(b *pgx.Batch, v *ledger.View, reads []ledger.Read) {
	if len(reads) == 0 {
		return
	}
	var head ledger.ToolHead
	targets := []any{&head.Namespace, &head.Name, &head.Version, &head.Digest, &head.Disabled, &head.Reason}
	b.Queue(selectTools,
		column(reads, func(r *ledger.Read) string { return string(r.Namespace) }), column(reads, func(r *ledger.Read) string { return r.ID }),
	).Query(each(targets, func() error {
		v.PutTool(head)
		return nil
	}))
}

// queueEpochs reads plainly: to lock the row for sharing would keep a waiting kill switch out for as long as permits are
// asked for (Engine.Barrier is its answer). A namespace that this process has not met is given its row first, so that
// no transaction looks for one that is not there.
func (t *tx) queueEpochs(b *pgx.Batch, v *ledger.View, namespaces []ledger.Namespace) {
	if len(namespaces) == 0 {
		return
	}
	var unmet []string
	for _, ns := range namespaces {
		if _, known := t.store.namespaces.Load(ns); !known {
			unmet = append(unmet, string(ns))
			t.met[ns] = struct{}{}
		}
	}
	if len(unmet) > 0 {
		b.Queue(insertNamespaces, unmet)
	}
	var e rows.Epoch
	b.Queue(selectEpochs, column(namespaces, func(ns *ledger.Namespace) string { return string(*ns) })).
		Query(each([]any{&e.Namespace, &e.Epoch}, func() error {
			v.PutEpoch(e.Namespace, e.Epoch)
			return nil
		}))
}

// each reads every row of a queued query into the targets.
func each(targets []any, read func() error) func(pgx.Rows) error {
	return func(found pgx.Rows) error {
		_, err := pgx.ForEachRow(found, targets, read)
		return err
	}
}

// optionalOperation reads an operation's columns where the row may be absent.
type optionalOperation struct {
	namespace, operationID, state, class, tool, workflowID, runID, toolCallID, entity, key, document *string
	version, revision                                                                                *int64
	needsHuman, hasIncident                                                                          *bool
	createdAt                                                                                        *time.Time
}

func (o *optionalOperation) targets() []any {
	return []any{
		&o.namespace, &o.operationID, &o.version, &o.state, &o.class, &o.tool, &o.workflowID, &o.runID, &o.toolCallID, &o.entity,
		&o.key, &o.revision, &o.needsHuman, &o.hasIncident, &o.createdAt, &o.document,
	}
}

func (o *optionalOperation) row() (rows.Operation, bool) {
	if o.operationID == nil {
		return rows.Operation{}, false
	}
	return rows.Operation{
		Namespace: *o.namespace, OperationID: *o.operationID, Version: *o.version, State: *o.state, Class: *o.class, Tool: *o.tool,
		WorkflowID: *o.workflowID, RunID: *o.runID, ToolCallID: *o.toolCallID, Entity: *o.entity, Key: *o.key, Revision: *o.revision,
		NeedsHuman: *o.needsHuman, HasIncident: *o.hasIncident,
		CreatedAt: *o.createdAt, Document: *o.document,
	}, true
}
