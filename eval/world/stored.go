package world

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Stored is what a world's database holds.
type Stored struct{ Rows, Bytes int64 }

// Less is what one holds more than another.
func (s Stored) Less(before Stored) Stored {
	return Stored{s.Rows - before.Rows, s.Bytes - before.Bytes}
}

// Stored counts every row of every table, and the bytes of tables and indexes.
func (w *World) Stored(ctx context.Context) (s Stored, err error) {
	db, err := sql.Open(w.database.driver, w.database.source)
	if err != nil {
		return s, err
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRowContext(ctx, w.database.bytes).Scan(&s.Bytes); err != nil {
		return s, fmt.Errorf("the database's size: %w", err)
	}
	names, err := db.QueryContext(ctx, w.database.tables)
	if err != nil {
		return s, fmt.Errorf("the database's tables: %w", err)
	}
	defer func() { _ = names.Close() }()
	var tables []string
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			return s, err
		}
		tables = append(tables, name)
	}
	if err := names.Err(); err != nil {
		return s, err
	}
	for _, name := range tables {
		var rows int64
		// The names are the catalogue's own.
		if err := db.QueryRowContext(ctx, `SELECT count(*) FROM "`+name+`"`).Scan(&rows); err != nil {
			return s, fmt.Errorf("the rows of %s: %w", name, err)
		}
		s.Rows += rows
	}
	return s, nil
}

// What each engine is asked for its tables and its size.
const (
	liteTables = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	liteBytes  = `SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`
	postTables = `SELECT relname FROM pg_stat_user_tables`
	postBytes  = `SELECT pg_database_size(current_database())`
)

// liteSource opens a SQLite file to read along.
func liteSource(file string) string {
	return (&url.URL{Scheme: "file", Opaque: url.PathEscape(file), RawQuery: "_pragma=query_only(1)"}).String()
}
