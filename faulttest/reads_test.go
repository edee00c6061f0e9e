package faulttest

import (
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/server/servertest"
)

// TestReadsUnderTheFaultList: a read has no effect to be unsure of, so whatever goes wrong is tried again, and nothing is
// ever unknown.
func TestReadsUnderTheFaultList(t *testing.T) {
	for _, fault := range []vendor.Fault{
		"", vendor.TimeoutBeforeCommit, vendor.ResetBeforeCommit, vendor.RateLimited, vendor.ErrorClean, vendor.Unavailable, vendor.Malformed,
		vendor.SlowBody, vendor.EndlessBody, vendor.SaysError,
	} {
		t.Run("read "+string(fault), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, servertest.SQLite(t))
			if fault != "" {
				r.vendor.Plan(vendor.Planned{Collection: "orders?", Fault: fault, Times: 1, RetryAfterSeconds: 5})
			}
			id := r.propose("order.get")
			o := r.until(id, "an end", func(o *pb.Operation) bool {
				if o.State == pb.Operation_STATE_UNKNOWN_OUTCOME {
					t.Fatalf("a read is unknown\n%s", history(r.client, id))
				}
				return ended(o)
			})
			if c := r.vendor.Counts(); o.State != success || c.Faults != 0 || len(c.Effects) != 0 {
				t.Fatalf("%s, %+v\n%s", o.State, c, history(r.client, id))
			}
		})
	}
}
