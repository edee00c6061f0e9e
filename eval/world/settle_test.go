package world_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"

	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

const served = `
name: letter.post
class: EXTERNAL_NON_IDEMPOTENT_WRITE
executor: SERVER_HTTP
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "letter:{ref}", occurrence: NOBODY}
provider: {name: post}
http: {allowed_hosts: [post.example], request: {method: POST, url: "https://post.example/letters"}}
`

// hand carries out by a function, which says for which operation it was called.
type hand struct {
	mu    sync.Mutex
	acted []ledger.OperationID
	act   func(ctx context.Context, e dispatch.Effect) ledger.Report
}

func (h *hand) Act(ctx context.Context, _ *registry.Definition, e dispatch.Effect) ledger.Report {
	h.mu.Lock()
	h.acted = append(h.acted, e.OperationID)
	h.mu.Unlock()
	if _, err := e.Ready(ctx); err != nil {
		return ledger.Report{Outcome: ledger.OutcomeNotSent, Category: ledger.CategoryNotSent, SenderReturned: true}
	}
	return h.act(ctx, e)
}

func (h *hand) Ask(context.Context, *registry.Definition, dispatch.Question) ledger.Statement {
	return ledger.Statement{Source: ledger.SourceLookup, Says: ledger.SaysUnknown}
}

func done(context.Context, dispatch.Effect) ledger.Report {
	return ledger.Report{Outcome: ledger.OutcomeSucceeded, SenderReturned: true}
}

// ledgerOf is a caller's side of a world with the tool in it.
type ledgerOf struct {
	t    *testing.T
	conn pb.OperationServiceClient
}

func enter(t *testing.T, w *world.World) ledgerOf {
	t.Helper()
	conn, err := w.Conn()
	if err != nil {
		t.Fatal(err)
	}
	sources, problems := toolfile.Parse("served.yaml", []byte(served))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	req := &pb.ApplyToolRequest{RequestId: "0b6f1d4e-4c2b-4a27-9a36-1d6a7c6a0000", Definition: sources[0].Proto}
	if _, err := pb.NewRegistryServiceClient(conn).ApplyTool(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	return ledgerOf{t, pb.NewOperationServiceClient(conn)}
}

func (l ledgerOf) propose(n int) string {
	l.t.Helper()
	m, err := l.conn.ProposeOperation(l.t.Context(), &pb.ProposeOperationRequest{
		RequestId: fmt.Sprintf("0b6f1d4e-4c2b-4a27-9a36-1d6a7c6a%04d", n+1), Tool: "letter.post", WorkflowId: "wf_1", RunId: "run_1",
		Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: fmt.Sprintf(`{"ref":"r_%d"}`, n)},
	})
	if err != nil || m.Decision != pb.Decision_DECISION_ENQUEUED {
		l.t.Fatalf("%v, %v", m.GetDecision(), err)
	}
	return m.Result.OperationId
}

func (l ledgerOf) state(id string) pb.Operation_State {
	l.t.Helper()
	m, err := l.conn.GetOperation(l.t.Context(), &pb.GetOperationRequest{OperationId: id})
	if err != nil {
		l.t.Fatal(err)
	}
	return m.Operation.State
}

// TestAServerThatDiesReportsNothing: what it had begun stays as it is, and another server is there behind it.
func TestAServerThatDiesReportsNothing(t *testing.T) {
	on(t, func(t *testing.T, o world.Options) {
		h := &hand{act: func(context.Context, dispatch.Effect) ledger.Report { world.Die(); panic("it lives") }}
		o.Adapter = h
		w := open(t, o)
		l := enter(t, w)
		id := l.propose(1)
		before := w.Engine()
		if err := w.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := l.state(id); s != pb.Operation_STATE_DISPATCHED || len(h.acted) != 1 || w.Engine() == before {
			t.Fatalf("%s after %d attempts; a new server: %t", s, len(h.acted), w.Engine() != before)
		}
		h.act = done
		again := l.propose(2)
		if err := w.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := l.state(again); s != pb.Operation_STATE_COMPLETED_SUCCESS {
			t.Fatalf("the next one is %s", s)
		}
	})
}

// TestOthersGoOnBesideOneThatStandsStill: they do what is due, and not what it is at.
func TestOthersGoOnBesideOneThatStandsStill(t *testing.T) {
	on(t, func(t *testing.T, o world.Options) {
		var w *world.World
		var l ledgerOf
		var second string
		h := &hand{}
		h.act = func(ctx context.Context, e dispatch.Effect) ledger.Report {
			h.act = done
			second = l.propose(2)
			if err := w.SettleBeside(ctx); err != nil {
				t.Error(err)
			}
			if s := l.state(second); s != pb.Operation_STATE_COMPLETED_SUCCESS {
				t.Errorf("the other operation is %s meanwhile", s)
			}
			return done(ctx, e)
		}
		o.Adapter = h
		w = open(t, o)
		l = enter(t, w)
		if _, err := w.Twin(t.Context()); err != nil {
			t.Fatal(err)
		}
		first := l.propose(1)
		if err := w.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := l.state(first); s != pb.Operation_STATE_COMPLETED_SUCCESS || len(h.acted) != 2 {
			t.Fatalf("%s after %d attempts in all", s, len(h.acted))
		}
	})
}

// TestServersAtOnce: each operation has one attempt, whichever server makes it.
func TestServersAtOnce(t *testing.T) {
	on(t, func(t *testing.T, o world.Options) {
		h := &hand{act: done}
		o.Adapter = h
		w := open(t, o)
		l := enter(t, w)
		for range 2 {
			if _, err := w.Twin(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var ids []string
		for n := range 12 {
			ids = append(ids, l.propose(n))
		}
		if err := w.SettleEach(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if s := l.state(id); s != pb.Operation_STATE_COMPLETED_SUCCESS {
				t.Errorf("%s is %s", id, s)
			}
		}
		if len(h.acted) != len(ids) {
			t.Errorf("%d attempts of %d operations", len(h.acted), len(ids))
		}
	})
}
