package server_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// twoServers are two servers on one database: on PostgreSQL as two processes are, with connections of their own; on
// SQLite, which has one process a file, two server objects on one store.
func twoServers(t *testing.T, w *servertest.World) (a, b *servertest.Client) {
	t.Helper()
	a = serve(w)
	if w.URL == "" {
		return a, w.Serve()
	}
	return a, w.Beside().Serve()
}

// TestWaitOnAnotherServer: who waits at one server is answered by what another one does.
func TestWaitOnAnotherServer(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		p := a.Execute("payment.capture", capture)

		watch, err := b.WatchOperation(t.Context(), &pb.WatchOperationRequest{OperationId: p.OperationId})
		if err != nil {
			t.Fatal(err)
		}
		first, err := watch.Recv()
		if err != nil {
			t.Fatal(err)
		}
		inState(t, first.Operation, pb.Operation_STATE_DISPATCHED)

		// Both who proposes and who reads wait; they have begun to when the watch has its first state and they are called.
		var waiting sync.WaitGroup
		long := durationpb.New(30 * time.Second)
		waiting.Go(func() {
			m, err := b.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", capture, func(r *pb.ProposeOperationRequest) { r.Wait = long }))
			if err != nil || m.Decision != pb.Decision_DECISION_REPLAYED || m.Permit != nil || m.Result.ResultJson != `{"id":"ch_1"}` {
				t.Errorf("the waiting proposal is answered %v, %v", m, err)
			}
		})
		waiting.Go(func() {
			m, err := b.GetOperation(t.Context(), &pb.GetOperationRequest{OperationId: p.OperationId, Wait: long})
			if err != nil || m.Operation.State != pb.Operation_STATE_COMPLETED_SUCCESS {
				t.Errorf("the waiting reader is answered %v, %v", m, err)
			}
		})
		a.Extend(p, 2*time.Minute)
		second, err := watch.Recv()
		if err != nil || second.Operation.Version != first.Operation.Version+1 {
			t.Fatalf("each newer version is seen: %v, %v", second, err)
		}
		a.Reported(p, servertest.Succeeded("ch_1", `{"id":"ch_1"}`))
		last := waitForState(t, b, p.OperationId, pb.Operation_STATE_COMPLETED_SUCCESS)
		if last.Version <= second.Operation.Version {
			t.Fatalf("versions fell to %d", last.Version)
		}
		waiting.Wait()
	})
}

// upgraded is the capture tool's next version, whose key is another one.
func upgraded(t *testing.T, version int32, change *pb.IdentityChange) *pb.ToolDefinition {
	d := fieldTool(t, "payment.capture")
	d.Identity.KeyTemplate = "charge:{order_id}:{amount}:{currency}"
	d.Identity.KeyVersion, d.Identity.Change = &version, change
	return d
}

var (
	continues = &pb.IdentityChange{Relation: &pb.IdentityChange_Continues{Continues: &pb.IdentityContinues{}}}
	separate  = &pb.IdentityChange{Relation: &pb.IdentityChange_Separate{Separate: &pb.IdentitySeparate{Reason: "another business meaning"}}}
)

// TestToolUpgradedBetweenCallAndRetry: one server still knows the tool's old version when the other has the new one.
func TestToolUpgradedBetweenCallAndRetry(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		b.Propose("order.get", `{"order_id":"warm"}`) // b knows the tools of before
		first := a.Propose("payment.capture", capture)
		decided(t, first, pb.Decision_DECISION_EXECUTE)

		_, err := a.TryApply(upgraded(t, 2, nil))
		refused(t, err, codes.InvalidArgument, "IDENTITY_CHANGE_UNSTATED")
		if tool := a.ApplyDefinition(upgraded(t, 2, continues)); tool.Version != 2 || len(tool.ContinuesVersions) != 1 {
			t.Fatalf("applied as %v", tool)
		}
		for name, c := range map[string]*servertest.Client{"new": a, "old": b} {
			again := c.Propose("payment.capture", capture)
			if again.Decision != pb.Decision_DECISION_IN_FLIGHT || again.Result.OperationId != first.Result.OperationId {
				t.Fatalf("the %s server answers %v", name, again)
			}
		}
		// New ones that both propose at once meet as well.
		for _, o := range a.Operations() {
			if o.OperationId == first.Result.OperationId && o.ToolVersion != 1 {
				t.Fatalf("an operation keeps the version that made it: %v", o)
			}
		}
		oneExecutes(t, "payment.capture", `{"order_id":"order_9","amount":"1.00","currency":"USD"}`, a, b)

		// Separate is another business meaning: two on purpose.
		d := upgraded(t, 3, separate)
		d.Identity.KeyTemplate = "settle:{order_id}:{amount}:{currency}"
		a.ApplyDefinition(d)
		other := b.Propose("payment.capture", capture)
		decided(t, other, pb.Decision_DECISION_EXECUTE)
		otherOperation(t, first.Result.OperationId, other.Result.OperationId)
		decided(t, a.Propose("payment.capture", capture), pb.Decision_DECISION_IN_FLIGHT)
	})
}

