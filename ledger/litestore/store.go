// Package litestore keeps the ledger in a SQLite file: the engine that needs no set-up. One server process owns the
// file; one connection writes, with full durability, and others read beside it.
package litestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite": SQLite in Go, without cgo

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/migrate"
)

// readers is the number of reading connections. They share the process's processors, so that more would only wait.
const readers = 4

// busyTimeout is how long a statement waits for a lock that somebody outside this process holds: a backup, a shell.
const busyTimeout = 10 * time.Second

// Store is a ledger.Engine on one SQLite file.
type Store struct {
	options options
	lock    *fileLock
	writer  *sql.DB
	reader  *sql.DB
	// turn holds one token: who has it may write.
	turn     chan struct{}
	prepared map[string]*sql.Stmt // of the writer
	queries  map[string]*sql.Stmt // of the readers
}

var _ ledger.Engine = (*Store)(nil)

// Open opens the file, creates it where there is none, and brings its schema up to date. A file that another process has
// open is refused with a *LockedError.
func Open(ctx context.Context, path string, list ...Option) (*Store, error) {
	s := &Store{options: newOptions(list), turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	if err := s.open(ctx, path); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), s.Close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string) (err error) {
	if path, err = create(path); err != nil {
		return err
	}
	if s.lock, err = lockFile(path); err != nil {
		return err
	}
	if s.writer, err = openWriter(path); err != nil {
		return err
	}
	provider, err := migrations(s.writer)
	if err != nil {
		return err
	}
	if s.options.migrate {
		err = s.migrate(ctx, provider)
	} else {
		err = migrate.Check(ctx, provider)
	}
	if err != nil {
		return err
	}
	if s.reader, err = sql.Open("sqlite", dataSource(path, "query_only(1)")); err != nil {
		return err
	}
	s.reader.SetMaxOpenConns(readers)
	s.reader.SetMaxIdleConns(readers)
	return s.prepare(ctx)
}

// migrate brings the schema up to date without flushing every step: a step that a loss of power takes back can be run
// again, and the first commit after them, which is flushed, keeps them all.
func (s *Store) migrate(ctx context.Context, provider *goose.Provider) error {
	if _, err := s.writer.ExecContext(ctx, flushRarely); err != nil {
		return err
	}
	_, err := migrate.Up(ctx, provider)
	_, restored := s.writer.ExecContext(ctx, flushAlways)
	return errors.Join(err, restored)
}

// prepare prepares every statement.
func (s *Store) prepare(ctx context.Context) (err error) {
	writes, reads := slices.Clone(written), slices.Clone(read)
	for _, of := range recordsOf {
		writes, reads = append(writes, of.written()...), append(reads, of.read()...)
	}
	if s.prepared, err = prepare(ctx, s.writer, writes); err != nil {
		return err
	}
	s.queries, err = prepare(ctx, s.reader, reads)
	return err
}

// create makes sure that the file exists and is readable by its owner alone, since it holds the key of attempt tokens,
// and answers its path without symbolic links, so that one file has one lock.
func create(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", err
	}
	if err := file.Close(); err != nil {
		return "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// openWriter opens the one connection that writes.
func openWriter(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dataSource(path))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	return db, nil
}

// dataSource names the file with the settings that each connection must have. FULL flushes the write-ahead log at every
// commit, and fullfsync makes that reach the disk on macOS too.
func dataSource(path string, pragmas ...string) string {
	q := url.Values{"_txlock": {"immediate"}}
	pragmas = append([]string{
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "journal_mode(WAL)", "synchronous(FULL)", "fullfsync(1)",
		"checkpoint_fullfsync(1)",
	}, pragmas...)
	for _, p := range pragmas {
		q.Add("_pragma", p)
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), RawQuery: q.Encode()}).String()
}

func prepare(ctx context.Context, db *sql.DB, statements []string) (map[string]*sql.Stmt, error) {
	prepared := make(map[string]*sql.Stmt, len(statements))
	for _, text := range statements {
		stmt, err := db.PrepareContext(ctx, text)
		if err != nil {
			return nil, fmt.Errorf("prepare %q: %w", text, err)
		}
		prepared[text] = stmt
	}
	return prepared, nil
}

// Close closes the file and lets another process open it.
func (s *Store) Close() error {
	var err error
	for _, db := range []*sql.DB{s.reader, s.writer} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.release())
	}
	return err
}

// Name is "sqlite".
func (s *Store) Name() string { return "sqlite" }

// ClockError is zero: there is one clock.
func (s *Store) ClockError() time.Duration { return 0 }

// Time is the engine's time: the process's clock.
func (s *Store) Time(context.Context) (time.Time, error) { return s.now(), nil }

func (s *Store) now() time.Time {
	return s.options.clock().Add(time.Duration(s.options.offset.Load())).UTC().Truncate(time.Microsecond)
}

// Barrier returns at once: there is one writer, and every transaction reads in its own turn what was committed before.
func (s *Store) Barrier(ctx context.Context) error { return ctx.Err() }

// Settings says what the file's settings make weaker than promised.
func (s *Store) Settings(ctx context.Context) ([]string, error) {
	var sentences []string
	var mode string
	if err := s.queries[showJournalMode].QueryRowContext(ctx).Scan(&mode); err != nil {
		return nil, err
	}
	if mode != "wal" {
		sentences = append(sentences, fmt.Sprintf("The file's journal mode is %q and not WAL, since its file system does not allow it: readers wait for the writer.", mode))
	}
	var synchronous int
	if err := s.queries[showSynchronous].QueryRowContext(ctx).Scan(&synchronous); err != nil {
		return nil, err
	}
	if synchronous < 2 {
		sentences = append(sentences, "SQLite's synchronous setting is below FULL: the last commits can be lost when the machine loses power.")
	}
	return sentences, nil
}

// TokenKey keeps the first key that it is given and answers that one ever after.
func (s *Store) TokenKey(ctx context.Context, fresh []byte) ([]byte, error) {
	if len(fresh) == 0 {
		return nil, errors.New("an empty token key is no key")
	}
	err := s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Stmt(s.prepared[insertKey]).ExecContext(context.WithoutCancel(ctx), "token", fresh, micros(s.now()))
		return err
	})
	if err != nil {
		return nil, err
	}
	var key []byte
	err = s.queries[selectKey].QueryRowContext(ctx, "token").Scan(&key)
	return key, err
}

// micros is how times are kept.
func micros(t time.Time) int64 { return t.UnixMicro() }

// instant is the time that was kept.
func instant(microseconds int64) time.Time { return time.UnixMicro(microseconds).UTC() }
