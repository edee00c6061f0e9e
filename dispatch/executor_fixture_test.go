package dispatch

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// call is one operation that the server is to carry out.
type call struct {
	ns       ledger.Namespace
	tool     string
	provider string
	class    registry.Class
	begin    bool
	lookups  []registry.Lookup
	permit   time.Duration
}

// payment is a payment at a provider that takes keys and can be asked by them.
var payment = call{
	ns: tenant, tool: "payment.capture", provider: "pay", class: registry.ExternalIdempotentWrite, permit: permitLasts,
	lookups: []registry.Lookup{{By: registry.ByVendorKey, ReadAfterWrite: true}},
}

// mail is a message that must not go out twice.
var mail = call{ns: tenant, tool: "email.send", provider: "post", class: registry.ExternalNonIdempotentWrite, begin: true, permit: permitLasts}

func (c call) terms() ledger.Terms {
	return ledger.Terms{
		Class: c.class, Executor: registry.ServerHTTP, BeginRequired: c.begin, PermitDuration: c.permit, PermitGreatest: time.Hour, MaxAttempts: 3,
		InitialBackoff: time.Second, MaxBackoff: time.Minute, Multiplier: 2, PendingMaxAge: 24 * time.Hour, RetryMaxAge: 24 * time.Hour,
		HumanAfter: time.Hour, LookupWait: time.Minute, Provider: c.provider, VendorKeyed: c.class == registry.ExternalIdempotentWrite, KeyLength: 64,
		Retention: 48 * time.Hour, MatchedEarly: true, Lookups: c.lookups, Flight: time.Second, StallAllowance: 10 * time.Minute,
		Reconcile: []registry.Strategy{registry.StrategyLookup, registry.StrategyResend, registry.StrategyPerson},
	}
}

// enqueue proposes an operation that the server carries out, and answers its id.
func (w *world) enqueue(t *testing.T, c call, name string) ledger.OperationID {
	t.Helper()
	id := ledger.OperationID(fmt.Sprintf("op_%s_%s", c.ns, name))
	out, err := w.ledger.Do(t.Context(), &ledger.Propose{
		Namespace: c.ns, Principal: "agent", RequestID: ledger.RequestID(id), RequestHash: name, Tool: c.tool, Terms: c.terms(),
		Forms: []ledger.Form{{
			ToolVersion: 1, Key: ledger.IdempotencyKey(c.tool + ":" + name), Canonical: []byte(`{}`), Fingerprint: "sha256:0",
		}},
		Arguments: []byte(`{"ref":"` + name + `"}`), NewOperation: id, NewAttempt: ledger.AttemptID("att_" + id), NewDecision: ledger.DecisionID("dec_" + id),
	})
	if err != nil {
		t.Fatal(err)
	}
	if answer := out.(*ledger.Answer); answer.Permit != nil || answer.Decision != ledger.DecisionEnqueued {
		t.Fatalf("%s was answered %s", name, answer.Decision)
	}
	return id
}

func (w *world) of(t *testing.T, ns ledger.Namespace, id ledger.OperationID) *ledger.Operation {
	t.Helper()
	o, err := w.engine.GetOperation(t.Context(), ns, id)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// tools are the configuration of the tests: every tool's request may take a while and can be asked about by vendor key.
type tools struct{ timeout time.Duration }

func (c tools) Configuration(context.Context, ledger.Namespace, bool) (*Configuration, error) {
	return &Configuration{Tool: func(name string, _ int64) *registry.Definition {
		return &registry.Definition{
			Name: name, Version: 1, Executor: registry.ServerHTTP, Permit: registry.Permit{Duration: permitLasts},
			HTTP: &registry.HTTPAdapter{
				Request: registry.HTTPRequest{Timeout: c.timeout}, Lookups: []registry.HTTPLookup{{By: registry.ByVendorKey}, {By: registry.ByClientReference}},
			},
		}
	}}, nil
}

// vendor is a provider behind an adapter that does as it is told. It counts its effects.
type vendor struct {
	mu      sync.Mutex
	effects map[ledger.OperationID]int
	keys    map[ledger.OperationID]map[string]bool
	left    []time.Duration // what each request might take
	refused []error         // what Ready said no with
	answer  func(context.Context, Effect) ledger.Report
	says    func(Question) ledger.Statement
	asked   int
}

func newVendor() *vendor {
	return &vendor{
		effects: map[ledger.OperationID]int{}, keys: map[ledger.OperationID]map[string]bool{},
		answer: func(_ context.Context, e Effect) ledger.Report {
			return ledger.Report{Outcome: ledger.OutcomeSucceeded, EffectID: "obj_" + string(e.OperationID), SenderReturned: true}
		},
	}
}

// Act has the effect once the permit allows it, and then answers as it is told.
func (v *vendor) Act(ctx context.Context, _ *registry.Definition, e Effect) ledger.Report {
	left, err := e.Ready(ctx)
	v.mu.Lock()
	if err != nil {
		v.refused = append(v.refused, err)
		v.mu.Unlock()
		return ledger.Report{Outcome: ledger.OutcomeNotSent, Category: ledger.CategoryNotSent, Code: "permit", SenderReturned: true}
	}
	v.left = append(v.left, left)
	v.effects[e.OperationID]++
	if v.keys[e.OperationID] == nil {
		v.keys[e.OperationID] = map[string]bool{}
	}
	v.keys[e.OperationID][e.VendorKey] = true
	v.mu.Unlock()
	return v.answer(ctx, e)
}

func (v *vendor) Ask(_ context.Context, _ *registry.Definition, q Question) ledger.Statement {
	v.mu.Lock()
	v.asked++
	v.mu.Unlock()
	s := ledger.Statement{Source: ledger.SourceLookup, Says: ledger.SaysUnknown, By: q.By, AskedValue: q.Value}
	if v.says != nil {
		s = v.says(q)
	}
	return s
}

func (v *vendor) count(id ledger.OperationID) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.effects[id]
}

// exchanges are what an executor told of its requests and its work.
type exchanges struct {
	tally
	requests map[string]int // "dispatch succeeded"
}

func (x *exchanges) Exchange(_, kind, outcome string, _ time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.requests[kind+" "+outcome]++
}

func (x *exchanges) made(what string) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.requests[what]
}

func (w *world) executor(t *testing.T, v *vendor, change func(*ExecutorConfig)) (*Executor, *exchanges) {
	t.Helper()
	told := &exchanges{tally: *newTally(4096), requests: map[string]int{}}
	config := ExecutorConfig{
		Ledger: w.ledger, Claimer: "one", Configurations: tools{30 * time.Second}, Adapter: v, Observer: told,
		Jitter: func() float64 { return 0 }, FirstPoll: time.Millisecond, LongestPoll: 5 * time.Millisecond,
	}
	if change != nil {
		change(&config)
	}
	e, err := NewExecutor(config)
	if err != nil {
		t.Fatal(err)
	}
	return e, told
}

// pass claims once and carries out what it got side by side, and answers how many items that were.
func (e *Executor) pass(t *testing.T) int {
	t.Helper()
	claimed, err := e.claim(t.Context(), 32)
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	for _, item := range claimed {
		running.Go(func() { e.handle(context.WithoutCancel(t.Context()), item) })
	}
	running.Wait()
	return len(claimed)
}
