package server_test

import (
	"math"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

var nan = math.NaN()

// TestBadCallsAboutAttempts: each wrong word about a permit has its stated error.
func TestBadCallsAboutAttempts(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		t.Run("a request id with another proposal", func(t *testing.T) {
			id := uuid.NewString()
			c.Propose("payment.capture", `{"order_id":"a","amount":"1.00","currency":"USD"}`, withRequest(id))
			for _, other := range []string{`{"order_id":"a","amount":"2.00","currency":"USD"}`, `{"order_id":"b","amount":"1.00","currency":"USD"}`} {
				_, err := c.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", other, withRequest(id)))
				refused(t, err, codes.FailedPrecondition, "REQUEST_ID_REUSED")
			}
			_, err := c.ProposeOperation(t.Context(), servertest.Proposal("refund.create", `{"order_id":"a","amount":"1.00","currency":"USD"}`, withRequest(id)))
			refused(t, err, codes.FailedPrecondition, "REQUEST_ID_REUSED")
		})
		t.Run("a begin with another nonce", func(t *testing.T) {
			p := c.Execute("email.send", mail)
			_, err := c.BeginAttempt(t.Context(), servertest.BeginRequest(p, []byte("a nonce of another process")))
			refused(t, err, codes.FailedPrecondition, "BEGIN_NONCE_MISMATCH")
			if _, err := c.BeginAttempt(t.Context(), servertest.BeginRequest(p, servertest.Nonce)); err != nil {
				t.Fatalf("the same nonce is the same begin: %v", err)
			}
			_, err = c.BeginAttempt(t.Context(), servertest.BeginRequest(p, []byte("short")))
			refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "begin_nonce")
		})
		t.Run("a wrong attempt token", func(t *testing.T) {
			p := c.Propose("ticket.create", `{"project":"OPS","ref":"t1"}`).Permit
			other := c.Propose("ticket.create", `{"project":"OPS","ref":"t2"}`).Permit
			for _, token := range []string{"guessed", other.AttemptToken, p.AttemptToken + "x"} {
				wrong := &pb.Permit{OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: token, BeginRequired: true}
				calls := callsAbout(t, c)
				for _, name := range []string{"begin", "extend", "report", "batch report"} {
					refused(t, calls[name](wrong), codes.PermissionDenied, "ATTEMPT_TOKEN_MISMATCH")
				}
			}
			if o := c.Operation(p.OperationId); o.Version != 1 || o.Attempts[0].BeginTime != nil {
				t.Fatalf("a wrong token changed something: %v", o)
			}
		})
		t.Run("an unknown operation and an unknown attempt", func(t *testing.T) {
			p := c.Propose("ticket.create", `{"project":"OPS","ref":"t3"}`).Permit
			nobody := &pb.Permit{OperationId: "op_nobody", AttemptId: p.AttemptId, AttemptToken: p.AttemptToken}
			for name, call := range callsAbout(t, c) {
				t.Log(name)
				refused(t, call(nobody), codes.NotFound, "OPERATION_NOT_FOUND")
			}
			stray := &pb.Permit{OperationId: p.OperationId, AttemptId: "att_nobody", AttemptToken: p.AttemptToken}
			calls := callsAbout(t, c)
			for _, name := range []string{"begin", "extend", "report"} {
				refused(t, calls[name](stray), codes.NotFound, "ATTEMPT_NOT_FOUND")
			}
			for name, call := range callsAbout(t, c) {
				t.Log(name)
				refused(t, call(&pb.Permit{OperationId: "op/1", AttemptId: "1"}), codes.InvalidArgument, "INVALID_REQUEST")
			}
		})
		t.Run("a report that has no outcome", func(t *testing.T) {
			p := c.Propose("ticket.create", `{"project":"OPS","ref":"t4"}`).Permit
			_, err := c.ReportAttempt(t.Context(), servertest.Report(p, func(*pb.ReportAttemptRequest) {}))
			refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "outcome")
		})
		t.Run("a stale report is refused and kept, also when it is repeated", func(t *testing.T) {
			p := c.Execute("ticket.create", `{"project":"OPS","ref":"t5"}`)
			w.Pass(61 * time.Second)
			late := servertest.Report(p, servertest.NotSent())
			for range 2 {
				_, err := c.ReportAttempt(t.Context(), late)
				refused(t, err, codes.FailedPrecondition, "STALE_ATTEMPT")
				d := servertest.DetailOf[*pb.StaleAttemptDetail](err)
				if d.GetState() != pb.Operation_STATE_FAILED_RETRYABLE || d.GetResult().GetSafeUserMessage() == "" {
					t.Fatalf("the refusal tells the present state: %v", d)
				}
			}
			o := c.Operation(p.OperationId)
			if len(o.Evidence) != 1 || o.Evidence[0].Report.GetReportId() != late.ReportId || o.Evidence[0].Evidence != nil {
				t.Fatalf("it is kept once, as the late report that it is: %v", o.Evidence)
			}
		})
		t.Run("a lost permit is neither begun nor extended", func(t *testing.T) {
			p := c.Propose("ticket.create", `{"project":"OPS","ref":"t6"}`).Permit
			w.Pass(61 * time.Second)
			calls := callsAbout(t, c)
			for _, name := range []string{"begin", "extend"} {
				refused(t, calls[name](p), codes.FailedPrecondition, "PERMIT_EXPIRED")
			}
		})
	})
}

