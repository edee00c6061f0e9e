package litestore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"os"

	"github.com/pressly/goose/v3"

	"github.com/opledger/opledger/ledger/migrate"
)

//go:embed migrations/*.sql
var files embed.FS

func migrations(db *sql.DB) (*goose.Provider, error) {
	steps, err := fs.Sub(files, "migrations")
	if err != nil {
		return nil, err
	}
	return migrate.Provider(goose.DialectSQLite3, db, steps)
}

// Migrate brings the file's schema up to date and answers the steps that it applied. No server may have the file open.
func Migrate(ctx context.Context, path string) ([]migrate.Step, error) {
	return withProvider(path, func(p *goose.Provider) ([]migrate.Step, error) { return migrate.Up(ctx, p) })
}

// MigrationStatus lists the schema's steps and which of them are applied. No server may have it open.
func MigrationStatus(ctx context.Context, path string) ([]migrate.Step, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return statusOfNothing(ctx)
	} else if err != nil {
		return nil, err
	}
	return withProvider(path, func(p *goose.Provider) ([]migrate.Step, error) { return migrate.Status(ctx, p) })
}

// statusOfNothing is the status of a file that is not there: no step is applied. Asking makes no file.
func statusOfNothing(ctx context.Context) (steps []migrate.Step, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	provider, err := migrations(db)
	if err != nil {
		return nil, err
	}
	return migrate.Status(ctx, provider)
}

func withProvider(path string, use func(*goose.Provider) ([]migrate.Step, error)) (steps []migrate.Step, err error) {
	if path, err = create(path); err != nil {
		return nil, err
	}
	lock, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	db, err := openWriter(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := migrations(db)
	if err != nil {
		return nil, err
	}
	return use(provider)
}
