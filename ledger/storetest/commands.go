package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/registry"
)

// Count is a small command: it raises a fence by one, once for each request id, and answers the number. A retry of the
// same command finds what it did, as the ledger's own commands do.
type Count struct {
	Namespace ledger.Namespace
	Request   string
	Entity    string
	// Decided, where set, is called at each decision.
	Decided func()
}

// Claims are the request id.
func (c *Count) Claims() []ledger.Claim {
	claim := requestClaim(c.Namespace, c.Request)
	claim.AttemptID = "att"
	return []ledger.Claim{claim}
}

// Reads are the scope and, once it is known, what the request earned.
func (c *Count) Reads(*ledger.View) []ledger.Read {
	return []ledger.Read{ledger.ReadScopeOf(group(c.Namespace, c.Entity))}
}

// Decide raises the fence, or answers what it was raised to.
func (c *Count) Decide(v *ledger.View, _ ledger.Env) ledger.Decided {
	if c.Decided != nil {
		c.Decided()
	}
	claim := c.Claims()[0]
	if earned, done := v.Claim(claim.ClaimID); done {
		return ledger.Decided{Reply: earned.Fingerprint}
	}
	scope, number := v.Scope(group(c.Namespace, c.Entity)).Grant()
	claim.Fingerprint = fmt.Sprint(number)
	return ledger.Decided{Reply: claim.Fingerprint, Changes: &ledger.Changes{Scopes: []locks.Scope{scope}, Claims: []ledger.Claim{claim}}}
}

// Total is what an entity's fence was raised to.
func Total(t *testing.T, e ledger.Engine, ns ledger.Namespace, entity string) int64 {
	t.Helper()
	ref := group(ns, entity)
	return view(t, e, ledger.ReadScopeOf(ref)).Scope(ref).Fence
}

func commands(t *testing.T, fresh Make) {
	t.Run("many commands on one row each count once, also when they come twice", func(t *testing.T) {
		b := open(t, fresh)
		engines := b.servers(t, 3)
		const callers = 120
		var ledgers []*transact.Ledger
		for _, e := range engines {
			l := transact.New(e, transact.Options{OnDefect: func(err error) { t.Error(err) }})
			t.Cleanup(l.Close)
			ledgers = append(ledgers, l)
		}
		var mutex sync.Mutex
		replies := map[string]map[string]bool{} // by number: the requests that earned it
		var wait sync.WaitGroup
		for i := range callers {
			for twice := range 2 {
				wait.Go(func() {
					request := fmt.Sprintf("r%d", i)
					reply, err := ledgers[(i+twice)%len(ledgers)].Do(t.Context(), &Count{Namespace: tenant, Request: request, Entity: "1"})
					if err != nil {
						t.Errorf("%s: %v", request, err)
						return
					}
					mutex.Lock()
					defer mutex.Unlock()
					if replies[reply.(string)] == nil {
						replies[reply.(string)] = map[string]bool{}
					}
					replies[reply.(string)][request] = true
				})
			}
		}
		wait.Wait()
		if got := Total(t, b.engine, tenant, "1"); got != callers || len(replies) != callers {
			t.Fatalf("the fence is %d, %d numbers were given, want %d of both", got, len(replies), callers)
		}
		for number, requests := range replies {
			if len(requests) != 1 {
				t.Errorf("number %s was given to %v", number, requests)
			}
		}
	})
	t.Run("the same command twice in one batch counts once", func(t *testing.T) {
		b := open(t, fresh)
		l := transact.New(b.engine, transact.Options{Writers: 1})
		defer l.Close()
		command := &Count{Namespace: tenant, Request: "r1", Entity: "1"}
		for _, out := range l.DoAll(t.Context(), []ledger.Command{command, command, command}) {
			if out.Err != nil || out.Reply != "1" {
				t.Fatalf("%v, %v", out.Reply, out.Err)
			}
		}
		if got := Total(t, b.engine, tenant, "1"); got != 1 {
			t.Fatalf("counted %d times", got)
		}
	})
	t.Run("commands that are handed in at once share one transaction", func(t *testing.T) {
		b := open(t, fresh)
		var batches atomic.Int64
		l := transact.New(b.engine, transact.Options{Writers: 1, OnBatch: func(int, error) { batches.Add(1) }})
		defer l.Close()
		const rounds = 300 // the first command wakes the writer, which is seldom so quick that it misses the second
		for i := range rounds {
			var all []ledger.Command
			for j := range 8 {
				all = append(all, &Count{Namespace: tenant, Request: fmt.Sprintf("r%d-%d", i, j), Entity: fmt.Sprint(j)})
			}
			for _, out := range l.DoAll(t.Context(), all) {
				if out.Err != nil {
					t.Fatal(out.Err)
				}
			}
		}
		if n := batches.Load(); n != rounds {
			t.Fatalf("%d transactions, want %d", n, rounds)
		}
	})
	t.Run("a command that is refused gives its claims back", func(t *testing.T) {
		b := open(t, fresh)
		l := transact.New(b.engine, transact.Options{})
		defer l.Close()
		if _, err := l.Do(t.Context(), refusal{}); !errors.Is(err, errOnPurpose) {
			t.Fatalf("got %v", err)
		}
		if got := claim(t, b.engine, refusal{}.Claims()...); len(got) > 0 {
			t.Fatal("a refused command kept its claim")
		}
	})
}

