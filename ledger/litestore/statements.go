package litestore

// Every statement of this store. Times are microseconds since 1970, UTC; lists are JSON arrays.

const (
	operationColumns = `namespace, operation_id, version, state, class, tool, workflow_id, run_id, tool_call_id, entity, ` +
		`idempotency_key, revision, needs_human, has_incident, created_at, document`

	selectOperation = `SELECT ` + operationColumns + ` FROM operations WHERE namespace = ?1 AND operation_id = ?2`

	insertOperation = `INSERT INTO operations (` + operationColumns + `) ` +
		`VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)`

	// updateOperation changes the row only where its version is the loaded one (?8), and nothing that an index leads by: the
	// other columns stay as they were when the operation was made.
	updateOperation = `UPDATE operations SET version = ?3, state = ?4, needs_human = ?5, has_incident = ?6, document = ?7 ` +
		`WHERE namespace = ?1 AND operation_id = ?2 AND version = ?8`
)

// The lists of operations differ in the index that leads them; every one takes every filter.
const (
	listOperationsWhere = `SELECT ` + operationColumns + ` FROM operations WHERE namespace = ?1 ` +
		`AND (?2 IS NULL OR state IN (SELECT value FROM json_each(?2))) AND (?3 = '' OR tool = ?3) ` +
		`AND (?4 = '' OR workflow_id = ?4) AND (?5 = '' OR entity = ?5) AND (?6 IS NULL OR needs_human = ?6) ` +
		`AND (?7 = '' OR operation_id IN (SELECT operation_id FROM claims WHERE namespace = ?1 AND kind = 'key' AND value = ?7)) ` +
		`AND (created_at, operation_id) < (?8, ?9) AND (?11 = '' OR run_id = ?11) AND (?12 = '' OR tool_call_id = ?12) ` +
		`AND (?13 IS NULL OR class IN (SELECT value FROM json_each(?13))) AND (?14 IS NULL OR has_incident = ?14) ` +
		`AND created_at >= ?15 AND created_at < ?16`
	listOperationsOrder = ` ORDER BY created_at DESC, operation_id DESC LIMIT ?10`

	listOperations             = listOperationsWhere + listOperationsOrder
	listOperationsOfKey        = listOperationsWhere + ` AND operation_id IN (SELECT operation_id FROM claims WHERE namespace = ?1 AND kind = 'key' AND value = ?7)` + listOperationsOrder
	listOperationsOfToolCall   = listOperationsWhere + ` AND tool_call_id = ?12 AND tool_call_id <> ''` + listOperationsOrder
	listOperationsOfRun        = listOperationsWhere + ` AND run_id = ?11 AND run_id <> ''` + listOperationsOrder
	listOperationsOfWorkflow   = listOperationsWhere + ` AND workflow_id = ?4 AND workflow_id <> ''` + listOperationsOrder
	listOperationsOfEntity     = listOperationsWhere + ` AND entity = ?5 AND entity <> ''` + listOperationsOrder
	listOperationsWithIncident = listOperationsWhere + ` AND has_incident = 1` + listOperationsOrder
	listOperationsForPeople    = listOperationsWhere + ` AND needs_human = 1` + listOperationsOrder

	selectVersions = `SELECT operation_id, version FROM operations WHERE namespace = ?1 AND operation_id IN (SELECT value FROM json_each(?2))`
)

const (
	insertClaim = `INSERT INTO claims (namespace, kind, value, number, operation_id, attempt_id, fingerprint) ` +
		`VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (namespace, kind, value, number) DO NOTHING`

	// saveClaim changes what a request earned. Any other kind may only be saved again as it stands.
	saveClaim = `INSERT INTO claims (namespace, kind, value, number, operation_id, attempt_id, fingerprint) ` +
		`VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (namespace, kind, value, number) DO UPDATE SET ` +
		`operation_id = excluded.operation_id, attempt_id = excluded.attempt_id, fingerprint = excluded.fingerprint ` +
		`WHERE claims.kind = 'request' OR claims.operation_id = excluded.operation_id`

	deleteClaim = `DELETE FROM claims WHERE namespace = ?1 AND kind = ?2 AND value = ?3 AND number = ?4`

	selectClaims = `SELECT namespace, kind, value, number, operation_id, attempt_id, fingerprint FROM claims ` +
		`WHERE namespace = ?1 AND kind = ?2 AND value = ?3`
)

const (
	insertEvent = `INSERT INTO events (namespace, operation_id, sequence, version, at, type, document) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`

	listEvents = `SELECT namespace, operation_id, sequence, version, at, type, document FROM events ` +
		`WHERE namespace = ?1 AND operation_id = ?2 AND sequence > ?3 ORDER BY sequence LIMIT ?4`
)

const (
	selectScope = `SELECT namespace, entity_type, entity_id, name, fence, holders, document FROM scopes ` +
		`WHERE namespace = ?1 AND entity_type = ?2 AND entity_id = ?3 AND name = ?4`

	// saveScope never lowers a fencing number.
	saveScope = `INSERT INTO scopes (namespace, entity_type, entity_id, name, fence, holders, document) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ` +
		`ON CONFLICT (namespace, entity_type, entity_id, name) DO UPDATE SET fence = excluded.fence, holders = excluded.holders, document = excluded.document ` +
		`WHERE scopes.fence <= excluded.fence`
)