// TestBadEvidence: each wrong word about an outcome has its stated error.
func TestBadEvidence(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		p := c.Execute("payment.capture", capture)
		c.Reported(p, servertest.Ambiguous())
		lookup := c.Propose("payment.capture", capture).Lookup
		send := func(e *pb.Evidence) error {
			_, err := c.Reconcile(t.Context(), &pb.ReconcileRequest{OperationId: p.OperationId, RequestId: uuid.NewString(), Evidence: e})
			return err
		}
		made := func(change func(*pb.Evidence)) *pb.Evidence {
			e := servertest.Looked(lookup, pb.Verdict_VERDICT_STILL_UNKNOWN, "")
			e.EvidenceId = uuid.NewString()
			change(e)
			return e
		}
		refused(t, send(made(func(e *pb.Evidence) { e.EvidenceId = "e1" })), codes.InvalidArgument, "INVALID_REQUEST", "evidence.evidence_id")
		refused(t, send(made(func(e *pb.Evidence) { e.Verdict = 0 })), codes.InvalidArgument, "INVALID_REQUEST", "evidence.verdict")
		refused(t, send(made(func(e *pb.Evidence) { e.Source = nil })), codes.InvalidArgument, "INVALID_REQUEST", "evidence.source")
		refused(t, send(made(func(e *pb.Evidence) { e.GetLookup().LookupTicket = "forged" })), codes.FailedPrecondition, "LOOKUP_TICKET_INVALID")
		refused(t, send(made(func(e *pb.Evidence) {
			e.Verdict = pb.Verdict_VERDICT_DID_NOT_HAPPEN
			e.Source = &pb.Evidence_Person{Person: &pb.PersonSource{SeenOperationVersion: 1, Reason: "I asked"}}
		})), codes.Aborted, "ETAG_MISMATCH")
		if o := c.Operation(p.OperationId); len(o.Evidence) != 0 {
			t.Fatalf("refused evidence was kept: %v", o.Evidence)
		}
		kept := made(func(*pb.Evidence) {})
		for range 2 {
			if err := send(kept); err != nil {
				t.Fatalf("the same statement again is one: %v", err)
			}
		}
		kept.Verdict = pb.Verdict_VERDICT_IN_PROGRESS
		refused(t, send(kept), codes.FailedPrecondition, "EVIDENCE_ID_REUSED")
		o := c.Operation(p.OperationId)
		if len(o.Evidence) != 1 || o.Evidence[0].Evidence.GetLookup().GetValue() != p.VendorIdempotencyKey {
			t.Fatalf("it is shown as it was handed in: %v", o.Evidence)
		}
	})
}

