package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/internal/wirefault"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/retry"
	"github.com/opledger/opledger/ledger/sqlstore"
	"github.com/opledger/opledger/ledger/storetest"
	"github.com/opledger/opledger/ledger/transact"
)

const tenant = ledger.Namespace("tenant")

// faulty is a store behind a proxy that fails on demand.
type faulty struct {
	url     string // of the database itself
	proxy   *wirefault.Proxy
	store   *sqlstore.Store
	ledger  *transact.Ledger
	mutex   sync.Mutex
	reasons []string
}

// behindFaults opens a store behind a proxy, on a database whose schema is there already. Its waits between tries are
// short, and its commands run one in a transaction.
func behindFaults(t *testing.T, options ...sqlstore.Option) *faulty {
	t.Helper()
	f := &faulty{url: pgtest.NewDatabase(t)}
	if _, err := sqlstore.Migrate(t.Context(), f.url); err != nil {
		t.Fatal(err)
	}
	f.proxy = wirefault.Start(t, f.url)
	quick := retry.Policy{Tries: 20, Elapsed: 30 * time.Second, FirstDelay: time.Millisecond, MaxDelay: time.Millisecond}
	options = append([]sqlstore.Option{sqlstore.WithoutMigration(), sqlstore.WithRetries(quick), sqlstore.WithOnRetry(f.retried)}, options...)
	var err error
	if f.store, err = sqlstore.Open(t.Context(), f.proxy.URL(), options...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.store.Close() })
	f.ledger = transact.New(f.store, transact.Options{Writers: 1, OnDefect: func(err error) { t.Error(err) }})
	t.Cleanup(f.ledger.Close)
	return f
}

func (f *faulty) retried(reason string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.reasons = append(f.reasons, reason)
}

// taken answers the reasons since the last call.
func (f *faulty) taken() []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	reasons := f.reasons
	f.reasons = nil
	return reasons
}

// count runs a command that counts once for its request, and expects its number.
func (f *faulty) count(t *testing.T, request, entity, want string) {
	t.Helper()
	reply, err := f.ledger.Do(t.Context(), &storetest.Count{Namespace: tenant, Request: request, Entity: entity})
	if err != nil || reply != want {
		t.Fatalf("%s: %v, %v; want %s", request, reply, err, want)
	}
}

// total reads what was counted past the proxy's rules, by a store of its own.
func (f *faulty) total(t *testing.T, entity string) int64 {
	t.Helper()
	direct, err := sqlstore.Open(t.Context(), f.url, sqlstore.WithoutMigration())
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close()
	return storetest.Total(t, direct, tenant, entity)
}

// TestFaultAtEveryStatement lets each statement of a command's transaction fail in each way, one after the other, COMMIT
// included. Whatever happened, the command has one answer and one effect.
func TestFaultAtEveryStatement(t *testing.T) {
	for name, action := range map[string]wirefault.Action{
		"serialization failure":           wirefault.Fail("40001"),
		"deadlock":                        wirefault.Fail("40P01"),
		"connection cut":                  wirefault.Cut(),
		"connection cut after":            wirefault.CutAfter(),
		"administrator's shutdown":        wirefault.Terminate("57P01"),
		"serialization failure afterward": wirefault.FailAfter("40001"),
		"result is ambiguous, not done":   wirefault.Fail("40003"),
		"result is ambiguous, done":       wirefault.FailAfter("40003"),
	} {
		t.Run(name, func(t *testing.T) {
			f := behindFaults(t)
			statements := 0
			for ; ; statements++ {
				entity := fmt.Sprint("entity-", statements)
				fault := f.proxy.Inject(wirefault.Rule{Match: wirefault.Any(), Skip: statements, Times: 1, Action: action})
				f.count(t, entity, entity, "1")
				fault.Remove()
				hit := fault.Hits() > 0
				if hit != (len(f.taken()) > 0) {
					t.Fatalf("statement %d: hit %t, and the tries do not say so", statements, hit)
				}
				if got := f.total(t, entity); got != 1 {
					t.Fatalf("a fault at statement %d: counted %d times", statements, got)
				}
				if !hit {
					break
				}
			}
			// BEGIN, time, claim, scope made and read, claim and scope saved, COMMIT.
			if statements < 8 {
				t.Fatalf("only %d statements were met", statements)
			}
		})
	}
}

