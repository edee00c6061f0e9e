package litestore_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/migrate"
	"github.com/opledger/opledger/ledger/storetest"
	"github.com/opledger/opledger/ledger/transact"
)

const tenant = ledger.Namespace("tenant")

func open(t *testing.T, path string, options ...litestore.Option) *litestore.Store {
	t.Helper()
	s, err := litestore.Open(t.Context(), path, options...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSecondOpenIsRefusedWithTheReason(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	first := open(t, path)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link} {
		_, err := litestore.Open(t.Context(), name)
		var locked *litestore.LockedError
		if !errors.As(err, &locked) || locked.Process != os.Getpid() {
			t.Errorf("%s: got %v, want to be told of process %d", name, err, os.Getpid())
		}
		if _, err := litestore.Migrate(t.Context(), name); !errors.As(err, &locked) {
			t.Errorf("migrate %s: got %v", name, err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
}

func TestFileIsItsOwnersAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	s := open(t, path)
	defer s.Close()
	create(t, s, "r1") // so that there is a write-ahead log
	for _, suffix := range []string{"", "-wal", ".lock"} {
		info, err := os.Stat(path + suffix)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%q: %v, %v; it holds the key of attempt tokens", suffix, info.Mode(), err)
		}
	}
}

func create(t *testing.T, s *litestore.Store, request string) {
	t.Helper()
	l := transact.New(s, transact.Options{})
	defer l.Close()
	if _, err := l.Do(t.Context(), &storetest.Count{Namespace: tenant, Request: request, Entity: "1"}); err != nil {
		t.Fatal(err)
	}
}

func TestSettingsAreDurable(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "ledger.db"))
	defer s.Close()
	if sentences, err := s.Settings(t.Context()); err != nil || len(sentences) > 0 {
		t.Fatalf("%q, %v", sentences, err)
	}
}

func TestClockIsInjected(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 678912345, time.FixedZone("east", 3600))
	var offset atomic.Int64
	offset.Store(int64(time.Hour))
	s := open(t, filepath.Join(t.TempDir(), "ledger.db"), litestore.WithClock(func() time.Time { return at }), litestore.WithTimeOffset(&offset))
	defer s.Close()
	want := at.Add(time.Hour).UTC().Truncate(time.Microsecond)
	if got, err := s.Time(t.Context()); err != nil || !got.Equal(want) || got.Location() != time.UTC {
		t.Fatalf("%s, %v; want %s", got, err, want)
	}
}

func TestOldSchemaIsRefusedAndBroughtUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	steps, err := litestore.MigrationStatus(t.Context(), path)
	if err != nil || len(steps) == 0 || steps[0].Applied {
		t.Fatalf("the status of a file that does not exist: %+v, %v", steps, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("asking for the status made the file: %v", err)
	}
	if _, err := litestore.Open(t.Context(), path, litestore.WithoutMigration()); !errors.Is(err, migrate.ErrPending) {
		t.Fatalf("an empty file without migration: %v", err)
	}
	applied, err := litestore.Migrate(t.Context(), path)
	if err != nil || len(applied) == 0 {
		t.Fatalf("%d steps, %v", len(applied), err)
	}
	if again, err := litestore.Migrate(t.Context(), path); err != nil || len(again) != 0 {
		t.Fatalf("%d steps the second time, %v", len(again), err)
	}
	status, err := litestore.MigrationStatus(t.Context(), path)
	if err != nil || len(status) != len(applied) {
		t.Fatalf("%d steps, %v", len(status), err)
	}
	for _, s := range status {
		if !s.Applied || s.AppliedAt.IsZero() || s.Name == "" {
			t.Errorf("step %+v", s)
		}
	}
	if err := open(t, path, litestore.WithoutMigration()).Close(); err != nil {
		t.Fatal(err)
	}
}

// envCrash names the file of the process that TestKilledProcessLosesNothing kills.
const envCrash = "OPLEDGER_TEST_CRASH_FILE"

// TestKilledProcessLosesNothing has another process write and be killed in the middle of a transaction. What it had
// answered is there, what it had not finished is not, and the file's lock is free.
func TestKilledProcessLosesNothing(t *testing.T) {
	if path := os.Getenv(envCrash); path != "" {
		crash(t, path)
	}
	path := filepath.Join(t.TempDir(), "ledger.db")
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledProcessLosesNothing$")
	command.Env = append(os.Environ(), envCrash+"="+path)
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Exited() {
		t.Fatalf("the process was not killed: %v\n%s", err, out)
	}
	s := open(t, path)
	defer s.Close()
	if got := storetest.Total(t, s, tenant, "1"); got != 20 {
		t.Fatalf("%d of 20 are there", got)
	}
}

// crash writes and kills its own process within a transaction.
func crash(t *testing.T, path string) {
	s := open(t, path)
	for i := range 20 {
		create(t, s, time.Duration(i).String())
	}
	_ = s.Transact(t.Context(), func(ctx context.Context, tx ledger.Tx) error {
		command := &storetest.Count{Namespace: tenant, Request: "unfinished", Entity: "1"}
		if _, err := transact.Run(ctx, tx, ledger.Env{}, []ledger.Command{command}, nil); err != nil {
			t.Error(err)
		}
		process, err := os.FindProcess(os.Getpid())
		if err != nil {
			t.Error(err)
		}
		if err := process.Kill(); err != nil {
			t.Error(err)
		}
		select {}
	})
}

func TestQueriesGoOnWhileATransactionIsOpen(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "ledger.db"))
	defer s.Close()
	err := s.Transact(t.Context(), func(ctx context.Context, tx ledger.Tx) error {
		if _, err := transact.Run(ctx, tx, ledger.Env{}, []ledger.Command{&storetest.Count{Namespace: tenant, Request: "r", Entity: "1"}}, nil); err != nil {
			return err
		}
		_, err := s.ListOperations(ctx, ledger.OperationQuery{Namespace: tenant})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAWaitingWriterGivesUpWithItsContext(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "ledger.db"))
	defer s.Close()
	err := s.Transact(t.Context(), func(ctx context.Context, _ ledger.Tx) error {
		waiting, cancel := context.WithCancel(ctx)
		cancel()
		err := s.Transact(waiting, func(context.Context, ledger.Tx) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("a second writer: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
