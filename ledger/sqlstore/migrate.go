package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/opledger/opledger/ledger/migrate"
)

//go:embed migrations/*.sql
var files embed.FS

type provider = goose.Provider

// Migrate brings the database's schema up to date and answers the steps that it applied. Several may be at it at once:
// one works, the others wait for it.
func Migrate(ctx context.Context, url string) (steps []migrate.Step, err error) {
	return inspect(url, func(p *provider) ([]migrate.Step, error) { return migrate.Up(ctx, p) })
}

// MigrationStatus lists the schema's steps and which of them are applied.
func MigrationStatus(ctx context.Context, url string) ([]migrate.Step, error) {
	return inspect(url, func(p *provider) ([]migrate.Step, error) { return migrate.Status(ctx, p) })
}

func inspect(url string, use func(*provider) ([]migrate.Step, error)) (steps []migrate.Step, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	err = withProvider(config, func(p *provider) (err error) {
		steps, err = use(p)
		return err
	})
	return steps, err
}

// withProvider prepares the schema's steps on connections of their own. Each statement is sent by itself and none relies
// on its session, so that they pass through a pooler.
func withProvider(config *pgx.ConnConfig, use func(*provider) error) error {
	config = config.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	db := stdlib.OpenDB(*config)
	defer db.Close()
	steps, err := fs.Sub(files, "migrations")
	if err != nil {
		return err
	}
	p, err := migrate.Provider(goose.DialectPostgres, db, steps, goose.WithLocker(&guard{holder: uuid.NewString()}))
	if err != nil {
		return err
	}
	return use(p)
}

// guard lets one at a time change the schema, by a row: an advisory lock would belong to a session, and behind a pooler
// nobody knows whose session it is. The row is renewed while the work goes on and runs out soon after its holder dies.
type guard struct {
	holder string
	stop   func()
}

const (
	guardHold  = 30 * time.Second
	guardRenew = 10 * time.Second
	guardLook  = 200 * time.Millisecond
)

// Lock waits until the row is ours.
func (g *guard) Lock(ctx context.Context, db *sql.DB) error {
	for {
		took, err := g.take(ctx, db)
		if err != nil {
			return err
		}
		if took {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(guardLook):
		}
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	g.stop = func() { stop(); <-done }
	go func() {
		defer close(done)
		g.renew(renewing, db)
	}()
	return nil
}

func (g *guard) renew(ctx context.Context, db *sql.DB) {
	ticker := time.NewTicker(guardRenew)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			// A failed renewal is tried again at the next tick. Should the row run out first, another begins the same steps,
			// each of which can be run again.
			_, _ = g.take(ctx, db)
		}
	}
}

// take makes the guard's table where there is none, and the row ours where it is nobody's.
func (g *guard) take(ctx context.Context, db *sql.DB) (bool, error) {
	if _, err := db.ExecContext(ctx, createGuard); err != nil {
		if madeByAnother(err) {
			return false, nil
		}
		return false, err
	}
	res, err := db.ExecContext(ctx, takeGuard, g.holder, guardHold.Microseconds())
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// madeByAnother says that two made the same table at the same moment: IF NOT EXISTS looks first and makes then, and
// PostgreSQL refuses the second one, by the table's type, its name or its catalogue's unique index.
func madeByAnother(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && slices.Contains([]string{"23505", "42710", "42P07", "40001"}, pgErr.Code)
}

// Unlock gives the row back.
func (g *guard) Unlock(ctx context.Context, db *sql.DB) error {
	g.stop()
	_, err := db.ExecContext(ctx, leaveGuard, g.holder)
	return err
}
