package server_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

const orderArgs = `{"order_id":"order_123"}`

// serveReads starts a server whose order.get may be answered again for so long.
func serveReads(t *testing.T, w *servertest.World, fresh time.Duration, change ...func(*pb.ToolDefinition)) *servertest.Client {
	t.Helper()
	c := serve(w)
	d := fieldTool(t, "order.get")
	if fresh > 0 {
		d.ReadCacheFor = durationpb.New(fresh)
	}
	for _, f := range change {
		f(d)
	}
	c.ApplyDefinition(d)
	return c
}

// TestCachedRead: its result is the answer for the stated time, counted from its permit; then the next proposal reads.
func TestCachedRead(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serveReads(t, w, time.Hour)
		other := w.Twin()
		p := c.Execute("order.get", orderArgs)
		c.Reported(p, servertest.Succeeded("", `{"state":"open"}`))
		replay := other.Propose("order.get", `{"order_id":" order_123 "}`)
		decided(t, replay, pb.Decision_DECISION_REPLAYED)
		sameOperation(t, p.OperationId, replay.Result.OperationId)
		if replay.Result.ResultJson != `{"state":"open"}` || !strings.Contains(replay.Result.ModelMessage, "This was read at ") {
			t.Errorf("the answer is %v", replay.Result)
		}
		decided(t, other.Propose("order.get", `{"order_id":"another"}`), pb.Decision_DECISION_EXECUTE)
		w.Pass(time.Hour)
		next := other.Propose("order.get", orderArgs)
		decided(t, next, pb.Decision_DECISION_EXECUTE)
		c.Reported(next.Permit, servertest.Succeeded("", `{"state":"closed"}`))
		if replay = c.Propose("order.get", orderArgs); replay.Result.ResultJson != `{"state":"closed"}` {
			t.Errorf("the newest result is the answer: %v", replay)
		}
	})
}

// TestReadWithoutACache: each proposal reads; a failed one is not in the way of the next; nothing but the same request is
// answered by what was read.
func TestReadWithoutACache(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		id := uuid.NewString()
		p := c.Execute("order.get", orderArgs, withRequest(id))
		c.Reported(p, servertest.Succeeded("", `{"state":"open"}`))
		next := c.Execute("order.get", orderArgs)
		otherOperation(t, p.OperationId, next.OperationId)
		c.Reported(next, func(r *pb.ReportAttemptRequest) {
			r.Outcome = &pb.ReportAttemptRequest_Rejected{Rejected: &pb.OutcomeRejected{Code: "no_such_order"}}
		})
		decided(t, c.Propose("order.get", orderArgs), pb.Decision_DECISION_EXECUTE)
		replay := c.Propose("order.get", orderArgs, withRequest(id))
		decided(t, replay, pb.Decision_DECISION_REPLAYED)
		sameOperation(t, p.OperationId, replay.Result.OperationId)
	})
}

// TestReadIsLogged: before its report it is shown as what is under way, with its events; afterwards it is an operation like
// any other.
func TestReadIsLogged(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		p := c.Execute("order.get", orderArgs, from("wf_1", "run_1"))
		other := w.Twin()
		inState(t, other.Operation(p.OperationId), pb.Operation_STATE_DISPATCHED)
		before := other.Events(p.OperationId)
		if n := len(before); n != 4 || len(other.Operations()) != 0 {
			t.Fatalf("%d events, and %d operations in the list", n, len(other.Operations()))
		}
		waited, err := other.GetOperation(t.Context(), &pb.GetOperationRequest{OperationId: p.OperationId, Wait: durationpb.New(time.Millisecond)})
		if err != nil || waited.Operation.State != pb.Operation_STATE_DISPATCHED {
			t.Fatalf("waiting for it: %v, %v", waited, err)
		}
		ended := make(chan *pb.GetOperationResponse, 1)
		go func() {
			m, _ := other.GetOperation(t.Context(), &pb.GetOperationRequest{OperationId: p.OperationId, Wait: durationpb.New(time.Minute)})
			ended <- m
		}()
		c.Reported(p, servertest.Succeeded("", `{"state":"open"}`))
		inState(t, (<-ended).GetOperation(), pb.Operation_STATE_COMPLETED_SUCCESS)

		after := other.Events(p.OperationId)
		for i, e := range after {
			if e.Sequence != int64(i)+1 || i < len(before) && (e.Type != before[i].Type || !e.Time.AsTime().Equal(before[i].Time.AsTime())) {
				t.Fatalf("event %d has become %v", i, e)
			}
		}
		for name, q := range map[string]*pb.ListOperationsRequest{"tool": {Tool: "order.get"}, "workflow": {WorkflowId: "wf_1"}, "all": {}} {
			m, err := other.ListOperations(t.Context(), q)
			if err != nil || len(m.Operations) != 1 || m.Operations[0].OperationId != p.OperationId {
				t.Errorf("by %s: %v, %v", name, m, err)
			}
		}
	})
}