// oneExecutes proposes the same at several servers at once and expects one permit.
func oneExecutes(t *testing.T, tool, arguments string, servers ...*servertest.Client) {
	t.Helper()
	var wait sync.WaitGroup
	var executed, others atomic.Int64
	for i := range 16 {
		wait.Go(func() {
			m, err := servers[i%len(servers)].ProposeOperation(t.Context(), servertest.Proposal(tool, arguments))
			switch {
			case err != nil:
				t.Error(err)
			case m.Permit != nil:
				executed.Add(1)
			case m.Decision == pb.Decision_DECISION_IN_FLIGHT:
				others.Add(1)
			}
		})
	}
	wait.Wait()
	if executed.Load() != 1 || others.Load() != 15 {
		t.Fatalf("%d permits and %d IN_FLIGHT", executed.Load(), others.Load())
	}
}

// TestVersionsMeetOnOneRow: while the tool is upgraded, both servers propose one new operation again and again, each by
// the version that it knows. Every operation is one.
func TestVersionsMeetOnOneRow(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		b.Propose("order.get", `{"order_id":"warm"}`)
		ctx, stop := context.WithCancel(t.Context())
		var wait sync.WaitGroup
		var made sync.Map // arguments -> operation
		for i := range 4 {
			c := []*servertest.Client{a, b}[i%2]
			wait.Go(func() {
				for n := 0; ctx.Err() == nil && n < 2000; n++ {
					arguments := `{"order_id":"o` + string(rune('a'+n%26)) + `","amount":"1.00","currency":"USD"}`
					m, err := c.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", arguments))
					if err != nil {
						t.Error(err)
						return
					}
					if known, _ := made.LoadOrStore(arguments, m.Result.OperationId); known != m.Result.OperationId {
						t.Errorf("%s is %s and %s", arguments, known, m.Result.OperationId)
					}
				}
			})
		}
		for version := range 3 {
			d := upgraded(t, int32(version)+2, continues)
			d.Identity.KeyTemplate = "charge" + string(rune('1'+version)) + ":{order_id}:{amount}:{currency}"
			a.ApplyDefinition(d)
		}
		stop()
		wait.Wait()
	})
}

// TestDisableToolHoldsEverywhere: when the switch has returned, no server gives a permit and none takes a begin.
func TestDisableToolHoldsEverywhere(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		arguments := func(ref string) string { return `{"template":"t","ref":"` + ref + `","to":["kim@example.com"]}` }
		held := b.Propose("email.send", arguments("held"))
		begun := b.Execute("email.send", arguments("begun"))
		retryable := b.Execute("email.send", arguments("retry"))
		b.Reported(retryable, servertest.NotSent())
		w.Pass(2 * time.Second)

		// Proposals keep coming at both servers while the switch is turned; those that began after it returned get nothing.
		var off atomic.Bool
		ctx, stop := context.WithCancel(t.Context())
		var wait sync.WaitGroup
		for i := range 4 {
			c := []*servertest.Client{a, b}[i%2]
			wait.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					after := off.Load()
					m, err := c.ProposeOperation(t.Context(), servertest.Proposal("email.send", arguments(uuid.NewString())))
					if err != nil {
						t.Error(err)
						return
					}
					if after {
						// So many are denied in one minute that who asks on is slowed.
						if rule := m.DecidedBy.GetRuleId(); m.Permit != nil || rule != "tool_disabled" && rule != "denial_loop" {
							t.Errorf("after the switch: %v", m)
						}
						if n > 5 {
							return
						}
					}
				}
			})
		}
		m, err := a.DisableTool(t.Context(), &pb.DisableToolRequest{RequestId: uuid.NewString(), Tool: "email.send", Reason: "it sends twice"})
		if err != nil {
			t.Fatal(err)
		}
		off.Store(true)
		if m.Tool.Disabled.GetReason() != "it sends twice" {
			t.Fatalf("the switch is shown: %v", m.Tool)
		}
		wait.Wait()
		stop()
		for _, c := range []*servertest.Client{a, b} {
			_, err := c.BeginAttempt(t.Context(), servertest.BeginRequest(held.Permit, servertest.Nonce))
			refused(t, err, codes.FailedPrecondition, "TOOL_DISABLED")
			_, err = c.ExtendAttempt(t.Context(), servertest.ExtendRequest(begun, time.Minute))
			refused(t, err, codes.FailedPrecondition, "TOOL_DISABLED")
			denied := c.Propose("email.send", arguments("retry"))
			decided(t, denied, pb.Decision_DECISION_DENIED) // of an operation that is recorded nothing is counted
			says(t, denied.DecidedBy.GetExplanation(), "it sends twice")
		}
		// What was begun ends as it does, and what is recorded is answered.
		inState(t, b.Reported(begun, servertest.Succeeded("msg_1", `{}`)).Operation, pb.Operation_STATE_COMPLETED_SUCCESS)
		decided(t, b.Propose("email.send", arguments("begun")), pb.Decision_DECISION_REPLAYED)

		if _, err := b.DisableTool(t.Context(), &pb.DisableToolRequest{RequestId: uuid.NewString(), Tool: "email.send", EnableAgain: true, Reason: "mended"}); err != nil {
			t.Fatal(err)
		}
		decided(t, a.Propose("email.send", arguments("retry")), pb.Decision_DECISION_EXECUTE)
	})
}

