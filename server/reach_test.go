package server_test

import (
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestACredentialDecidesAboutItsToolsAlone: one that reaches the tools of payments decides nothing about mail, neither an
// operation by itself, nor by way of a workflow, of a lookup or of an event that it vouches for.
func TestACredentialDecidesAboutItsToolsAlone(t *testing.T) {
	t.Parallel()
	people := newPeople(t, "default admin administer", "default agent propose,execute,read", "default narrow propose,execute",
		"default narrow-ann resolve ann@example.com", "default narrow-events webhook", "default narrow-bob override bob@example.com")
	w := servertest.SQLite(t)
	anyone := w.Serve(servertest.WithCallers(narrowed{people}), withInbox(t))
	mailTool := fieldTool(t, "email.send")
	mailTool.Provider.WebhookSource = "acme-pay"
	anyone.As(people.token("admin")).ApplyDefinition(mailTool)
	anyone.As(people.token("admin")).ApplyDefinition(hookedCapture(t))
	agent, narrow := newAgent(anyone.As(people.token("agent"))), newAgent(anyone.As(people.token("narrow")))
	person, events := anyone.As(people.token("narrow-ann")), newAgent(anyone.As(people.token("narrow-events")))

	s := agent.starts()
	id, run := s.Workflow.WorkflowId, s.RunId
	mailed := agent.Execute("email.send", mail, from(id, run))
	agent.Reported(mailed, servertest.Ambiguous())
	evidence := func(source *pb.Evidence) *pb.Evidence {
		source.EvidenceId, source.Verdict = uuid.NewString(), pb.Verdict_VERDICT_HAPPENED
		source.Attribution = &pb.Attribution{ClientReference: mailed.ClientReference}
		return source
	}
	lookup := func() *pb.Evidence {
		return evidence(&pb.Evidence{Source: &pb.Evidence_Lookup{Lookup: &pb.LookupSource{By: pb.LookupBy_LOOKUP_BY_CLIENT_REFERENCE, Value: mailed.ClientReference}}})
	}
	reconciles := func(c *servertest.Client, e *pb.Evidence) func() error {
		return func() error {
			_, err := c.Reconcile(t.Context(), &pb.ReconcileRequest{OperationId: mailed.OperationId, RequestId: uuid.NewString(), Evidence: e})
			return err
		}
	}
	vouches := func() error {
		_, err := events.workflows.RecordInboundEvent(t.Context(), &pb.RecordInboundEventRequest{
			Source: "acme-pay", EventId: "evt_1", EventType: "charge.succeeded", ClientReference: mailed.ClientReference,
			Payload: &pb.RecordInboundEventRequest_PayloadJson{PayloadJson: "{}"},
		})
		return err
	}
	for name, do := range map[string]func() error{
		"reconciles":           reconciles(narrow.Client, nil),
		"looks up":             reconciles(narrow.Client, lookup()),
		"states":               reconciles(person, evidence(&pb.Evidence{Source: &pb.Evidence_Person{Person: &pb.PersonSource{SeenOperationVersion: 1, Reason: "I saw it"}}})),
		"hands in an event":    reconciles(events.Client, evidence(&pb.Evidence{Source: &pb.Evidence_Webhook{Webhook: &pb.WebhookSource{Source: "acme-pay", EventId: "evt_1"}}})),
		"vouches for an event": vouches,
		"answers a worker's question": func() error {
			_, err := pb.NewWorkServiceClient(narrow.Conn).AnswerLookup(t.Context(), &pb.AnswerLookupRequest{RequestId: uuid.NewString(), OperationId: mailed.OperationId, Evidence: lookup()})
			return err
		},
		"cancels": func() error {
			_, err := narrow.CancelOperation(t.Context(), &pb.CancelOperationRequest{RequestId: uuid.NewString(), OperationId: mailed.OperationId, Reason: "no"})
			return err
		},
		"grants a repeat": func() error {
			_, err := pb.NewPolicyServiceClient(anyone.As(people.token("narrow-bob")).Conn).CreateGrant(t.Context(), &pb.CreateGrantRequest{
				RequestId: uuid.NewString(), Kind: pb.GrantKind_GRANT_KIND_REPEAT, Tool: "email.send", Fingerprint: agent.Operation(mailed.OperationId).Fingerprint,
				Occurrence: "again", ForPrincipal: "agent", Reason: "no",
			})
			return err
		},
		"compensates": func() error {
			_, err := person.CompensateOperation(t.Context(), &pb.CompensateOperationRequest{RequestId: uuid.NewString(), OperationId: mailed.OperationId, Reason: "no"})
			return err
		},
		"takes the workflow over": func() error {
			_, err := narrow.workflows.ResumeWorkflow(t.Context(), &pb.ResumeWorkflowRequest{RequestId: uuid.NewString(), WorkflowId: id})
			return err
		},
		"ends the workflow": func() error {
			_, err := narrow.workflows.CompleteWorkflow(t.Context(), completeRequest(id, run))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) { refused(t, do(), codes.PermissionDenied, "PERMISSION_DENIED") })
	}
	if o := agent.Operation(mailed.OperationId); o.State != pb.Operation_STATE_UNKNOWN_OUTCOME || len(o.Evidence) != 0 {
		t.Fatalf("it is %s with %v", o.State, o.Evidence)
	}
	if got := agent.gets(id); got.Workflow.CurrentRunId != run || got.Workflow.State != pb.Workflow_STATE_OPEN {
		t.Fatalf("the workflow is %v", got.Workflow)
	}
}

// TestASourceSpeaksForItsToolsAlone: whoever hands in events cannot settle by one source what another one's events settle.
func TestASourceSpeaksForItsToolsAlone(t *testing.T) {
	t.Parallel()
	c := servertest.SQLite(t).Serve()
	c.ApplyDefinition(hookedCapture(t))
	p := c.Execute("payment.capture", capture)
	c.Reported(p, servertest.Ambiguous())
	says := func(source string) error {
		_, err := c.Reconcile(t.Context(), &pb.ReconcileRequest{OperationId: p.OperationId, RequestId: uuid.NewString(), Evidence: &pb.Evidence{
			EvidenceId: uuid.NewString(), Verdict: pb.Verdict_VERDICT_HAPPENED, Attribution: &pb.Attribution{ClientReference: p.ClientReference},
			Answer: &pb.ProviderAnswer{ProviderObjectId: "ch_1"},
			Source: &pb.Evidence_Webhook{Webhook: &pb.WebhookSource{Source: source, EventId: "evt_1"}},
		}})
		return err
	}
	refused(t, says("acme-mail"), codes.InvalidArgument, "INVALID_REQUEST", "evidence.webhook.source")
	inState(t, c.Operation(p.OperationId), pb.Operation_STATE_UNKNOWN_OUTCOME)
	if err := says("acme-pay"); err != nil {
		t.Fatal(err)
	}
	inState(t, c.Operation(p.OperationId), pb.Operation_STATE_COMPLETED_SUCCESS)
}
