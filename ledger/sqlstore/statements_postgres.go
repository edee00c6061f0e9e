package sqlstore

// Statements that are run on PostgreSQL alone.
const (
	// selectNowByKey reads the time and has the rest of the transaction, and no more, planned by key. PostgreSQL reads a
	// small table whole rather than by its index, keeps that plan while the table grows, and locks a table that was read
	// whole against every other serializable transaction.
	selectNowByKey = `SELECT now(), set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), ` +
		`set_config('enable_mergejoin', 'off', true)`

	// settingsOfInterest reads what durability and speed hang on.
	settingsOfInterest = `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', ` +
		`'synchronous_standby_names', 'max_pred_locks_per_transaction', 'transaction_read_only')`

	// asynchronousStandbys counts standbys that may take over without having what was committed.
	asynchronousStandbys = `SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'async'`

	backendProcess = `SELECT pg_backend_pid()`

	currentTransaction = `SELECT pg_current_xact_id()::TEXT`

	// olderTransactions counts transactions of this database that are at work and may have read, or may still write, as of
	// a time before the given transaction: those whose snapshot is not younger, and those whose own id is not.
	olderTransactions = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() ` +
		`AND backend_type = 'client backend' AND (age(backend_xmin) >= age($1::TEXT::XID) OR age(backend_xid) >= age($1::TEXT::XID))`
)