// TestFaultAtEveryStatementOfAProposal does the same with a real proposal and the report of its success. EXECUTE is
// answered once, for a permit that can be read back.
func TestFaultAtEveryStatementOfAProposal(t *testing.T) {
	for name, action := range map[string]wirefault.Action{
		"serialization failure":     wirefault.Fail("40001"),
		"connection cut":            wirefault.Cut(),
		"connection cut after":      wirefault.CutAfter(),
		"result is ambiguous, done": wirefault.FailAfter("40003"),
	} {
		t.Run(name, func(t *testing.T) {
			f := behindFaults(t)
			for statements, hit := 0, true; hit; statements++ {
				fault := f.proxy.Inject(wirefault.Rule{Match: wirefault.Any(), Skip: statements, Times: 1, Action: action})
				p := storetest.Proposal(fmt.Sprint("key-", statements), statements)
				reply, err := f.ledger.Do(t.Context(), p)
				if err != nil {
					t.Fatalf("a fault at statement %d: %v", statements, err)
				}
				permit := reply.(*ledger.Answer).Permit
				if permit == nil {
					t.Fatalf("a fault at statement %d: %+v", statements, reply)
				}
				_, err = f.ledger.Do(t.Context(), &ledger.Report{
					Bearer:   ledger.Bearer{Namespace: p.Namespace, Principal: p.Principal, OperationID: p.NewOperation, AttemptID: permit.Attempt.ID, TokenProven: true},
					ReportID: "ev_1", SenderReturned: true, Outcome: ledger.OutcomeSucceeded,
				})
				if err != nil {
					t.Fatalf("a fault at statement %d: report: %v", statements, err)
				}
				fault.Remove()
				hit = fault.Hits() > 0
				o, err := f.store.GetOperation(t.Context(), p.Namespace, p.NewOperation)
				if err != nil || len(o.Attempts) != 1 || o.Attempts[0].ID != permit.Attempt.ID || o.State != ledger.CompletedSuccess {
					t.Fatalf("a fault at statement %d: %+v, %v", statements, o, err)
				}
				events, err := f.store.ListEvents(t.Context(), p.Namespace, p.NewOperation, 0, 100)
				if err != nil || int64(len(events)) != events[len(events)-1].Sequence {
					t.Fatalf("a fault at statement %d: events %+v, %v", statements, events, err)
				}
			}
		})
	}
}

// TestTransactionThatTakesTooLongIsTriedAgain lets the first try outlive its limit. Nothing of it may be kept.
func TestTransactionThatTakesTooLongIsTriedAgain(t *testing.T) {
	f := behindFaults(t, sqlstore.WithTransactionLimit(500*time.Millisecond))
	tries := 0
	err := f.store.Transact(t.Context(), func(ctx context.Context, tx ledger.Tx) error {
		tries++
		if _, err := transact.Run(ctx, tx, ledger.Env{}, []ledger.Command{&storetest.Count{Namespace: tenant, Request: "r1", Entity: "1"}}, nil); err != nil {
			return err
		}
		if tries == 1 {
			<-ctx.Done()
		}
		return nil
	})
	if reasons := f.taken(); err != nil || !slices.Equal(reasons, []string{"too_long"}) {
		t.Fatalf("%v, tried again for %v", err, reasons)
	}
	if got := f.total(t, "1"); got != 1 {
		t.Fatalf("counted %d times", got)
	}
}

// TestCommitAppliedAfterTheRetryBegan holds a COMMIT back until the retry waits for it. The retry must then see what it
// did and must not do it again.
func TestCommitAppliedAfterTheRetryBegan(t *testing.T) {
	f := behindFaults(t)
	release := make(chan struct{})
	fault := f.proxy.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: wirefault.CutThenForward(release)})
	go func() {
		defer close(release)
		<-fault.Reached()
		waitUntilBlocked(t, f.url)
	}()
	f.count(t, "r1", "1", "1")
	<-fault.Finished()
	if got := f.total(t, "1"); got != 1 {
		t.Fatalf("counted %d times", got)
	}
	if reasons := f.taken(); !slices.Contains(reasons, "commit_unknown") {
		t.Fatalf("tried again for %v", reasons)
	}
}

