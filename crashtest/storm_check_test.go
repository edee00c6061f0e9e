//go:build unix

package crashtest

import (
	"context"
	"encoding/json"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/vendor"
)

// outcome is what a storm came to.
type outcome struct {
	operations, attempts, resends, lookups, late int
	succeeded, failed, needsHuman                map[string]int // by tool
	effects                                      map[string]int // by tool, as the provider counts them
	incidents                                    map[string]int // by kind
}

// settled holds the whole record against the provider's own count, once nobody acts any more.
func settled(t *testing.T, ctx context.Context, api pb.OperationServiceClient, accepted map[string]string, v *vendor.Process) *outcome {
	t.Helper()
	c := &outcome{
		operations: len(accepted), succeeded: map[string]int{}, failed: map[string]int{}, needsHuman: map[string]int{},
		effects: map[string]int{}, incidents: map[string]int{},
	}
	made := madeFor(t, v, accepted)
	for id, tool := range accepted {
		m, err := api.GetOperation(ctx, &pb.GetOperationRequest{OperationId: id})
		if err != nil {
			t.Fatalf("a proposal of %s was taken as %s, and it is lost: %v", tool, id, err)
		}
		c.effects[tool] += len(made[id])
		c.count(m.Operation)
		c.hold(t, m.Operation, made[id])
		onePermitAtATime(t, m.Operation, nil)
		gapless(t, ctx, api, m.Operation)
	}
	counts := v.Counts()
	for _, collection := range []string{"charges?", "mails?", "revocations?"} {
		c.lookups += counts.Writes[collection]
	}
	return c
}

// madeFor lists the provider's effects by operation. None may be there that nobody proposed, and no vendor key twice.
func madeFor(t *testing.T, v *vendor.Process, accepted map[string]string) map[string][]vendor.Effect {
	t.Helper()
	made, keys := map[string][]vendor.Effect{}, map[string]bool{}
	for _, e := range v.Effects() {
		var body struct{ Operation string }
		if err := json.Unmarshal(e.Body, &body); err != nil || accepted[body.Operation] == "" {
			t.Errorf("the effect %s is of no operation that was proposed: %s, %v", e.ID, e.Body, err)
		}
		if e.IdempotencyKey != "" && keys[e.IdempotencyKey] {
			t.Errorf("the vendor key %s has two effects", e.IdempotencyKey)
		}
		keys[e.IdempotencyKey] = true
		made[body.Operation] = append(made[body.Operation], e)
	}
	return made
}

// count adds an operation to the figures.
func (c *outcome) count(o *pb.Operation) {
	c.attempts += len(o.Attempts)
	for _, a := range o.Attempts {
		if a.Resend {
			c.resends++
		}
	}
	for _, e := range o.Evidence {
		if e.Report != nil {
			c.late++
		}
	}
	for _, i := range o.Incidents {
		c.incidents[i.Kind.String()]++
	}
	switch {
	case o.State == pb.Operation_STATE_COMPLETED_SUCCESS:
		c.succeeded[o.Tool]++
	case o.State == pb.Operation_STATE_FAILED_PERMANENT:
		c.failed[o.Tool]++
	case o.NeedsHuman != nil:
		c.needsHuman[o.Tool]++
	}
}

// hold expects what the classes promise: what is known to have happened has one effect, the one that is recorded; what is
// known not to have happened has none; what waits for a person has one at most, of whichever class. Nothing that is done
// here brings about an incident: what was known was never wrong, and nobody met another's effect.
func (c *outcome) hold(t *testing.T, o *pb.Operation, made []vendor.Effect) {
	t.Helper()
	if len(o.Incidents) > 0 {
		t.Errorf("%s of %s has incidents: %v, %v", o.OperationId, o.Tool, o.Incidents, o)
	}
	switch {
	case len(made) > 1:
		t.Errorf("%s of %s happened %d times: %v, %v", o.OperationId, o.Tool, len(made), made, o)
	case o.State == pb.Operation_STATE_COMPLETED_SUCCESS:
		if len(made) != 1 || len(o.Effects) != 1 || o.Effects[0].EffectId != made[0].ID {
			t.Errorf("%s of %s is known to have happened, with the effects %v; the provider has %v: %v", o.OperationId, o.Tool, o.Effects, made, o)
		}
	case o.State == pb.Operation_STATE_FAILED_PERMANENT:
		if len(made) != 0 {
			t.Errorf("%s of %s is known not to have happened, and the provider has %v: %v", o.OperationId, o.Tool, made, o)
		}
	case o.State != pb.Operation_STATE_UNKNOWN_OUTCOME || o.NeedsHuman == nil:
		t.Errorf("%s of %s is neither known nor before a person: %v", o.OperationId, o.Tool, o)
	}
}
