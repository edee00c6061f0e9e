package sqlstore

// The statements of what is to be done for operations. Those names that end in Columns, Where or Order are parts of them.

const (
	saveWork = `INSERT INTO work_items (namespace, operation_id, executor, tool, kind, provider, due_at, stamp, ready_at, claimed_by) ` +
		`SELECT w.namespace, w.operation_id, w.executor, w.tool, w.kind, w.provider, w.due_at, w.stamp, w.due_at, '' FROM ` +
		`unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::TIMESTAMPTZ[], $8::BIGINT[]) ` +
		`AS w (namespace, operation_id, executor, tool, kind, provider, due_at, stamp) ON CONFLICT (namespace, operation_id) DO UPDATE SET ` +
		`executor = excluded.executor, tool = excluded.tool, kind = excluded.kind, provider = excluded.provider, due_at = excluded.due_at, ` +
		`stamp = excluded.stamp, ready_at = excluded.ready_at, claimed_by = ''`

	deleteWork = `DELETE FROM work_items WHERE (namespace, operation_id) IN (SELECT * FROM unnest($1::TEXT[], $2::TEXT[]))`

	// workReadyWhere are the rows of one queue that can be claimed now.
	workReadyWhere = ` FROM work_items WHERE executor = $1 AND namespace = $2 AND tool = $3 AND kind = $4 AND provider = $5 ` +
		`AND ready_at <= now() + $6::BIGINT * INTERVAL '1 microsecond'`

	// workIsReady looks first, so that an empty queue costs one short read.
	workIsReady = `SELECT EXISTS (SELECT 1` + workReadyWhere + `)`

	// claimWork picks and marks in one statement, as claimDue does.
	claimWork = `WITH picked AS MATERIALIZED (SELECT namespace, operation_id` + workReadyWhere + ` ORDER BY ready_at LIMIT $7 FOR UPDATE SKIP LOCKED) ` +
		`UPDATE work_items AS w SET ready_at = now() + ($6::BIGINT + $8::BIGINT) * INTERVAL '1 microsecond', claimed_by = $9 ` +
		`FROM picked WHERE w.namespace = picked.namespace AND w.operation_id = picked.operation_id ` +
		`RETURNING w.operation_id, w.due_at, w.stamp, w.claimed_by`

	releaseWork = `UPDATE work_items SET ready_at = greatest(due_at, now() + $4::BIGINT * INTERVAL '1 microsecond'), claimed_by = '' ` +
		`WHERE namespace = $1 AND operation_id = $2 AND stamp = $3 AND claimed_by = $5 AND claimed_by <> ''`
)

const (
	queueColumns = `executor, namespace, tool, kind, provider`

	// queueOrder takes the first row of the next queue: one step of a walk along the index.
	queueOrder = ` ORDER BY executor, namespace, tool, kind, provider LIMIT 1`

	// queueRowsWhere are the rows of a queue.
	queueRowsWhere = ` FROM work_items AS w WHERE w.executor = q.executor AND w.namespace = q.namespace AND w.tool = q.tool ` +
		`AND w.kind = q.kind AND w.provider = q.provider`

	// workQueues walks from queue to queue along the index, so that it reads a few rows of each and not all that wait, and
	// ends the walk where an executor, and with it a namespace, is asked for and has no more. Where tools are asked for
	// with both, it walks through the queues of each tool and of no other (within). What it counts is bounded.
	workQueues = `WITH RECURSIVE queues AS (SELECT f.*, s.within FROM ` +
		`unnest($7::TEXT[]) AS s (within) CROSS JOIN LATERAL (SELECT ` + queueColumns + ` FROM work_items AS w WHERE (w.executor, w.namespace, w.tool) >= ` +
		`($1::TEXT, CASE WHEN $1::TEXT = '' THEN '' ELSE $2::TEXT END, s.within)` + queueOrder + `) AS f ` +
		`WHERE ($1::TEXT = '' OR f.executor = $1::TEXT) AND ($1::TEXT = '' OR $2::TEXT = '' OR f.namespace = $2::TEXT) ` +
		`AND (s.within = '' OR f.tool = s.within) ` +
		`UNION ALL SELECT n.*, q.within FROM queues AS q CROSS JOIN LATERAL (SELECT ` + queueColumns + ` FROM work_items AS w ` +
		`WHERE (w.executor, w.namespace, w.tool, w.kind, w.provider) > (q.executor, q.namespace, q.tool, q.kind, q.provider)` + queueOrder + `) AS n ` +
		`WHERE ($1::TEXT = '' OR n.executor = $1::TEXT) AND ($1::TEXT = '' OR $2::TEXT = '' OR n.namespace = $2::TEXT) ` +
		`AND (q.within = '' OR n.tool = q.within)) ` +
		`SELECT q.executor, q.namespace, q.tool, q.kind, q.provider, d.waiting, d.ready, d.oldest FROM queues AS q CROSS JOIN LATERAL (SELECT ` +
		`(SELECT count(*) FROM (SELECT 1` + queueRowsWhere + ` LIMIT $6) AS counted) AS waiting, ` +
		`(SELECT count(*) FROM (SELECT 1` + queueRowsWhere + ` AND w.ready_at <= now() + $5::BIGINT * INTERVAL '1 microsecond' LIMIT $6) AS counted) AS ready, ` +
		`(SELECT w.ready_at` + queueRowsWhere + ` AND w.ready_at <= now() + $5::BIGINT * INTERVAL '1 microsecond' ORDER BY w.ready_at LIMIT 1) AS oldest) AS d ` +
		`WHERE ($2::TEXT = '' OR q.namespace = $2::TEXT) AND ($3::TEXT[] IS NULL OR q.tool = ANY ($3::TEXT[])) ` +
		`AND (NOT $4::BOOLEAN OR d.oldest IS NOT NULL) ORDER BY q.executor, q.namespace, q.tool, q.kind, q.provider`
)