// refusal is a command that claims and is refused.
type refusal struct{}

func (refusal) Claims() []ledger.Claim           { return []ledger.Claim{keyClaim(tenant, "refused", 1, "op_1")} }
func (refusal) Reads(*ledger.View) []ledger.Read { return nil }
func (refusal) Decide(*ledger.View, ledger.Env) ledger.Decided {
	return ledger.Decided{Err: errOnPurpose}
}

// Proposal is a proposal of one refund, with identifiers of its own.
func Proposal(key string, n int) *ledger.Propose {
	return &ledger.Propose{
		Namespace: tenant, Principal: "agent", RequestID: ledger.RequestID(fmt.Sprintf("request-%s-%d", key, n)), RequestHash: "sha256:" + key,
		Tool: "refund.create", Arguments: []byte(`{"a":1}`), WorkflowID: "wf", RunID: fmt.Sprintf("run-%d", n),
		Terms: ledger.Terms{
			Class: registry.ExternalNonIdempotentWrite, Executor: registry.Inline, PermitDuration: 60e9, PermitGreatest: 600e9, MaxAttempts: 3,
			PendingMaxAge: 3600e9, RetryMaxAge: 3600e9, HumanAfter: 3600e9, Group: "refunds",
		},
		Forms: []ledger.Form{{
			ToolVersion: 1, Key: ledger.IdempotencyKey(key), Canonical: []byte(`{"a":1}`), Fingerprint: "sha256:00", Intent: "refund",
			Entity: locks.Entity{Type: "order", ID: key},
		}},
		NewOperation: ledger.OperationID(fmt.Sprintf("op_%s_%d", key, n)), NewAttempt: ledger.AttemptID(fmt.Sprintf("att_%s_%d", key, n)),
		NewDecision: ledger.DecisionID(fmt.Sprintf("dec_%s_%d", key, n)),
	}
}

func contention(t *testing.T, fresh Make) {
	t.Run("64 proposers of one key get one permit", func(t *testing.T) {
		b := open(t, fresh)
		var permits atomic.Int64
		proposeAll(t, b, 64, func(i int) *ledger.Propose { return Proposal("key", i) }, func(a *ledger.Answer) {
			if a.Permit != nil {
				permits.Add(1)
			}
		})
		if permits.Load() != 1 {
			t.Fatalf("%d permits", permits.Load())
		}
		all := list(t, b.engine, ledger.OperationQuery{Namespace: tenant})
		if len(all) != 1 || len(all[0].Attempts) != 1 {
			t.Fatalf("%d operations, want one with one attempt: %+v", len(all), all)
		}
	})
	t.Run("64 proposers of 64 keys get a permit each", func(t *testing.T) {
		b := open(t, fresh)
		var permits atomic.Int64
		proposeAll(t, b, 64, func(i int) *ledger.Propose { return Proposal(fmt.Sprintf("key-%d", i), i) }, func(a *ledger.Answer) {
			if a.Permit != nil {
				permits.Add(1)
			}
		})
		if permits.Load() != 64 {
			t.Fatalf("%d permits", permits.Load())
		}
		if got := len(list(t, b.engine, ledger.OperationQuery{Namespace: tenant})); got != 64 {
			t.Fatalf("%d operations", got)
		}
	})
}

// proposeAll proposes from many callers at once, half of them gathered into shared transactions and half in transactions
// of their own, over several servers.
func proposeAll(t *testing.T, b *bench, n int, propose func(i int) *ledger.Propose, answered func(*ledger.Answer)) {
	t.Helper()
	engines := b.servers(t, 4)
	var ledgers []*transact.Ledger
	for i, e := range engines {
		options := transact.Options{OnDefect: func(err error) { t.Error(err) }}
		if i%2 == 1 {
			options.MaxBatch, options.Writers = 1, 8
		}
		l := transact.New(e, options)
		t.Cleanup(l.Close)
		ledgers = append(ledgers, l)
	}
	start := signal()
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() {
			<-start
			reply, err := ledgers[i%len(ledgers)].Do(context.WithoutCancel(t.Context()), propose(i))
			if err != nil {
				t.Errorf("proposer %d: %v", i, err)
				return
			}
			answered(reply.(*ledger.Answer))
		})
	}
	close(start)
	wait.Wait()
}
