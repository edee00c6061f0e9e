// Package migrate brings a store's schema up to this program's. Each step is one statement that can be run again, so that
// a step that was cut off in the middle is simply run once more.
package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/pressly/goose/v3"
)

// Table is the table in which applied steps are recorded.
const Table = "schema_steps"

// ErrPending says that the schema is older than the program.
var ErrPending = errors.New("the schema is older than this program; run the migrations first")

// Step is one step of the schema.
type Step struct {
	Version   int64
	Name      string // of its file
	Applied   bool
	AppliedAt time.Time // zero while it is not applied
}

// Provider prepares the steps that a directory holds.
func Provider(dialect goose.Dialect, db *sql.DB, steps fs.FS, options ...goose.ProviderOption) (*goose.Provider, error) {
	options = append(options, goose.WithTableName(Table), goose.WithDisableGlobalRegistry(true), goose.WithAllowOutofOrder(true))
	p, err := goose.NewProvider(dialect, db, steps, options...)
	if err != nil {
		return nil, fmt.Errorf("the schema's steps cannot be read: %w", err)
	}
	return p, nil
}

// Up applies what is not applied yet and answers it.
func Up(ctx context.Context, p *goose.Provider) ([]Step, error) {
	results, err := p.Up(ctx)
	var partial *goose.PartialError
	if errors.As(err, &partial) {
		results = partial.Applied
	}
	steps := make([]Step, 0, len(results))
	for _, r := range results {
		steps = append(steps, Step{Version: r.Source.Version, Name: path.Base(r.Source.Path), Applied: true})
	}
	if err != nil {
		return steps, fmt.Errorf("a step of the schema failed and can be run again: %w", err)
	}
	return steps, nil
}

// Status lists every step of this program, in order. It applies none; where nothing was ever applied it makes the table
// that records them.
func Status(ctx context.Context, p *goose.Provider) ([]Step, error) {
	status, err := p.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("the schema's state cannot be read: %w", err)
	}
	steps := make([]Step, 0, len(status))
	for _, s := range status {
		steps = append(steps, Step{
			Version: s.Source.Version, Name: path.Base(s.Source.Path), Applied: s.State == goose.StateApplied, AppliedAt: s.AppliedAt,
		})
	}
	return steps, nil
}

// Check answers ErrPending where a step is not applied.
func Check(ctx context.Context, p *goose.Provider) error {
	pending, err := p.HasPending(ctx)
	if err != nil {
		return fmt.Errorf("the schema's state cannot be read: %w", err)
	}
	if pending {
		return ErrPending
	}
	return nil
}
