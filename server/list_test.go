package server_test

import (
	"strconv"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/server/servertest"
)

// TestPages: pages join without gap or repeat, in the stated order, and a token belongs to its list.
func TestPages(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		const made = 23
		for n := range made {
			p := c.Execute([]string{"record.write", "order.get"}[n%2], `{"order_id":"`+strconv.Itoa(n)+`"}`)
			if n%2 == 1 { // a read is listed once it is reported
				c.Reported(p, servertest.Succeeded("", `{}`))
			}
		}
		seen := map[string]bool{}
		var last time.Time
		request := &pb.ListOperationsRequest{PageSize: 5}
		for page := 0; ; page++ {
			m, err := c.ListOperations(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range m.Operations {
				if seen[o.OperationId] || !last.IsZero() && o.CreateTime.AsTime().After(last) {
					t.Fatalf("%s comes twice, or out of order", o.OperationId)
				}
				seen[o.OperationId], last = true, o.CreateTime.AsTime()
				if len(o.Attempts) > 0 || o.CanonicalArgumentsJson != "" {
					t.Fatalf("a list is short: %v", o)
				}
			}
			if m.NextPageToken == "" {
				break
			}
			request.PageToken = m.NextPageToken
			if page == 0 {
				other := &pb.ListOperationsRequest{PageSize: 5, PageToken: m.NextPageToken, Tool: "order.get"}
				_, err := c.ListOperations(t.Context(), other)
				refused(t, err, codes.InvalidArgument, "INVALID_PAGE_TOKEN", "page_token")
				_, err = c.ListTools(t.Context(), &pb.ListToolsRequest{PageToken: m.NextPageToken})
				refused(t, err, codes.InvalidArgument, "INVALID_PAGE_TOKEN", "page_token")
			}
		}
		if len(seen) != made {
			t.Fatalf("%d of %d operations were listed", len(seen), made)
		}
		_, err := c.ListOperations(t.Context(), &pb.ListOperationsRequest{PageToken: "guessed"})
		refused(t, err, codes.InvalidArgument, "INVALID_PAGE_TOKEN", "page_token")
	})
}

// TestDecisionIDs: an id of a decision is told exactly where a decision was stored.
func TestDecisionIDs(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		told := map[string]bool{}
		keep := func(m *pb.ProposeOperationResponse) {
			if m.DecisionId != "" {
				told[m.DecisionId] = true
			}
		}
		p := c.Execute("refund.create", refund)
		keep(c.Propose("refund.create", `{"order_id":"order_123","amount":"9.99","currency":"USD"}`)) // BLOCKED
		keep(c.Propose("payment.capture", capture, func(r *pb.ProposeOperationRequest) { r.Mode = pb.ProposalMode_PROPOSAL_MODE_PLAN_ONLY }))
		c.Reported(p, servertest.NotSent())
		later := c.Propose("refund.create", refund)
		keep(later)
		keep(c.Propose("record.write", `{}`))
		stored, err := w.Engine.ListDecisions(t.Context(), ledger.DecisionQuery{Namespace: "default", Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		if len(stored) != len(told) || len(told) != 2 {
			t.Fatalf("%d decisions are stored, of %d an id was told", len(stored), len(told))
		}
		for _, d := range stored {
			if !told[string(d.ID)] {
				t.Errorf("%s was not told: %v", d.ID, d)
			}
		}
	})
}

// TestBatchOfOneKey: the items of a batch are judged in order, each seeing what the ones before did.
func TestBatchOfOneKey(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		proposal := func(arguments string) *pb.ProposeOperationRequest {
			return servertest.Proposal("refund.create", arguments)
		}
		twice := proposal(refund)
		waits := proposal(refund)
		waits.Wait = durationpb.New(time.Second)
		m, err := c.BatchPropose(t.Context(), &pb.BatchProposeRequest{Requests: []*pb.ProposeOperationRequest{
			proposal(refund), proposal(refund), proposal(`{"order_id":"order_123","amount":"9.99","currency":"USD"}`), twice, twice, waits,
		}})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []pb.Decision{pb.Decision_DECISION_EXECUTE, pb.Decision_DECISION_IN_FLIGHT, pb.Decision_DECISION_BLOCKED, pb.Decision_DECISION_IN_FLIGHT} {
			if got := m.Items[i].GetResponse(); got.GetDecision() != want || (got.Permit != nil) != (i == 0) {
				t.Errorf("item %d is %v, want %v", i, m.Items[i], want)
			}
		}
		refused(t, status.FromProto(m.Items[4].GetError()).Err(), codes.InvalidArgument, "INVALID_REQUEST", "request_id")
		refused(t, status.FromProto(m.Items[5].GetError()).Err(), codes.InvalidArgument, "INVALID_REQUEST", "wait")
	})
}
