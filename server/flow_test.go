package server_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// flowSteps are the commands of one operation's whole life, as flow sends them.
var flowSteps = []string{"propose", "begin", "extend", "report", "reconcile"}

// flow is one operation's whole life: proposed, begun, extended, reported as ambiguous, and found at the provider.
type flow struct {
	w *servertest.World
	c *servertest.Client
}

// run sends every command, with a disturbance right before one of them, and expects the answers and the history of a run
// that nothing disturbed.
func (f flow) run(t *testing.T, ref, at string, disturb func()) {
	t.Helper()
	c := f.c
	before := func(step string) {
		if step == at {
			disturb()
		}
	}
	arguments := `{"template":"receipt","ref":"` + ref + `","to":["kim@example.com"]}`
	before("propose")
	m := c.Propose("email.send", arguments)
	decided(t, m, pb.Decision_DECISION_EXECUTE)
	p := m.Permit
	before("begin")
	c.Begin(p)
	before("extend")
	if e := c.Extend(p, 90e9); e.Remaining.AsDuration() > 90e9 || e.Remaining.AsDuration() < 60e9 {
		t.Fatalf("extended to %v", e.Remaining.AsDuration())
	}
	before("report")
	reported := c.Reported(p, servertest.Ambiguous())
	inState(t, reported.Operation, pb.Operation_STATE_UNKNOWN_OUTCOME)
	if reported.Duplicate && at != "report" {
		t.Fatal("the first report counts as a repeat")
	}
	found := &pb.Evidence{
		EvidenceId: uuid.NewString(), Verdict: pb.Verdict_VERDICT_HAPPENED,
		Source: &pb.Evidence_Lookup{Lookup: &pb.LookupSource{
			By: pb.LookupBy_LOOKUP_BY_CLIENT_REFERENCE, Value: p.ClientReference,
		}},
		Attribution: &pb.Attribution{ClientReference: p.ClientReference},
		Answer:      &pb.ProviderAnswer{EffectId: "msg " + ref},
	}
	before("reconcile")
	inState(t, c.Settle(p.OperationId, found).Operation, pb.Operation_STATE_COMPLETED_SUCCESS)

	o := c.Operation(p.OperationId)
	attempts(t, o, 1)
	if len(o.Evidence) != 1 || len(o.Effects) != 1 || len(o.Incidents) != 0 {
		t.Fatalf("one find of one effect is wanted: %v, %v, %v", o.Evidence, o.Effects, o.Incidents)
	}
	events := c.Events(p.OperationId)
	gapless(t, events)
	var types []pb.OperationEventType
	for _, e := range events {
		types = append(types, e.Type)
	}
	if want := flowEvents; !slices.Equal(types, want) {
		t.Fatalf("the history is %v, want %v", types, want)
	}
	decided(t, c.Propose("email.send", arguments), pb.Decision_DECISION_REPLAYED)
}

// flowEvents is the history that a flow leaves.
var flowEvents = []pb.OperationEventType{
	pb.OperationEventType_OPERATION_EVENT_TYPE_CREATED,
	pb.OperationEventType_OPERATION_EVENT_TYPE_STATE_CHANGED, // pending_dispatch
	pb.OperationEventType_OPERATION_EVENT_TYPE_STATE_CHANGED, // dispatched
	pb.OperationEventType_OPERATION_EVENT_TYPE_PERMIT_GRANTED,
	pb.OperationEventType_OPERATION_EVENT_TYPE_ATTEMPT_BEGUN,
	pb.OperationEventType_OPERATION_EVENT_TYPE_PERMIT_EXTENDED,
	pb.OperationEventType_OPERATION_EVENT_TYPE_ATTEMPT_REPORTED,
	pb.OperationEventType_OPERATION_EVENT_TYPE_STATE_CHANGED, // unknown_outcome
	pb.OperationEventType_OPERATION_EVENT_TYPE_EVIDENCE_KEPT,
	pb.OperationEventType_OPERATION_EVENT_TYPE_EFFECT_ATTRIBUTED,
	pb.OperationEventType_OPERATION_EVENT_TYPE_STATE_CHANGED, // completed_success
}

// gapless expects a history without a gap, whose versions never fall.
func gapless(t *testing.T, events []*pb.OperationEvent) {
	t.Helper()
	version := int64(0)
	for i, e := range events {
		if e.Sequence != int64(i)+1 || e.OperationVersion < version || e.OperationVersion > version+1 {
			t.Fatalf("event %d has the sequence %d and the version %d after %d", i+1, e.Sequence, e.OperationVersion, version)
		}
		version = e.OperationVersion
	}
}