// TestReadThatNobodyReported: its permit ends as any does, though no due work looks at it; a late report is refused and
// kept.
func TestReadThatNobodyReported(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		p := c.Execute("order.get", orderArgs)
		w.Pass(time.Minute)
		o := c.Operation(p.OperationId)
		inState(t, o, pb.Operation_STATE_FAILED_RETRYABLE)
		listed, err := c.ListOperationEvents(t.Context(), &pb.ListOperationEventsRequest{OperationId: p.OperationId})
		if err != nil || listed.Events[len(listed.Events)-1].ToState != o.State {
			t.Fatalf("the events end otherwise: %v, %v", listed, err)
		}
		late := servertest.Report(p, servertest.Succeeded("", `{"state":"open"}`))
		for range 2 {
			_, err := c.ReportAttempt(t.Context(), late)
			refused(t, err, codes.FailedPrecondition, "STALE_ATTEMPT")
		}
		inState(t, c.Operation(p.OperationId), pb.Operation_STATE_COMPLETED_SUCCESS)
		if n := len(c.Operation(p.OperationId).Evidence); n != 1 {
			t.Errorf("%d statements are kept", n)
		}
	})
}

// TestReadsAtOnce: many reads of one order, at two servers. Each reads by itself where others' results are none of its
// business yet; one that a worker carries out is one.
func TestReadsAtOnce(t *testing.T) {
	const many = 16
	for name, when := range map[string]struct {
		executor   pb.Executor
		operations int
	}{
		"inline": {pb.Executor_EXECUTOR_INLINE, many}, "by a worker": {pb.Executor_EXECUTOR_WORKER, 1},
	} {
		t.Run(name, func(t *testing.T) {
			servertest.On(t, func(t *testing.T, w *servertest.World) {
				c := serveReads(t, w, time.Hour, func(d *pb.ToolDefinition) { d.Executor = when.executor })
				ctx, clients := t.Context(), []*servertest.Client{c, w.Twin()}
				answers := make([]*pb.ProposeOperationResponse, many)
				errs := make([]error, many)
				var all sync.WaitGroup
				for n := range many {
					all.Go(func() {
						answers[n], errs[n] = clients[n%2].ProposeOperation(ctx, servertest.Proposal("order.get", orderArgs))
						if errs[n] == nil && answers[n].Permit != nil {
							_, errs[n] = clients[(n+1)%2].ReportAttempt(ctx, servertest.Report(answers[n].Permit, servertest.Succeeded("", strconv.Itoa(n))))
						}
					})
				}
				all.Wait()
				seen := map[string]bool{}
				for n, a := range answers {
					if errs[n] != nil {
						t.Fatal(errs[n])
					}
					if when.executor == pb.Executor_EXECUTOR_WORKER {
						decided(t, a, pb.Decision_DECISION_ENQUEUED)
					}
					seen[a.Result.OperationId] = true
				}
				if n := len(c.Operations()); n != len(seen) || n > when.operations {
					t.Fatalf("%d operations, of which %d were told", n, len(seen))
				}
				for id := range seen {
					if when.executor == pb.Executor_EXECUTOR_INLINE {
						inState(t, c.Operation(id), pb.Operation_STATE_COMPLETED_SUCCESS)
					}
				}
			})
		})
	}
}

// TestReadsInABatch: proposals and reports of reads in batches are each what they are alone; a denied one is a decision.
func TestReadsInABatch(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		proposed, err := c.BatchPropose(t.Context(), &pb.BatchProposeRequest{Requests: []*pb.ProposeOperationRequest{
			servertest.Proposal("order.get", orderArgs), servertest.Proposal("order.get", orderArgs),
		}})
		if err != nil {
			t.Fatal(err)
		}
		var reports []*pb.ReportAttemptRequest
		for _, item := range proposed.Items {
			decided(t, item.GetResponse(), pb.Decision_DECISION_EXECUTE)
			reports = append(reports, servertest.Report(item.GetResponse().Permit, servertest.Succeeded("", `{}`)))
		}
		for duplicate := range 2 {
			reported, err := c.BatchReport(t.Context(), &pb.BatchReportRequest{Requests: reports})
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range reported.Items {
				if m := item.GetResponse(); m.GetOperation().GetState() != pb.Operation_STATE_COMPLETED_SUCCESS || m.Duplicate != (duplicate == 1) {
					t.Fatalf("time %d: %v", duplicate, item)
				}
			}
		}
	})
}
