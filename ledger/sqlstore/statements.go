package sqlstore

// Every statement of this store that both engines run. Each row is asked for by its primary key, through a lateral
// subquery that OFFSET 0 keeps PostgreSQL from merging into a join: a join of two sets is planned as a scan of the whole
// table while the table is small, and a scan of the table is a lock of the table for every other serializable
// transaction. CockroachDB reads the same as a lookup join. BEGIN, COMMIT and ROLLBACK are pgx's.

const (
	selectNow     = `SELECT now()`
	selectVersion = `SELECT version()`
)

const (
	operationColumns = `namespace, operation_id, version, state, class, tool, workflow_id, run_id, tool_call_id, entity, ` +
		`idempotency_key, revision, needs_human, has_incident, created_at, document`

	operationArrays = `unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::TEXT[], $8::TEXT[], ` +
		`$9::TEXT[], $10::TEXT[], $11::TEXT[], $12::BIGINT[], $13::BOOLEAN[], $14::BOOLEAN[], $15::TIMESTAMPTZ[], $16::TEXT[]`

	selectOperation = `SELECT ` + operationColumns + ` FROM operations WHERE namespace = $1 AND operation_id = $2`

	selectOperations = `SELECT o.* FROM unnest($1::TEXT[], $2::TEXT[]) AS r (namespace, operation_id) CROSS JOIN LATERAL ` +
		`(SELECT ` + operationColumns + ` FROM operations WHERE operations.namespace = r.namespace ` +
		`AND operations.operation_id = r.operation_id OFFSET 0) AS o`

	insertOperations = `INSERT INTO operations (` + operationColumns + `) SELECT * FROM ` + operationArrays + `)`

	// updateOperations changes each row only where its version is the loaded one, and nothing that an index leads by: the
	// other columns stay as they were when the operation was made.
	updateOperations = `UPDATE operations AS o SET version = u.version, state = u.state, needs_human = u.needs_human, ` +
		`has_incident = u.has_incident, document = u.document FROM ` +
		`unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::TEXT[], $5::BOOLEAN[], $6::BOOLEAN[], $7::TEXT[], $8::BIGINT[]) ` +
		`AS u (namespace, operation_id, version, state, needs_human, has_incident, document, loaded) ` +
		`WHERE o.namespace = u.namespace AND o.operation_id = u.operation_id AND o.version = u.loaded`
)

// The lists of operations differ in the index that leads them; every one takes every filter. Each names its index's
// condition, without which the planner does not consider it.
const (
	listOperationsWhere = `SELECT ` + operationColumns + ` FROM operations WHERE namespace = $1 AND revision > 0 ` +
		`AND ($2::TEXT[] IS NULL OR state = ANY ($2::TEXT[])) AND ($3::TEXT = '' OR tool = $3::TEXT) ` +
		`AND ($4::TEXT = '' OR workflow_id = $4::TEXT) AND ($5::TEXT = '' OR entity = $5::TEXT) ` +
		`AND ($6::BOOLEAN IS NULL OR needs_human = $6::BOOLEAN) ` +
		`AND ($7::TEXT = '' OR operation_id IN (SELECT operation_id FROM claims WHERE namespace = $1 AND kind = 'key' AND value = $7::TEXT)) ` +
		`AND (created_at, operation_id) < ($8::TIMESTAMPTZ, $9::TEXT) ` +
		`AND ($11::TEXT = '' OR run_id = $11::TEXT) AND ($12::TEXT = '' OR tool_call_id = $12::TEXT) ` +
		`AND ($13::TEXT[] IS NULL OR class = ANY ($13::TEXT[])) AND ($14::BOOLEAN IS NULL OR has_incident = $14::BOOLEAN) ` +
		`AND created_at >= $15::TIMESTAMPTZ AND created_at < $16::TIMESTAMPTZ`
	listOperationsOrder = ` ORDER BY created_at DESC, operation_id DESC LIMIT $10`

	listOperations             = listOperationsWhere + listOperationsOrder
	listOperationsOfKey        = listOperationsWhere + ` AND operation_id IN (SELECT operation_id FROM claims WHERE namespace = $1 AND kind = 'key' AND value = $7::TEXT)` + listOperationsOrder
	listOperationsOfToolCall   = listOperationsWhere + ` AND tool_call_id = $12::TEXT AND tool_call_id <> ''` + listOperationsOrder
	listOperationsOfRun        = listOperationsWhere + ` AND run_id = $11::TEXT AND run_id <> ''` + listOperationsOrder
	listOperationsOfWorkflow   = listOperationsWhere + ` AND workflow_id = $4::TEXT AND workflow_id <> ''` + listOperationsOrder
	listOperationsOfEntity     = listOperationsWhere + ` AND entity = $5::TEXT AND entity <> ''` + listOperationsOrder
	listOperationsWithIncident = listOperationsWhere + ` AND has_incident` + listOperationsOrder
	listOperationsForPeople    = listOperationsWhere + ` AND needs_human` + listOperationsOrder

	selectVersions = `SELECT operation_id, version FROM operations WHERE namespace = $1 AND operation_id = ANY ($2::TEXT[])`
)

