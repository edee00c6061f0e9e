package server_test

import (
	"fmt"
	"sync"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestEventRacesItsReport: an event that names an object and the acknowledgement that brings it come in the same moment,
// through two servers. Neither transaction sees the other's row; one of them must, or the event would wait for ever.
func TestEventRacesItsReport(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve(withInbox(t))
		c.ApplyDefinition(hookedCapture(t))
		twin := w.Twin()
		v := newVendor(t, w)
		const pairs = 16
		permits := make([]*pb.Permit, pairs)
		for i := range pairs {
			permits[i] = c.Execute("payment.capture", fmt.Sprintf(`{"order_id":"order_%d","amount":"1.00","currency":"USD"}`, i))
		}
		var wait sync.WaitGroup
		for i, p := range permits {
			charge := fmt.Sprintf("ch_%d", i)
			body := chargeEvent("evt_"+charge, "charge.succeeded", charge, "", v.now())
			wait.Go(func() { v.delivers(twin.Address, body) })
			wait.Go(func() {
				_, err := c.ReportAttempt(t.Context(), servertest.Report(p, func(r *pb.ReportAttemptRequest) {
					r.Outcome = &pb.ReportAttemptRequest_Acknowledged{Acknowledged: &pb.OutcomeAcknowledged{}}
					r.Answer = &pb.ProviderAnswer{ProviderObjectId: charge}
				}))
				if err != nil {
					t.Errorf("report of %s: %v", charge, err)
				}
			})
		}
		wait.Wait()
		for i, p := range permits {
			o := c.Operation(p.OperationId)
			if o.State != pb.Operation_STATE_COMPLETED_SUCCESS || len(o.Evidence) != 1 || len(o.Effects) != 1 {
				t.Errorf("operation %d is %s with the evidence %v", i, o.State, o.Evidence)
			}
		}
	})
}