// TestEpochMoves: a server whose configuration is behind decides anew, with the same identifiers, and makes nothing twice.
func TestEpochMoves(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		b.Propose("order.get", `{"order_id":"warm"}`)
		for version := int32(2); version < 5; version++ {
			d := fieldTool(t, "payment.capture")
			d.Description = "version " + string(rune('0'+version))
			a.ApplyDefinition(d)
			arguments := `{"order_id":"o` + string(rune('0'+version)) + `","amount":"1.00","currency":"USD"}`
			m := b.Propose("payment.capture", arguments)
			decided(t, m, pb.Decision_DECISION_EXECUTE)
			if m.Permit.ToolVersion != version {
				t.Fatalf("the permit is version %d's, want %d's", m.Permit.ToolVersion, version)
			}
			batch, err := b.BatchPropose(t.Context(), &pb.BatchProposeRequest{Requests: []*pb.ProposeOperationRequest{servertest.Proposal("payment.capture", arguments)}})
			if err != nil || batch.Items[0].GetResponse().GetDecision() != pb.Decision_DECISION_IN_FLIGHT {
				t.Fatalf("%v, %v", batch, err)
			}
		}
		// A tool that b has never heard of.
		d := fieldTool(t, "record.write")
		d.Name = "record.new"
		a.ApplyDefinition(d)
		decided(t, b.Propose("record.new", `{}`), pb.Decision_DECISION_EXECUTE)
		// A schema that takes more by now.
		d = fieldTool(t, "order.get")
		d.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","properties":{"number":{"type":"string"},"order_id":{"type":"string"}}}`}
		a.ApplyDefinition(d)
		decided(t, b.Propose("order.get", `{"number":"7"}`), pb.Decision_DECISION_EXECUTE)
	})
}

// TestExclusiveGroupAcrossServers: two refunds of different amounts at once, at two servers: one is carried out, the
// other is blocked and names it.
func TestExclusiveGroupAcrossServers(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		for n := range 10 {
			order := `{"order_id":"o` + string(rune('0'+n)) + `","currency":"USD","amount":`
			answers := make([]*pb.ProposeOperationResponse, 2)
			var wait sync.WaitGroup
			for i, amount := range []string{`"10.00"}`, `"9.99"}`} {
				wait.Go(func() { answers[i] = []*servertest.Client{a, b}[i].Propose("refund.create", order+amount) })
			}
			wait.Wait()
			winner, loser := answers[0], answers[1]
			if winner.Permit == nil {
				winner, loser = loser, winner
			}
			decided(t, winner, pb.Decision_DECISION_EXECUTE)
			decided(t, loser, pb.Decision_DECISION_BLOCKED)
			if loser.Holder.GetOperationId() != winner.Permit.OperationId || loser.Result.OperationId != "" || loser.DecisionId == "" {
				t.Fatalf("who holds the entity is told, and nothing is made: %v", loser)
			}
			if f := winner.Permit.FencingNumbers; len(f) != 1 || f[0].Number < 1 {
				t.Fatalf("the permit carries the group's fencing number: %v", f)
			}
		}
	})
}