const (
	claimColumns = `namespace, kind, value, number, operation_id, attempt_id, fingerprint`
	claimArrays  = `unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::BIGINT[], $5::TEXT[], $6::TEXT[], $7::TEXT[])`

	insertClaims = `INSERT INTO claims (` + claimColumns + `) SELECT * FROM ` + claimArrays + ` ` +
		`ON CONFLICT (namespace, kind, value, number) DO NOTHING RETURNING namespace, kind, value, number`

	// saveClaims changes what a request earned. Any other kind may only be saved again as it stands.
	saveClaims = `INSERT INTO claims (` + claimColumns + `) SELECT * FROM ` + claimArrays + ` ` +
		`ON CONFLICT (namespace, kind, value, number) DO UPDATE SET operation_id = excluded.operation_id, ` +
		`attempt_id = excluded.attempt_id, fingerprint = excluded.fingerprint ` +
		`WHERE claims.kind = 'request' OR claims.operation_id = excluded.operation_id`

	deleteClaims = `DELETE FROM claims WHERE (namespace, kind, value, number) IN ` +
		`(SELECT * FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::BIGINT[]))`

	// selectClaims brings each claim with the operation that holds it, which may be absent.
	selectClaims = `SELECT c.*, o.* FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[]) AS r (namespace, kind, value) CROSS JOIN LATERAL ` +
		`(SELECT ` + claimColumns + ` FROM claims WHERE claims.namespace = r.namespace AND claims.kind = r.kind ` +
		`AND claims.value = r.value OFFSET 0) AS c LEFT JOIN LATERAL ` +
		`(SELECT ` + operationColumns + ` FROM operations WHERE operations.namespace = c.namespace ` +
		`AND operations.operation_id = c.operation_id OFFSET 0) AS o ON true`
)

const (
	insertEvents = `INSERT INTO events (namespace, operation_id, sequence, version, at, type, document) SELECT * FROM ` +
		`unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::TIMESTAMPTZ[], $6::TEXT[], $7::TEXT[])`

	listEvents = `SELECT namespace, operation_id, sequence, version, at, type, document FROM events ` +
		`WHERE namespace = $1 AND operation_id = $2 AND sequence > $3 ORDER BY sequence LIMIT $4`
)

const (
	// insertScopes comes before selectScopes, so that no transaction ever looks for a scope that is not there: a look at
	// nothing would lock the index page on which everybody's next scope may come to lie.
	insertScopes = `INSERT INTO scopes (namespace, entity_type, entity_id, name, fence, holders) SELECT *, 0, '[]' FROM ` +
		`unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[]) ON CONFLICT (namespace, entity_type, entity_id, name) DO NOTHING`

	selectScopes = `SELECT s.* FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[]) AS r (namespace, entity_type, entity_id, name) ` +
		`CROSS JOIN LATERAL (SELECT namespace, entity_type, entity_id, name, fence, holders, document FROM scopes ` +
		`WHERE scopes.namespace = r.namespace AND scopes.entity_type = r.entity_type AND scopes.entity_id = r.entity_id ` +
		`AND scopes.name = r.name OFFSET 0) AS s`

	// saveScopes never lowers a fencing number.
	saveScopes = `INSERT INTO scopes (namespace, entity_type, entity_id, name, fence, holders, document) SELECT * FROM ` +
		`unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[], $5::BIGINT[], $6::TEXT[], $7::TEXT[]) ` +
		`ON CONFLICT (namespace, entity_type, entity_id, name) DO UPDATE SET fence = excluded.fence, holders = excluded.holders, document = excluded.document ` +
		`WHERE scopes.fence <= excluded.fence`
)

