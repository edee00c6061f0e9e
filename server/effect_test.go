package server_test

import (
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestObjectOfAnotherOperation: a provider's object belongs to at most one operation. A second report that names it is
// kept, says that an effect exists, and puts its own operation before a person; it is never lost.
func TestObjectOfAnotherOperation(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve()
		c.Apply(fieldTools)
		first := c.Propose("payment.capture", `{"order_id":"order_1","amount":"1.00","currency":"USD"}`)
		c.Begin(first.Permit)
		c.Reported(first.Permit, servertest.Succeeded("ch_1", ""))
		second := c.Propose("payment.capture", `{"order_id":"order_2","amount":"1.00","currency":"USD"}`)
		c.Begin(second.Permit)
		told := c.Reported(second.Permit, servertest.Succeeded("ch_1", ""))
		o := told.Operation
		if o.State != pb.Operation_STATE_UNKNOWN_OUTCOME || o.NeedsHuman == nil || !o.PresenceSaid {
			t.Fatalf("the second operation is %v, needs_human %v", o.State, o.NeedsHuman)
		}
		if len(o.Incidents) == 0 || o.Incidents[0].Kind != pb.IncidentKind_INCIDENT_KIND_EFFECT_OF_ANOTHER_OPERATION {
			t.Fatalf("its incidents are %v", o.Incidents)
		}
	})
}
