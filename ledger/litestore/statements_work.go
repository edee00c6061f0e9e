package litestore

// The statements of what is to be done for operations.

const (
	saveWork = `INSERT INTO work_items (namespace, operation_id, executor, tool, kind, provider, due_at, stamp, ready_at, claimed_by) ` +
		`VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?7, '') ON CONFLICT (namespace, operation_id) DO UPDATE SET ` +
		`executor = excluded.executor, tool = excluded.tool, kind = excluded.kind, provider = excluded.provider, due_at = excluded.due_at, ` +
		`stamp = excluded.stamp, ready_at = excluded.ready_at, claimed_by = ''`

	deleteWork = `DELETE FROM work_items WHERE namespace = ?1 AND operation_id = ?2`

	// workReadyWhere are the rows of one queue that can be claimed now.
	workReadyWhere = ` FROM work_items WHERE executor = ?1 AND namespace = ?2 AND tool = ?3 AND kind = ?4 AND provider = ?5 AND ready_at <= ?6`

	workIsReady = `SELECT EXISTS (SELECT 1` + workReadyWhere + `)`

	// claimWork is one statement in the one writer's turn, as claimDue is.
	claimWork = `UPDATE work_items SET ready_at = ?7, claimed_by = ?8 WHERE (namespace, operation_id) IN ` +
		`(SELECT namespace, operation_id` + workReadyWhere + ` ORDER BY ready_at LIMIT ?9) RETURNING operation_id, due_at, stamp, claimed_by`

	releaseWork = `UPDATE work_items SET ready_at = max(due_at, ?4), claimed_by = '' ` +
		`WHERE namespace = ?1 AND operation_id = ?2 AND stamp = ?3 AND claimed_by = ?5 AND claimed_by <> ''`
)

const (
	queueOrder = ` ORDER BY executor, namespace, tool, kind, provider LIMIT 1`

	// queueRowsWhere are the rows of a queue.
	queueRowsWhere = ` FROM work_items w WHERE w.executor = q.executor AND w.namespace = q.namespace AND w.tool = q.tool ` +
		`AND w.kind = q.kind AND w.provider = q.provider`

	// workQueues walks from queue to queue along the index, so that it reads a few rows of each and not all that wait, and
	// ends the walk where an executor, and with it a namespace, is asked for and has no more. Where tools are asked for
	// with both, it walks through the queues of each tool and of no other (within). What it counts is bounded. The + takes a
	// column's affinity away, without which SQLite seeks by the first column alone.
	workQueues = `WITH RECURSIVE queues (executor, namespace, tool, kind, provider, within) AS (` +
		`SELECT f.executor, f.namespace, f.tool, f.kind, f.provider, s.value FROM json_each(?7) s CROSS JOIN work_items f ` +
		`WHERE (f.namespace, f.operation_id) = (SELECT namespace, operation_id FROM work_items w WHERE (w.executor, w.namespace, w.tool) >= ` +
		`(?1, CASE WHEN ?1 = '' THEN '' ELSE ?2 END, +s.value)` + queueOrder + `) ` +
		`AND (?1 = '' OR f.executor = ?1) AND (?1 = '' OR ?2 = '' OR f.namespace = ?2) AND (s.value = '' OR f.tool = s.value) ` +
		`UNION ALL SELECT n.executor, n.namespace, n.tool, n.kind, n.provider, q.within FROM queues q CROSS JOIN work_items n ` +
		`WHERE (n.namespace, n.operation_id) = (SELECT namespace, operation_id FROM work_items w ` +
		`WHERE (w.executor, w.namespace, w.tool, w.kind, w.provider) > (+q.executor, +q.namespace, +q.tool, +q.kind, +q.provider)` + queueOrder + `) ` +
		`AND (?1 = '' OR n.executor = ?1) AND (?1 = '' OR ?2 = '' OR n.namespace = ?2) AND (q.within = '' OR n.tool = q.within)), ` +
		`depths AS (SELECT q.*, (SELECT count(*) FROM (SELECT 1` + queueRowsWhere + ` LIMIT ?6)) AS waiting, ` +
		`(SELECT count(*) FROM (SELECT 1` + queueRowsWhere + ` AND w.ready_at <= ?5 LIMIT ?6)) AS ready, ` +
		`(SELECT min(w.ready_at)` + queueRowsWhere + ` AND w.ready_at <= ?5) AS oldest FROM queues q ` +
		`WHERE (?2 = '' OR q.namespace = ?2) AND (?3 IS NULL OR q.tool IN (SELECT value FROM json_each(?3)))) ` +
		`SELECT executor, namespace, tool, kind, provider, waiting, ready, oldest FROM depths WHERE NOT ?4 OR oldest IS NOT NULL ` +
		`ORDER BY executor, namespace, tool, kind, provider`
)
