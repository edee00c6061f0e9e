package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/datadir"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/migrate"
	"github.com/opledger/opledger/ledger/sqlstore"
)

// databaseFile is the name of the SQLite file in the user's data folder.
const databaseFile = "opledger.db"

// databaseUsage describes --database-url.
const databaseUsage = "the database: postgres://..., or the path of a SQLite file (default: one in your data folder)"

// database is what --database-url names: a SQLite file or a PostgreSQL-compatible database.
type database struct {
	path string // of the SQLite file, or empty
	url  string // of the other engines, or empty
}

// parseDatabase reads --database-url.
func parseDatabase(text string) (database, error) {
	scheme, rest, hasScheme := strings.Cut(text, ":")
	switch {
	case text == "":
		dir, err := datadir.Make("opledger")
		if err != nil {
			return database{}, fmt.Errorf("no folder for the SQLite file: %w; name a file with --database-url", err)
		}
		return database{path: filepath.Join(dir, databaseFile)}, nil
	case scheme == "postgres" || scheme == "postgresql":
		return database{url: text}, nil
	case scheme == "cockroachdb" || scheme == "cockroach":
		return database{url: "postgres:" + rest}, nil
	case scheme == "sqlite" || scheme == "file":
		path := strings.TrimPrefix(rest, "//")
		if path == "" {
			return database{}, usagef("--database-url %q names no file", text)
		}
		return database{path: path}, nil
	case hasScheme && strings.HasPrefix(rest, "//"):
		return database{}, usagef("--database-url: %q is no database that Opledger knows; use postgres://..., or the path of a SQLite file", scheme)
	}
	return database{path: text}, nil
}

// String names the database without its password.
func (d database) String() string {
	if d.path != "" {
		return d.path
	}
	u, err := url.Parse(d.url)
	if err != nil {
		return "(a database URL that cannot be read)"
	}
	// Everything but scheme, host and path may hold a secret.
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// engineOptions are what a server says of its engine.
type engineOptions struct {
	execMode  string // of pgx, or empty
	onRetry   func(reason string)
	noMigrate bool
}

// open opens the database and, unless it is told otherwise, brings its schema up to date.
func (d database) open(ctx context.Context, o engineOptions) (ledger.Engine, error) {
	if d.path != "" {
		if o.execMode != "" {
			return nil, usagef("--pgx-exec-mode is for PostgreSQL and CockroachDB; the database is the SQLite file %s", d.path)
		}
		options := []litestore.Option{litestore.WithOnRetry(o.onRetry)}
		if o.noMigrate {
			options = append(options, litestore.WithoutMigration())
		}
		store, err := litestore.Open(ctx, d.path, options...)
		if err != nil {
			return nil, err // and not a store that is nil in an engine that is not
		}
		return store, nil
	}
	options := []sqlstore.Option{sqlstore.WithOnRetry(o.onRetry)}
	if o.execMode != "" {
		mode, err := parseExecMode(o.execMode)
		if err != nil {
			return nil, err
		}
		options = append(options, sqlstore.WithExecMode(mode))
	}
	if o.noMigrate {
		options = append(options, sqlstore.WithoutMigration())
	}
	store, err := sqlstore.Open(ctx, d.url, options...)
	if err != nil {
		return nil, err
	}
	return store, nil
}

// execModes are pgx's ways to send statements, by the names that its URL parameter has.
var execModes = []pgx.QueryExecMode{
	pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol,
}

func execModeName(m pgx.QueryExecMode) string { return strings.ReplaceAll(m.String(), " ", "_") }

func parseExecMode(name string) (pgx.QueryExecMode, error) {
	var names []string
	for _, m := range execModes {
		if execModeName(m) == name {
			return m, nil
		}
		names = append(names, execModeName(m))
	}
	return 0, usagef("--pgx-exec-mode %q is none of %s", name, strings.Join(names, ", "))
}

// migrateUp brings the schema up to date and answers what was applied.
func (d database) migrateUp(ctx context.Context) ([]migrate.Step, error) {
	if d.path != "" {
		return litestore.Migrate(ctx, d.path)
	}
	return sqlstore.Migrate(ctx, d.url)
}

// migrationStatus lists the schema's steps.
func (d database) migrationStatus(ctx context.Context) ([]migrate.Step, error) {
	if d.path != "" {
		return litestore.MigrationStatus(ctx, d.path)
	}
	return sqlstore.MigrationStatus(ctx, d.url)
}
