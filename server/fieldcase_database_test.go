package server_test

import (
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/internal/wirefault"
	"github.com/opledger/opledger/ledger/retry"
	"github.com/opledger/opledger/ledger/sqlstore"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// databaseCases: what databases and what stands before them do. Leases come with a later release.
var databaseCases = []fieldCase{
	{"FC-505", lockOfTheSessionBehindAPooler},
	{"FC-506", resultIsAmbiguous},
	{"FC-507", retryFightsItsOwnWrite},
	{"FC-508", commitIsRepeatedRoundNothing},
}

// lockOfTheSessionBehindAPooler runs migrations and the whole flow through a pooler that gives each transaction another
// session, and cuts every connection in the middle. (SQLite has no sessions; the flow runs there as it is.)
func lockOfTheSessionBehindAPooler(t *testing.T, w *servertest.World) {
	cut := func() {}
	if w.URL != "" {
		pooler := wirefault.Start(t, pgtest.NewDatabase(t), wirefault.Pooled(8))
		w = servertest.PostgreSQLAt(t, pooler.URL(), sqlstore.WithExecMode(pgx.QueryExecModeCacheDescribe))
		cut = pooler.CutAll
	}
	c := serve(w)
	flow{w: w, c: c}.run(t, "r0", "", nil)
	for _, step := range flowSteps {
		flow{w: w, c: c}.run(t, "cut before "+step, step, func() { cut() })
	}
	var wait sync.WaitGroup
	var executed sync.Map
	for i := range 16 {
		wait.Go(func() {
			if m := c.Propose("payment.capture", capture); m.Permit != nil {
				executed.Store(i, true)
			}
		})
	}
	wait.Wait()
	permits := 0
	executed.Range(func(any, any) bool { permits++; return true })
	if permits != 1 {
		t.Fatalf("%d permits were given", permits)
	}
}

// faults are ways in which a commit can end badly: with the transaction applied or not, told or not.
var faults = map[string]wirefault.Action{
	"cut before the commit":              wirefault.Cut(),
	"cut after the commit":               wirefault.CutAfter(),
	"serialization failure at commit":    wirefault.Fail("40001"),
	"result is ambiguous, not done":      wirefault.Fail("40003"),
	"result is ambiguous, done":          wirefault.FailAfter("40003"),
	"the backend is ended before commit": wirefault.Terminate("57P01"),
}

// resultIsAmbiguous lets the commit of each command end badly in each way. The caller gets the answer of an undisturbed
// run, and everything is in the record once.
func resultIsAmbiguous(t *testing.T, w *servertest.World) {
	t.Run("an applied commit is not told", func(t *testing.T) {
		engine := servertest.Forgetful(w, func() {})
		c := serve(w)
		for _, step := range flowSteps {
			flow{w: w, c: c}.run(t, "forgotten "+step, step, engine.ForgetOnce)
			if !engine.Forgot() {
				t.Fatalf("no commit of %s was forgotten", step)
			}
		}
	})
	if w.URL == "" {
		return // the wire's own faults are a network database's
	}
	for name, action := range faults {
		t.Run(name, func(t *testing.T) {
			proxy, behind := behindFaults(t, w.URL, nil)
			c := behind.Serve()
			c.Operations() // the connections and the tools are there
			c.Propose("order.get", `{"order_id":"warm `+name+`"}`)
			for _, step := range flowSteps {
				var fault *wirefault.Injection
				flow{w: behind, c: c}.run(t, name+" "+step, step, func() {
					fault = proxy.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: action})
				})
				if fault.Hits() != 1 {
					t.Fatalf("the fault met %d commits of %s", fault.Hits(), step)
				}
				fault.Remove()
			}
		})
	}
	t.Run("40001 at a statement", func(t *testing.T) {
		proxy, behind := behindFaults(t, w.URL, nil)
		c := behind.Serve()
		c.Propose("order.get", `{"order_id":"warm statement"}`)
		for _, step := range flowSteps {
			var fault *wirefault.Injection
			flow{w: behind, c: c}.run(t, "statement "+step, step, func() {
				fault = proxy.Inject(wirefault.Rule{Match: wirefault.Matching(`(?i)^\s*(insert|update|with)`), Times: 1, Action: wirefault.Fail("40001")})
			})
			if fault.Hits() != 1 {
				t.Fatalf("the fault met %d statements of %s", fault.Hits(), step)
			}
			fault.Remove()
		}
	})
}