const (
	saveOpen = `INSERT INTO open_operations (namespace, operation_id, shard, tool, class, state, state_since, due_at, kind, stamp, ` +
		`ready_at, claimed_by) SELECT d.namespace, d.operation_id, d.shard, d.tool, d.class, d.state, d.state_since, d.due_at, d.kind, ` +
		`d.stamp, d.due_at, '' FROM unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], ` +
		`$7::TIMESTAMPTZ[], $8::TIMESTAMPTZ[], $9::TEXT[], $10::BIGINT[]) ` +
		`AS d (namespace, operation_id, shard, tool, class, state, state_since, due_at, kind, stamp) ` +
		`ON CONFLICT (namespace, operation_id) DO UPDATE SET state = excluded.state, state_since = excluded.state_since, ` +
		`due_at = excluded.due_at, kind = excluded.kind, stamp = excluded.stamp, ready_at = excluded.ready_at, claimed_by = ''`

	deleteOpen = `DELETE FROM open_operations WHERE (namespace, operation_id) IN (SELECT * FROM unnest($1::TEXT[], $2::TEXT[]))`

	// readyShards looks which shards have work, so that an idle ledger costs one short read.
	readyShards = `SELECT s.shard FROM unnest($1::BIGINT[]) AS s (shard) WHERE EXISTS (SELECT 1 FROM open_operations AS d ` +
		`WHERE d.shard = s.shard AND d.ready_at <= now() + $2::BIGINT * INTERVAL '1 microsecond')`

	// claimDue picks and marks in one statement: a lock that ended between the two would let two claimers mark the same.
	claimDue = `WITH picked AS MATERIALIZED (SELECT namespace, operation_id FROM open_operations ` +
		`WHERE shard = $1 AND ready_at <= now() + $2::BIGINT * INTERVAL '1 microsecond' ORDER BY ready_at LIMIT $3 FOR UPDATE SKIP LOCKED) ` +
		`UPDATE open_operations AS d SET ready_at = now() + ($2::BIGINT + $4::BIGINT) * INTERVAL '1 microsecond', claimed_by = $5 ` +
		`FROM picked WHERE d.namespace = picked.namespace AND d.operation_id = picked.operation_id ` +
		`RETURNING d.namespace, d.operation_id, d.due_at, d.kind, d.stamp, d.claimed_by`

	releaseDue = `UPDATE open_operations SET ready_at = greatest(due_at, now() + $4::BIGINT * INTERVAL '1 microsecond'), claimed_by = '' ` +
		`WHERE namespace = $1 AND operation_id = $2 AND stamp = $3 AND claimed_by = $5`
)

