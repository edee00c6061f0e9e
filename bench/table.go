package bench

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5/pgxpool"
	_ "modernc.org/sqlite" // the driver of the ledger's own SQLite store
)

// table is the yardstick: what one would write by hand.
type table interface {
	// call records a call as pending, and then as done, each in a transaction of its own.
	call(ctx context.Context, key string, arguments, result string) error
	// describe names the engine and the settings that decide how durable a commit is.
	describe(ctx context.Context) (engine string, settings map[string]string, err error)
	close()
}

// The table as it is written by hand a thousand times over. The statements are those of both engines.
const (
	createTable = `CREATE TABLE calls (idempotency_key text PRIMARY KEY, state text NOT NULL, arguments text NOT NULL,
		result text, created_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP, updated_at timestamp)`
	insertPending = `INSERT INTO calls (idempotency_key, state, arguments) VALUES ($1, 'pending', $2) ON CONFLICT (idempotency_key) DO NOTHING`
	updateDone    = `UPDATE calls SET state = 'done', result = $2, updated_at = CURRENT_TIMESTAMP WHERE idempotency_key = $1 AND state = 'pending'`
)

// postgresTable is the table in PostgreSQL, written through a pool of connections.
type postgresTable struct{ pool *pgxpool.Pool }

// tableConnections is the size of the pool: one connection for each caller up to what perf people recommend.
const tableConnections = 64

func openPostgresTable(ctx context.Context, databaseURL string) (*postgresTable, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	config.MaxConns = tableConnections
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, createTable); err != nil {
		pool.Close()
		return nil, fmt.Errorf("the hand-written table: %w", err)
	}
	return &postgresTable{pool}, nil
}

func (t *postgresTable) call(ctx context.Context, key string, arguments, result string) error {
	done, err := t.pool.Exec(ctx, insertPending, key, arguments)
	if err == nil && done.RowsAffected() == 1 {
		done, err = t.pool.Exec(ctx, updateDone, key, result)
	}
	return oneRow(done.RowsAffected(), err)
}

func (t *postgresTable) describe(ctx context.Context) (string, map[string]string, error) {
	settings := map[string]string{}
	for _, name := range []string{"server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers", "max_pred_locks_per_transaction"} {
		var value string
		if err := t.pool.QueryRow(ctx, "SELECT current_setting($1)", name).Scan(&value); err != nil {
			return "", nil, err
		}
		settings[name] = value
	}
	return "PostgreSQL", settings, nil
}

func (t *postgresTable) close() { t.pool.Close() }

// sqliteTable is the table in a SQLite file, durable as the ledger's own.
type sqliteTable struct {
	db             *sql.DB
	insert, update *sql.Stmt
}

func openSQLiteTable(ctx context.Context, path string) (*sqliteTable, error) {
	q := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)"}}
	db, err := sql.Open("sqlite", "file:"+path+"?"+q.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // SQLite has one writer; several connections would only wait for each other
	t := &sqliteTable{db: db}
	if _, err = db.ExecContext(ctx, createTable); err == nil {
		t.insert, err = db.PrepareContext(ctx, insertPending)
	}
	if err == nil {
		t.update, err = db.PrepareContext(ctx, updateDone)
	}
	if err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("the hand-written table: %w", err)
	}
	return t, nil
}

func (t *sqliteTable) call(ctx context.Context, key string, arguments, result string) error {
	done, err := t.insert.ExecContext(ctx, key, arguments)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return oneRow(n, err)
	}
	if done, err = t.update.ExecContext(ctx, key, result); err != nil {
		return err
	}
	return oneRow(done.RowsAffected())
}

func (t *sqliteTable) describe(ctx context.Context) (string, map[string]string, error) {
	settings := map[string]string{}
	for name, query := range map[string]string{
		"version": "SELECT sqlite_version()", "journal_mode": "PRAGMA journal_mode", "synchronous": "PRAGMA synchronous",
	} {
		var value string
		if err := t.db.QueryRowContext(ctx, query).Scan(&value); err != nil {
			return "", nil, err
		}
		settings[name] = value
	}
	return "SQLite", settings, nil
}

func (t *sqliteTable) close() { _ = t.db.Close() }

// oneRow makes an error of a statement that wrote no row: every key of a measurement is new.
func oneRow(n int64, err error) error {
	if err == nil && n != 1 {
		err = fmt.Errorf("the hand-written table wrote %d rows", n)
	}
	return err
}
