package world

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/sqlstore"
)

// database is where a world's rows lie.
type database struct {
	open   func(context.Context) (ledger.Engine, error)
	now    func() time.Time
	remove func() error
	// shared: one process has one engine, whatever servers it runs.
	shared bool
	// driver and source open it beside the servers; tables and bytes ask for what it holds.
	driver, source, tables, bytes string
}

// dropTimeout bounds the making or dropping of one database.
const dropTimeout = 30 * time.Second

func newDatabase(ctx context.Context, o Options, offset *atomic.Int64) (database, error) {
	switch o.Engine {
	case SQLite:
		return newSQLite(o, offset), nil
	case PostgreSQL:
		return newPostgreSQL(ctx, o, offset)
	}
	return database{}, fmt.Errorf("there is no engine %q: it is %s or %s", o.Engine, SQLite, PostgreSQL)
}

// newSQLite makes a database whose clock stands still unless it is moved.
func newSQLite(o Options, offset *atomic.Int64) database {
	epoch := o.Start
	file := filepath.Join(o.Dir, "ledger.db")
	return database{
		open: func(ctx context.Context) (ledger.Engine, error) {
			return litestore.Open(ctx, file, litestore.WithClock(func() time.Time { return epoch }), litestore.WithTimeOffset(offset))
		},
		now:    func() time.Time { return epoch.Add(time.Duration(offset.Load())).UTC() },
		remove: func() error { return nil }, // its folder is the caller's
		shared: true,
		driver: "sqlite", source: liteSource(file), tables: liteTables, bytes: liteBytes,
	}
}

func newPostgreSQL(ctx context.Context, o Options, offset *atomic.Int64) (database, error) {
	here, drop, err := copyOf(ctx, o.DatabaseURL)
	if err == nil && here == "" {
		here, drop, err = NewDatabase(ctx, o.DatabaseURL)
	}
	if err != nil {
		return database{}, err
	}
	return database{
		open: func(ctx context.Context) (ledger.Engine, error) {
			return sqlstore.Open(ctx, here, sqlstore.WithTimeOffset(offset))
		},
		now:    func() time.Time { return time.Now().Add(time.Duration(offset.Load())).UTC() },
		remove: drop,
		driver: "pgx", source: here, tables: postTables, bytes: postBytes,
	}, nil
}

// NewDatabase makes an empty database on a PostgreSQL server, and answers its URL and what drops it.
func NewDatabase(ctx context.Context, serverURL string) (databaseURL string, drop func() error, err error) {
	name := "eval_" + strings.ToLower(rand.Text())
	if databaseURL, err = databaseAt(serverURL, name); err != nil {
		return "", nil, err
	}
	if err := execute(ctx, serverURL, "CREATE DATABASE "+name); err != nil {
		return "", nil, fmt.Errorf("make a database for the evaluation: %w", err)
	}
	return databaseURL, func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropTimeout)
		defer cancel()
		return execute(ctx, serverURL, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	}, nil
}

// databaseAt is the URL of a database on a server.
func databaseAt(serverURL, name string) (string, error) {
	target, err := url.Parse(serverURL)
	if err != nil || target.Scheme == "" {
		return "", errors.New("an evaluation on PostgreSQL needs the URL of a database server on which it may make databases")
	}
	target.Path = "/" + name
	return target.String(), nil
}

// execute runs one statement that names nothing from outside.
func execute(ctx context.Context, at, statement string) error {
	ctx, cancel := context.WithTimeout(ctx, dropTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, at)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, statement)
	return err
}