const (
	selectTools = `SELECT t.* FROM unnest($1::TEXT[], $2::TEXT[]) AS r (namespace, name) CROSS JOIN LATERAL ` +
		`(SELECT namespace, name, version, digest, disabled, reason FROM tools WHERE tools.namespace = r.namespace AND tools.name = r.name OFFSET 0) AS t`

	saveTools = `INSERT INTO tools (namespace, name, version, digest, disabled, reason) SELECT * FROM ` +
		`unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::TEXT[], $5::BOOLEAN[], $6::TEXT[]) ON CONFLICT (namespace, name) DO UPDATE SET ` +
		`version = excluded.version, digest = excluded.digest, disabled = excluded.disabled, reason = excluded.reason`

	insertToolVersions = `INSERT INTO tool_versions (namespace, name, version, definition, digest, applied_by, applied_at) SELECT * FROM ` +
		`unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::BYTEA[], $5::TEXT[], $6::TEXT[], $7::TIMESTAMPTZ[])`

	insertNamespaces = `INSERT INTO namespaces (namespace, epoch) SELECT *, 0 FROM unnest($1::TEXT[]) ON CONFLICT (namespace) DO NOTHING`

	selectEpochs = `SELECT namespace, epoch FROM namespaces WHERE namespace = ANY ($1::TEXT[])`

	saveEpochs = `INSERT INTO namespaces (namespace, epoch) SELECT * FROM unnest($1::TEXT[], $2::BIGINT[]) ` +
		`ON CONFLICT (namespace) DO UPDATE SET epoch = excluded.epoch`

	// selectToolSet is one statement, so that a version is never without its head.
	selectToolSet = `SELECT coalesce(n.epoch, 0), t.name, t.version, t.digest, t.disabled, t.reason, ` +
		`v.version, v.definition, v.digest, v.applied_by, v.applied_at FROM (SELECT $1::TEXT AS namespace) AS q ` +
		`LEFT JOIN namespaces AS n ON n.namespace = q.namespace LEFT JOIN tools AS t ON t.namespace = q.namespace ` +
		`LEFT JOIN tool_versions AS v ON v.namespace = t.namespace AND v.name = t.name ORDER BY t.name, v.version`

	insertKey = `INSERT INTO ledger_keys (name, key, created_at) VALUES ($1, $2, now()) ON CONFLICT (name) DO NOTHING`
	selectKey = `SELECT key FROM ledger_keys WHERE name = $1`
)

const (
	countOpen = `SELECT namespace, tool, class, state, count(*), min(state_since) FROM open_operations ` +
		`WHERE state NOT IN ('completed_success', 'completed_noop', 'failed_permanent', 'compensated') ` +
		`GROUP BY namespace, tool, class, state ORDER BY namespace, tool, class, state`
	countForPeople     = `SELECT count(*) FROM operations WHERE needs_human`
	countOpenApprovals = `SELECT count(*) FROM approvals WHERE status = 'open'`

	// selectHeldLeases is bounded, since it is asked at each scrape: beyond that many the figures are of the oldest.
	selectHeldLeases = `SELECT document FROM leases WHERE status = 'held' ORDER BY at LIMIT 10000`
	countDue         = `SELECT count(*), min(due_at) FROM open_operations WHERE due_at <= $1`
)

const (
	createGuard = `CREATE TABLE IF NOT EXISTS schema_guard (name TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, until TIMESTAMPTZ NOT NULL)`

	takeGuard = `INSERT INTO schema_guard (name, holder, until) VALUES ('schema', $1, now() + $2::BIGINT * INTERVAL '1 microsecond') ` +
		`ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until ` +
		`WHERE schema_guard.until <= now() OR schema_guard.holder = excluded.holder`

	leaveGuard = `DELETE FROM schema_guard WHERE name = 'schema' AND holder = $1`
)

// portable are the statements of both engines; postgresOnly, in statements_postgres.go, are not. Those of the tables of
// records are in recordsOf.
var portable = []string{
	selectNow, selectVersion, selectOperation, selectOperations, insertOperations, updateOperations,
	listOperations, listOperationsOfKey, listOperationsOfToolCall, listOperationsOfRun, listOperationsOfWorkflow, listOperationsOfEntity,
	listOperationsWithIncident, listOperationsForPeople,
	selectVersions, insertClaims, saveClaims, deleteClaims, selectClaims, insertEvents, listEvents, insertDecisions, selectDecision,
	listDecisions, listDecisionsOfTool, listDecisionsOfRule, listDecisionsOfOperation, listDecisionsOfWorkflow, listDecisionsOfEntity,
	insertScopes, selectScopes, saveScopes, saveOpen, deleteOpen, readyShards, claimDue, releaseDue, saveWork, deleteWork,
	workIsReady, claimWork, releaseWork, workQueues, selectTools, saveTools, insertToolVersions, insertNamespaces, selectEpochs, saveEpochs, selectToolSet, insertKey, selectKey, countOpen,
	countForPeople, countOpenApprovals, selectHeldLeases, countDue, createGuard, takeGuard, leaveGuard, addFigures, sumFigures,
}