const (
	saveOpen = `INSERT INTO open_operations (namespace, operation_id, tool, class, state, state_since, due_at, kind, stamp, ready_at, ` +
		`claimed_by) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?7, '') ON CONFLICT (namespace, operation_id) DO UPDATE SET ` +
		`state = excluded.state, state_since = excluded.state_since, due_at = excluded.due_at, kind = excluded.kind, ` +
		`stamp = excluded.stamp, ready_at = excluded.ready_at, claimed_by = ''`

	deleteOpen = `DELETE FROM open_operations WHERE namespace = ?1 AND operation_id = ?2`

	dueIsReady = `SELECT EXISTS (SELECT 1 FROM open_operations WHERE ready_at <= ?1)`

	// claimDue is one statement in the one writer's turn: nobody comes between its look and its mark.
	claimDue = `UPDATE open_operations SET ready_at = ?2, claimed_by = ?3 WHERE (namespace, operation_id) IN ` +
		`(SELECT namespace, operation_id FROM open_operations WHERE ready_at <= ?1 ORDER BY ready_at LIMIT ?4) ` +
		`RETURNING namespace, operation_id, due_at, kind, stamp, claimed_by`

	releaseDue = `UPDATE open_operations SET ready_at = max(due_at, ?4), claimed_by = '' ` +
		`WHERE namespace = ?1 AND operation_id = ?2 AND stamp = ?3 AND claimed_by = ?5`
)

const (
	selectTool = `SELECT namespace, name, version, digest, disabled, reason FROM tools WHERE namespace = ?1 AND name = ?2`

	saveTool = `INSERT INTO tools (namespace, name, version, digest, disabled, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ` +
		`ON CONFLICT (namespace, name) DO UPDATE SET version = excluded.version, digest = excluded.digest, disabled = excluded.disabled, reason = excluded.reason`

	insertToolVersion = `INSERT INTO tool_versions (namespace, name, version, definition, digest, applied_by, applied_at) ` +
		`VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`

	selectEpoch = `SELECT epoch FROM namespaces WHERE namespace = ?1`

	saveEpoch = `INSERT INTO namespaces (namespace, epoch) VALUES (?1, ?2) ON CONFLICT (namespace) DO UPDATE SET epoch = excluded.epoch`

	// selectToolSet is one statement, so that a version is never without its head.
	selectToolSet = `SELECT coalesce(n.epoch, 0), t.name, t.version, t.digest, t.disabled, t.reason, ` +
		`v.version, v.definition, v.digest, v.applied_by, v.applied_at FROM (SELECT ?1 AS namespace) q ` +
		`LEFT JOIN namespaces n ON n.namespace = q.namespace LEFT JOIN tools t ON t.namespace = q.namespace ` +
		`LEFT JOIN tool_versions v ON v.namespace = t.namespace AND v.name = t.name ORDER BY t.name, v.version`

	insertKey = `INSERT INTO ledger_keys (name, key, created_at) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO NOTHING`
	selectKey = `SELECT key FROM ledger_keys WHERE name = ?1`
)

const (
	countOpen = `SELECT namespace, tool, class, state, count(*), min(state_since) FROM open_operations ` +
		`WHERE state NOT IN ('completed_success', 'completed_noop', 'failed_permanent', 'compensated') ` +
		`GROUP BY namespace, tool, class, state ORDER BY namespace, tool, class, state`
	countForPeople     = `SELECT count(*) FROM operations WHERE needs_human = 1`
	countOpenApprovals = `SELECT count(*) FROM approvals WHERE status = 'open'`

	// selectHeldLeases is bounded, since it is asked at each scrape: beyond that many the figures are of the oldest.
	selectHeldLeases = `SELECT document FROM leases WHERE status = 'held' ORDER BY at LIMIT 10000`
	countDue         = `SELECT count(*), coalesce(min(due_at), 0) FROM open_operations WHERE due_at <= ?1`

	showSynchronous = `PRAGMA synchronous`
	showJournalMode = `PRAGMA journal_mode`

	flushRarely = `PRAGMA synchronous = NORMAL`
	flushAlways = `PRAGMA synchronous = FULL`
)

// written are the statements of the one writer, read those of the readers; with those of recordsOf they are prepared when
// the store is opened, so that a statement that does not fit the schema is found then.
var (
	written = []string{
		selectOperation, insertOperation, updateOperation, insertClaim, saveClaim, deleteClaim, selectClaims, insertEvent,
		insertDecision, selectScope, saveScope, saveOpen, deleteOpen, claimDue, releaseDue, saveWork, deleteWork,
		claimWork, releaseWork, selectTool, saveTool,
		insertToolVersion, selectEpoch, saveEpoch, insertKey, addFigures,
	}
	read = []string{
		selectOperation, listOperations, listOperationsOfKey, listOperationsOfToolCall, listOperationsOfRun, listOperationsOfWorkflow,
		listOperationsOfEntity, listOperationsWithIncident, listOperationsForPeople, selectVersions, listEvents, selectDecision,
		listDecisions, listDecisionsOfTool, listDecisionsOfRule, listDecisionsOfOperation, listDecisionsOfWorkflow, listDecisionsOfEntity,
		dueIsReady, workIsReady, workQueues, selectToolSet, selectKey, countOpen, countForPeople, countOpenApprovals, selectHeldLeases, countDue, sumFigures, showSynchronous, showJournalMode,
	}
)
