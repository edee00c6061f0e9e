package server_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestLiftLetsOthersPass: an unknown refund blocks the next one on the order, until a person who has seen it lets others
// pass.
func TestLiftLetsOthersPass(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		policy := pb.NewPolicyServiceClient(c.Conn)
		permit := c.Execute("refund.create", refund)
		c.Reported(permit, servertest.Ambiguous())
		const next = `{"order_id":"order_123","amount":"9.99","currency":"USD"}`
		decided(t, c.Propose("refund.create", next), pb.Decision_DECISION_BLOCKED)
		lift := func(group string, version int64) (*pb.LiftExclusionResponse, error) {
			return policy.LiftExclusion(t.Context(), &pb.LiftExclusionRequest{
				RequestId: uuid.NewString(), Entity: order("order_123"), Group: group, OperationId: permit.OperationId,
				SeenOperationVersion: version, Reason: "the provider has lost it",
			})
		}
		seen := c.Operation(permit.OperationId).Version
		_, err := lift("refund.create", seen-1)
		refused(t, err, codes.Aborted, "ETAG_MISMATCH")
		_, err = lift("money", seen)
		refused(t, err, codes.FailedPrecondition, "STATE_NOT_SUITABLE")
		r, err := lift("refund.create", seen)
		if err != nil || r.Lifted.OperationId != permit.OperationId || r.Lifted.Scope != "group/refund.create" || r.Lifted.State != pb.Operation_STATE_UNKNOWN_OUTCOME {
			t.Fatalf("%v, %v", r, err)
		}
		_, err = lift("refund.create", c.Operation(permit.OperationId).Version)
		refused(t, err, codes.FailedPrecondition, "STATE_NOT_SUITABLE")
		w.Pass(time.Minute) // past the lookup wait: the unknown one could be resent, had it not been lifted
		if m := c.Propose("refund.create", refund); m.Permit != nil {
			t.Fatalf("a lifted operation was sent again: %v", m)
		}
		c.Execute("refund.create", next)
	})
}