// waitUntilBlocked returns when a statement waits for another transaction to end.
func waitUntilBlocked(t *testing.T, url string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close(ctx)
	for blocked := false; !blocked; {
		if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)`).Scan(&blocked); err != nil {
			t.Errorf("nothing came to wait: %v", err)
			return
		}
	}
}

// TestCommitThatStaysUnknown cuts every commit's answer. The caller is told that nothing is known, and what happened
// happened once.
func TestCommitThatStaysUnknown(t *testing.T) {
	f := behindFaults(t, sqlstore.WithRetries(retry.Policy{Tries: 3, Elapsed: time.Minute, FirstDelay: time.Millisecond, MaxDelay: time.Millisecond}))
	fault := f.proxy.Inject(wirefault.Rule{Match: wirefault.Commit(), Action: wirefault.CutAfter()})
	_, err := f.ledger.Do(t.Context(), &storetest.Count{Namespace: tenant, Request: "r1", Entity: "1"})
	if !errors.Is(err, ledger.ErrUnknownCommit) {
		t.Fatalf("got %v", err)
	}
	fault.Remove()
	f.count(t, "r1", "1", "1")
	if got := f.total(t, "1"); got != 1 {
		t.Fatalf("counted %d times", got)
	}
}

// TestToolIsAppliedOnceWhateverBecameOfItsCommit loses the answer to the commit of a new version and of a switch. The next
// try finds what the first one did and says so: a conflict would tell an operator that somebody else had been there.
func TestToolIsAppliedOnceWhateverBecameOfItsCommit(t *testing.T) {
	for name, action := range map[string]wirefault.Action{
		"done, and the connection cut": wirefault.CutAfter(),
		"done, and said to be unclear": wirefault.FailAfter("40003"),
		"the connection cut before":    wirefault.Cut(),
	} {
		t.Run(name, func(t *testing.T) {
			f := behindFaults(t)
			first := storetest.Version("refund", 1, "sha256:one")
			off := &ledger.SwitchTool{Namespace: first.Namespace, Name: "refund", Disabled: true, Reason: "incident 7"}
			for i, step := range []struct {
				command ledger.Command
				want    ledger.ToolHead
			}{
				{first, ledger.ToolHead{Namespace: first.Namespace, Name: "refund", Version: 1, Digest: "sha256:one"}},
				{off, ledger.ToolHead{Namespace: first.Namespace, Name: "refund", Version: 1, Digest: "sha256:one", Disabled: true, Reason: "incident 7"}},
			} {
				fault := f.proxy.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: action})
				reply, err := f.ledger.Do(t.Context(), step.command)
				fault.Remove()
				if applied, ok := reply.(*ledger.Applied); err != nil || !ok || applied.Head != step.want {
					t.Fatalf("step %d: %+v, %v", i, reply, err)
				}
				if fault.Hits() != 1 || len(f.taken()) == 0 {
					t.Fatalf("step %d: the fault was hit %d times", i, fault.Hits())
				}
				set, err := f.store.Tools(t.Context(), first.Namespace)
				if err != nil || set.Epoch != int64(i+1) || len(set.Versions) != 1 || set.Heads[0] != step.want {
					t.Fatalf("step %d: kept %+v, %v", i, set, err)
				}
			}
		})
	}
}

// TestConformanceBehindPooler runs the suite, migrations included, through a pooler that gives each transaction another
// server connection.
func TestConformanceBehindPooler(t *testing.T) {
	url := pgtest.NewDatabase(t)
	storetest.Run(t, func(t *testing.T) storetest.Database {
		pooler := wirefault.Start(t, emptied(t, url), wirefault.Pooled(20))
		return database{url: pooler.URL(), options: []sqlstore.Option{sqlstore.WithExecMode(pgx.QueryExecModeCacheDescribe)}}
	})
}

// TestSeveralOpenAnEmptyDatabaseAtOnce starts several servers on a database that none has seen.
func TestSeveralOpenAnEmptyDatabaseAtOnce(t *testing.T) {
	url := pgtest.NewDatabase(t)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			s, err := sqlstore.Open(t.Context(), url)
			if err != nil {
				t.Error(err)
				return
			}
			_ = s.Close()
		})
	}
	wait.Wait()
	steps, err := sqlstore.MigrationStatus(t.Context(), url)
	if err != nil || len(steps) == 0 {
		t.Fatalf("%d steps, %v", len(steps), err)
	}
	for _, s := range steps {
		if !s.Applied {
			t.Errorf("step %s is not applied", s.Name)
		}
	}
}

// TestCrashOfTheDatabase kills the database, asks for something while it is gone, and starts it again.
func TestCrashOfTheDatabase(t *testing.T) {
	server := pgtest.Start(t)
	s, err := sqlstore.Open(t.Context(), server.NewDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := transact.New(s, transact.Options{})
	defer l.Close()
	do := func(request string) (any, error) {
		return l.Do(t.Context(), &storetest.Count{Namespace: tenant, Request: request, Entity: "1"})
	}
	if reply, err := do("r1"); err != nil || reply != "1" {
		t.Fatalf("%v, %v", reply, err)
	}
	server.Kill(t)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		if reply, err := do("r2"); err != nil || reply != "2" {
			t.Errorf("asked while the database was gone: %v, %v", reply, err)
		}
	}()
	server.Restart(t)
	<-asked
	if reply, err := do("r1"); err != nil || reply != "1" {
		t.Fatalf("after the crash: %v, %v", reply, err)
	}
	if got := storetest.Total(t, s, tenant, "1"); got != 2 {
		t.Fatalf("counted %d times", got)
	}
}

func TestSettingsAreTold(t *testing.T) {
	server := pgtest.Start(t, pgtest.Setting("fsync", "off"), pgtest.Setting("max_pred_locks_per_transaction", "64"))
	s, err := sqlstore.Open(t.Context(), server.NewDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sentences, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	told := strings.Join(sentences, "\n")
	for _, name := range []string{"fsync", "max_pred_locks_per_transaction"} {
		if !strings.Contains(told, name) {
			t.Errorf("nothing is said of %s in %q", name, told)
		}
	}
	if strings.Contains(told, "pooler") {
		t.Errorf("a pooler is seen where there is none: %q", told)
	}
}

func TestOldSchemaIsRefused(t *testing.T) {
	if _, err := sqlstore.Open(t.Context(), pgtest.NewDatabase(t), sqlstore.WithoutMigration()); err == nil {
		t.Fatal("an empty database was opened without migration")
	}
}
