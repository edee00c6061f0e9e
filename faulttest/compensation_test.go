package faulttest

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/server/servertest"
)

// undoes gives payment.capture a playbook whose step the server carries out, too: a refund of the very charge.
func (r *rig) undoes() {
	r.t.Helper()
	capture := servertest.Definitions(r.t, strings.ReplaceAll(tools, "http://provider", r.vendor.URL))["payment.capture"]
	refund := proto.CloneOf(capture)
	refund.Name = "payment.refund"
	refund.Identity.KeyTemplate, refund.Identity.Occurrence = "refund:{ref}:{occurrence}", pb.OccurrencePolicy_OCCURRENCE_POLICY_ANY_CALLER
	requests := []*pb.HttpRequest{refund.Http.Request}
	for _, l := range refund.Http.Lookups {
		requests = append(requests, l.Request)
	}
	for _, q := range requests {
		q.Url = strings.ReplaceAll(q.Url, "/charges", "/refunds")
	}
	capture.Playbook = &pb.Playbook{Steps: []*pb.PlaybookStep{{Name: "refund", Tool: "payment.refund", ArgumentsTemplate: `{"ref": "{effect.id}"}`}}}
	r.client.ApplyDefinition(refund)
	r.client.ApplyDefinition(capture)
}

// TestCompensationUnderFaults: a step that the server carries out runs by itself, under every fault of its provider as any
// operation does. The charge is refunded once, by its own id, and counts as undone only when that is known.
func TestCompensationUnderFaults(t *testing.T) {
	for name, row := range map[string]struct {
		fault   vendor.Fault
		refunds int
		during  func(*rig)
	}{
		"success":                            {"", 1, nil},
		"timeout after commit":               {vendor.TimeoutAfterCommit, 1, nil},
		"timeout, and a commit that is late": {vendor.LateCommit, 1, func(r *rig) { r.vendor.CommitLate() }},
		"500 with eventual consistency":      {vendor.ErrorCommitted, 1, func(r *rig) { r.vendor.Show() }},
		"connection reset before commit":     {vendor.ResetBeforeCommit, 1, nil},
		"429 with retry-after":               {vendor.RateLimited, 1, nil},
		"a refusal":                          {vendor.Refuses, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			servertest.On(t, func(t *testing.T, w *servertest.World) {
				r := newRig(t, w)
				r.undoes()
				id := r.propose("payment.capture")
				charge := r.until(id, "the charge", ended).Effects[0].EffectId
				if row.fault != "" {
					r.vendor.Plan(vendor.Planned{Collection: "refunds", Fault: row.fault, Times: 1, RetryAfterSeconds: 30})
				}
				for range 2 {
					if _, err := r.client.CompensateOperation(t.Context(), &pb.CompensateOperationRequest{
						OperationId: id, RequestId: uuid.NewString(), Reason: "the order was cancelled",
					}); err != nil {
						t.Fatal(err)
					}
				}
				step := r.begins(id)
				if row.during != nil {
					r.until(step, "the step's outcome is open", func(o *pb.Operation) bool { return o.State == pb.Operation_STATE_UNKNOWN_OUTCOME })
					if now := r.client.Operation(id); now.State != pb.Operation_STATE_COMPENSATING {
						t.Fatalf("it is %s while its refund is unknown", now.State)
					}
					row.during(r)
				}
				r.until(step, "the end of the step", ended)
				o := r.settles(id)
				want := pb.Operation_STATE_COMPENSATED
				if row.refunds == 0 {
					want = pb.Operation_STATE_COMPENSATING
				}
				if o.State != want || (o.NeedsHuman != nil) != (row.refunds == 0) || len(o.CompensationSteps) != 1 || o.CompensationSteps[0].OperationId != step {
					t.Fatalf("it is %s, asked: %v, steps %v", o.State, o.NeedsHuman, o.CompensationSteps)
				}
				counts := r.vendor.Counts().Effects
				if counts["charges"] != 1 || counts["refunds"] != row.refunds {
					t.Fatalf("the provider counts %v", counts)
				}
				if row.refunds > 0 && !strings.Contains(string(r.client.Operation(step).CanonicalArgumentsJson), charge) {
					t.Errorf("the refund is of something else than %s", charge)
				}
			})
		})
	}
}

// begins waits until the first step of an operation has an operation of its own.
func (r *rig) begins(id string) (step string) {
	r.t.Helper()
	for step == "" {
		if r.ctx.Err() != nil {
			r.t.Fatalf("no step was begun\n%s", history(r.client, id))
		}
		step = r.client.Operation(id).CompensationSteps[0].OperationId
		r.breathe()
	}
	return step
}

// settles waits until an operation is compensated or waits for a person.
func (r *rig) settles(id string) *pb.Operation {
	r.t.Helper()
	for {
		o := r.client.Operation(id)
		if o.State == pb.Operation_STATE_COMPENSATED || o.NeedsHuman != nil {
			return o
		}
		if r.ctx.Err() != nil {
			r.t.Fatalf("it is %s, and stays so\n%s", o.State, history(r.client, id))
		}
		r.breathe()
	}
}