// retryFightsItsOwnWrite: the grant is committed, its answer lost, and the retry comes two seconds later, when it would
// compute another deadline.
func retryFightsItsOwnWrite(t *testing.T, w *servertest.World) {
	const late = 2 * time.Second
	check := func(t *testing.T, c *servertest.Client, lose func(), ref string) {
		arguments := `{"template":"receipt","ref":"` + ref + `","to":["kim@example.com"]}`
		lose()
		m := c.Propose("email.send", arguments)
		decided(t, m, pb.Decision_DECISION_EXECUTE)
		o := c.Operation(m.Permit.OperationId)
		attempts(t, o, 1)
		a := o.Attempts[0]
		if a.AttemptId != m.Permit.AttemptId || !a.DeadlineTime.AsTime().Equal(a.GrantTime.AsTime().Add(time.Minute)) {
			t.Fatalf("the answer is what was written: %v, %v", m.Permit, a)
		}
		if r := m.Permit.Remaining.AsDuration(); r > time.Minute-late {
			t.Fatalf("the retry came %v later and answers with %v", late, r)
		}
		c.Begin(m.Permit) // the token is that of the record
		gapless(t, c.Events(o.OperationId))
	}
	engine := servertest.Forgetful(w, func() { w.Pass(late) })
	check(t, serve(w), engine.ForgetOnce, "forgotten")
	if w.URL == "" {
		return
	}
	for name, action := range map[string]wirefault.Action{"cut": wirefault.CutAfter(), "told": wirefault.FailAfter("40003")} {
		var behind *servertest.World
		proxy, behind := behindFaults(t, w.URL, func() { behind.Pass(late) })
		c := behind.Serve()
		c.Propose("order.get", `{"order_id":"warm `+name+`"}`)
		check(t, c, func() {
			proxy.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: action})
		}, name)
	}
}

// commitIsRepeatedRoundNothing: whatever happens to the connection between the last statement and the commit, EXECUTE is
// answered only where the permit can be read back by somebody else.
func commitIsRepeatedRoundNothing(t *testing.T, w *servertest.World) {
	direct := serve(w)
	readBack := func(m *pb.ProposeOperationResponse) {
		decided(t, m, pb.Decision_DECISION_EXECUTE)
		o := direct.Operation(m.Permit.OperationId)
		if h := o.PermitHolder; h.GetAttemptId() != m.Permit.AttemptId {
			t.Fatalf("a permit without a row: %v, %v", m.Permit, o)
		}
		direct.Begin(m.Permit)
		gapless(t, direct.Events(o.OperationId))
	}
	if w.URL == "" {
		m := direct.Propose("email.send", mail)
		w.Restart() // from the file alone
		direct = w.Serve()
		readBack(m)
		return
	}
	for name, action := range map[string]wirefault.Action{"cut": wirefault.Cut(), "ended": wirefault.Terminate("57P01")} {
		proxy, behind := behindFaults(t, w.URL, nil)
		c := behind.Serve()
		c.Propose("order.get", `{"order_id":"warm `+name+`"}`)
		for _, times := range []int{1, 3} { // the connection of the retry is lost as well
			fault := proxy.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: times, Action: action})
			readBack(c.Propose("email.send", `{"template":"receipt","ref":"`+name+string(rune('0'+times))+`","to":["kim@example.com"]}`))
			if fault.Hits() != times {
				t.Fatalf("%s: the fault met %d commits", name, fault.Hits())
			}
			fault.Remove()
		}
		proxy.CutAll() // and every idle one
		readBack(c.Propose("email.send", `{"template":"receipt","ref":"`+name+`","to":["kim@example.com"]}`))
	}
}

// behindFaults opens the database once more, by way of a proxy that fails on demand. Its waits between tries are short.
func behindFaults(t *testing.T, url string, onRetry func()) (*wirefault.Proxy, *servertest.World) {
	t.Helper()
	proxy := wirefault.Start(t, url)
	quick := retry.Policy{Tries: 20, Elapsed: 30 * time.Second, FirstDelay: time.Millisecond, MaxDelay: time.Millisecond}
	if onRetry != nil {
		quick.OnRetry = func(string) { onRetry() }
	}
	return proxy, servertest.PostgreSQLAt(t, proxy.URL(), sqlstore.WithoutMigration(), sqlstore.WithRetries(quick))
}