// TestKeyReuse: one key with other arguments names both fingerprints and every pointer that differs.
func TestKeyReuse(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		p := c.Execute("payment.capture", capture, withKey("K1"))
		for arguments, pointers := range map[string][]string{
			`{"order_id":"order_123","amount":"50.00","currency":"USD"}`: {"/amount"},
			`{"order_id":"order_9","amount":"49.00","currency":"USD"}`:   {"/order_id"},
		} {
			_, err := c.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", arguments, withKey("K1")))
			keyReused(t, err, p.OperationId, pointers...)
			m, err := c.BatchPropose(t.Context(), &pb.BatchProposeRequest{Requests: []*pb.ProposeOperationRequest{servertest.Proposal("payment.capture", arguments, withKey("K1"))}})
			if err != nil {
				t.Fatal(err)
			}
			keyReused(t, status.FromProto(m.Items[0].GetError()).Err(), p.OperationId, pointers...)
		}
	})
}

// plainHTTP is a tool of requests without TLS, which no server makes unless its operator allows them.
const plainHTTP = `
name: order.fetch
class: PURE_READ
executor: SERVER_HTTP
arguments_schema: {type: object, required: [order_id], properties: {order_id: {type: string}}}
http:
  allowed_hosts: [orders.example.com]
  request: {method: GET, url: "http://orders.example.com/v1/orders/{args.order_id}"}
`

// TestBadDefinitions: what cannot be enforced, or was not thought through, is refused when it is applied.
func TestBadDefinitions(t *testing.T) {
	c := serve(servertest.SQLite(t), func(s *server.Config) { s.AllowPlainHTTP = false })
	d := servertest.Definitions(t, plainHTTP)["order.fetch"]
	_, err := c.TryApply(d)
	refused(t, err, codes.FailedPrecondition, "CAPABILITY_MISSING", "definition.http.request.url")

	d = fieldTool(t, "access.revoke")
	d.Policy = nil
	_, err = c.TryApply(d)
	refused(t, err, codes.InvalidArgument, "INVALID_TOOL_DEFINITION")

	d = fieldTool(t, "payment.capture")
	d.Identity.KeyTemplate = "payment:{order_id}:{amount}"
	_, err = c.TryApply(d)
	refused(t, err, codes.InvalidArgument, "IDENTITY_CHANGE_UNSTATED")

	if _, err = c.TryApply(&pb.ToolDefinition{Name: "a b"}); status.Code(err) != codes.InvalidArgument {
		t.Fatal(err)
	}
	stale := &pb.ApplyToolRequest{RequestId: uuid.NewString(), Definition: fieldTool(t, "record.write"), Etag: "v9"}
	if m, err := c.ApplyTool(t.Context(), stale); err != nil || m.Created {
		t.Fatalf("what is there already is no conflict: %v, %v", m, err)
	}
	stale.Definition.Description = "another"
	_, err = c.ApplyTool(t.Context(), stale)
	refused(t, err, codes.Aborted, "ETAG_MISMATCH")
	off := &pb.DisableToolRequest{RequestId: uuid.NewString(), Tool: "record.write", Reason: "a test", Etag: "v9"}
	_, err = c.DisableTool(t.Context(), off)
	refused(t, err, codes.Aborted, "ETAG_MISMATCH")
	off.Etag = "v1"
	for range 2 { // the second is a repeat of a lost answer
		if _, err := c.DisableTool(t.Context(), off); err != nil {
			t.Fatal(err)
		}
	}
	_, err = c.GetTool(t.Context(), &pb.GetToolRequest{Tool: "no.such"})
	refused(t, err, codes.NotFound, "TOOL_NOT_FOUND")
	_, err = c.DisableTool(t.Context(), &pb.DisableToolRequest{RequestId: uuid.NewString(), Tool: "no.such", Reason: "a test"})
	refused(t, err, codes.NotFound, "TOOL_NOT_FOUND")
}
