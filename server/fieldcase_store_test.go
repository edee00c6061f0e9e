package server_test

import (
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// storeCases: what stores of idempotency keys forget, keep too long, or mix up.
var storeCases = []fieldCase{
	{"FC-303", inProgressMarkExpires},
	{"FC-304", fingerprintIsThrownAway},
	{"FC-305", failureIsStoredAsTheResult},
	{"FC-306", keyActsAgainAfterTheRetention},
	{"FC-307", anotherTenantsKey},
	{"FC-315", permitsAnswerIsLost},
}

// inProgressMarkExpires: the executor dies after the send, and time passes.
func inProgressMarkExpires(t *testing.T, w *servertest.World) {
	c := serve(w)
	d := fieldTool(t, "email.send")
	d.Permit = &pb.PermitTerms{Duration: durationpb.New(0)}
	_, err := c.TryApply(d)
	refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "definition.permit.duration")
	d.Permit.Duration = durationpb.New(time.Second) // the shortest lawful one
	c.ApplyDefinition(d)

	p := c.Execute("email.send", mail)
	for _, by := range []time.Duration{0, -time.Second} {
		_, err := c.ExtendAttempt(t.Context(), servertest.ExtendRequest(p, by))
		refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "extend_by")
	}
	w.Pass(time.Second)
	decided(t, c.Propose("email.send", mail), pb.Decision_DECISION_RECONCILING)
	inState(t, c.Operation(p.OperationId), pb.Operation_STATE_UNKNOWN_OUTCOME)
	for range 3 {
		w.Pass(time.Hour)
		decided(t, c.Propose("email.send", mail, from("wf_2", "run_9")), pb.Decision_DECISION_RECONCILING)
	}
	o := c.Operation(p.OperationId)
	attempts(t, o, 1)
	if o.NeedsHuman == nil {
		t.Error("what stays unknown is put before a person")
	}
}

// fingerprintIsThrownAway: a key on the refund's id alone, and another amount after a restart.
func fingerprintIsThrownAway(t *testing.T, w *servertest.World) {
	c := serve(w)
	d := fieldTool(t, "refund.create")
	d.Name, d.Identity.KeyTemplate = "refund.by_id", "refund-id:{order_id}:{occurrence}"
	c.ApplyDefinition(d)
	p := c.Execute("refund.by_id", `{"order_id":"r_1","amount":"10.00","currency":"USD"}`)
	c.Reported(p, servertest.Succeeded("re_1", `{"id":"re_1"}`))
	w.Restart()
	c = w.Serve()
	_, err := c.ProposeOperation(t.Context(), servertest.Proposal("refund.by_id", `{"order_id":"r_1","amount":"1000.00","currency":"USD"}`))
	keyReused(t, err, p.OperationId, "/amount")
	again := c.Propose("refund.by_id", `{"order_id":"r_1","amount":"10","currency":"USD"}`)
	decided(t, again, pb.Decision_DECISION_REPLAYED)
	if again.Result.ResultJson != `{"id":"re_1"}` {
		t.Fatalf("the recorded result is the answer: %v", again.Result)
	}
}

// failureIsStoredAsTheResult: five outcomes, each proposed again at once and after the retry time.
func failureIsStoredAsTheResult(t *testing.T, w *servertest.World) {
	c := serve(w)
	order := func(id string) string { return `{"order_id":"` + id + `","amount":"49.00","currency":"USD"}` }

	t.Run("a validation error is nobody's result", func(t *testing.T) {
		for range 2 {
			rejects(t, c, "payment.capture", `{"order_id":"o1","currency":"USD"}`, "INVALID_ARGUMENTS", "arguments_json/amount")
		}
	})
	t.Run("429", func(t *testing.T) {
		p := c.Execute("payment.capture", order("o2"))
		inState(t, c.Reported(p, servertest.RateLimited(30*time.Second)).Operation, pb.Operation_STATE_FAILED_RETRYABLE)
		at := c.Propose("payment.capture", order("o2"))
		decided(t, at, pb.Decision_DECISION_RETRY_LATER)
		if wait := at.RetryAfter.AsDuration(); wait < 29*time.Second || wait > 32*time.Second {
			t.Errorf("the provider's own time is heeded: %v", wait)
		}
		w.Pass(32 * time.Second)
		again := c.Execute("payment.capture", order("o2"))
		if again.VendorIdempotencyKey != p.VendorIdempotencyKey || again.AttemptNumber != 2 {
			t.Fatalf("the next attempt goes under the same key: %v", again)
		}
	})
	t.Run("a 500 that may have committed", func(t *testing.T) {
		p := c.Execute("payment.capture", order("o3"))
		inState(t, c.Reported(p, servertest.Ambiguous()).Operation, pb.Operation_STATE_UNKNOWN_OUTCOME)
		decided(t, c.Propose("payment.capture", order("o3")), pb.Decision_DECISION_RECONCILING)
	})
	t.Run("the provider's refusal", func(t *testing.T) {
		p := c.Execute("payment.capture", order("o4"))
		inState(t, c.Reported(p, servertest.Rejected("card_declined")).Operation, pb.Operation_STATE_FAILED_PERMANENT)
		for range 2 {
			decided(t, c.Propose("payment.capture", order("o4")), pb.Decision_DECISION_REPLAYED)
			w.Pass(time.Hour)
		}
	})
	t.Run("success", func(t *testing.T) {
		p := c.Execute("payment.capture", order("o5"))
		inState(t, c.Reported(p, servertest.Succeeded("ch_5", `{}`)).Operation, pb.Operation_STATE_COMPLETED_SUCCESS)
		for range 2 {
			decided(t, c.Propose("payment.capture", order("o5")), pb.Decision_DECISION_REPLAYED)
			w.Pass(time.Hour)
		}
	})
}

// keyActsAgainAfterTheRetention: the vendor forgets after a day, the ledger does not, and it knows when the vendor does.
func keyActsAgainAfterTheRetention(t *testing.T, w *servertest.World) {
	c := serve(w)
	d := fieldTool(t, "payment.capture")
	d.Retry.MaxElapsed = durationpb.New(30 * 24 * time.Hour) // so that nothing but the vendor's memory bounds a resend
	c.ApplyDefinition(d)
	order := func(id string) string { return `{"order_id":"` + id + `","amount":"49.00","currency":"USD"}` }
	inside, beyond, done := c.Execute("payment.capture", order("a")), c.Execute("payment.capture", order("b")), c.Execute("payment.capture", order("c"))
	c.Reported(inside, servertest.Ambiguous())
	c.Reported(beyond, servertest.Ambiguous())
	c.Reported(done, servertest.Succeeded("ch_c", `{"id":"ch_c"}`))

	w.Pass(23 * time.Hour)
	resend := c.Propose("payment.capture", order("a"))
	decided(t, resend, pb.Decision_DECISION_EXECUTE)
	if resend.Permit.VendorIdempotencyKey != inside.VendorIdempotencyKey || !resend.Permit.Resend {
		t.Fatalf("a resend is the same request: %v", resend.Permit)
	}
	w.Pass(2 * time.Hour)
	late := c.Propose("payment.capture", order("b"))
	decided(t, late, pb.Decision_DECISION_RECONCILING)
	if late.Result.NextAction.GetKind() != pb.NextActionKind_NEXT_ACTION_KIND_ASK_PERSON || c.Operation(beyond.OperationId).NeedsHuman == nil {
		t.Errorf("a person is asked: %v", late.Result)
	}
	var byReference bool
	for _, q := range late.Lookup.GetQuestions() {
		byReference = byReference || q.By == pb.LookupBy_LOOKUP_BY_CLIENT_REFERENCE
	}
	if !byReference {
		t.Errorf("it can still be looked up by the client reference: %v", late.Lookup)
	}
	w.Pass(400 * 24 * time.Hour)
	decided(t, c.Propose("payment.capture", order("c")), pb.Decision_DECISION_REPLAYED)
	decided(t, c.Propose("payment.capture", order("b")), pb.Decision_DECISION_RECONCILING)
}

// anotherTenantsKey: two tenants, the same tool, the same arguments, the same caller's key.
func anotherTenantsKey(t *testing.T, w *servertest.World) {
	const everything = "propose,execute,read,administer"
	people := newPeople(t, "north n "+everything, "south s "+everything)
	anyone := w.Serve(servertest.WithCallers(people))
	north, south := anyone.As(people.token("n")), anyone.As(people.token("s"))
	north.Apply(fieldTools)
	south.Apply(fieldTools)
	theirs := north.Execute("payment.capture", capture, withKey("K1"))
	ours := south.Execute("payment.capture", capture, withKey("K1"))
	otherOperation(t, theirs.OperationId, ours.OperationId)
	if theirs.VendorIdempotencyKey == ours.VendorIdempotencyKey || theirs.ClientReference == ours.ClientReference {
		t.Error("vendor keys of two tenants are equal")
	}
	north.Reported(theirs, servertest.Succeeded("ch_1", `{"secret":"north"}`))
	strangerSeesNothing(t, south, theirs)
}

// strangerSeesNothing makes every call about another namespace's operation, with its true ids and token, and expects the
// answers that an operation gets which nobody has.
func strangerSeesNothing(t *testing.T, stranger *servertest.Client, p *pb.Permit) {
	t.Helper()
	nobody := &pb.Permit{OperationId: "op_00000000000000000000000000", AttemptId: p.AttemptId, AttemptToken: p.AttemptToken}
	for name, call := range callsAbout(t, stranger) {
		theirs, unknown := call(p), call(nobody)
		refused(t, theirs, codes.NotFound, "OPERATION_NOT_FOUND")
		refused(t, unknown, codes.NotFound, "OPERATION_NOT_FOUND")
		if a, b := withoutID(theirs, p.OperationId), withoutID(unknown, nobody.OperationId); a != b {
			t.Errorf("%s tells another's operation from an unknown one: %q, %q", name, a, b)
		}
	}
	if list := stranger.Operations(); len(list) != 1 || list[0].OperationId == p.OperationId {
		t.Errorf("the stranger's list holds %v", list)
	}
}

// permitsAnswerIsLost: the server commits the grant and dies before the client reads it.
func permitsAnswerIsLost(t *testing.T, w *servertest.World) {
	c := serve(w)
	request := uuid.NewString()
	lost := c.Propose("email.send", mail, withRequest(request)) // whose answer nobody reads
	w.Restart()
	c = w.Serve()
	again := c.Propose("email.send", mail, withRequest(request))
	decided(t, again, pb.Decision_DECISION_EXECUTE)
	if a, b := lost.Permit, again.Permit; a.AttemptId != b.AttemptId || a.AttemptNumber != b.AttemptNumber || a.AttemptToken != b.AttemptToken || a.OperationId != b.OperationId {
		t.Fatalf("the retry is given the same attempt: %v, then %v", a, b)
	}
	deadline := c.Operation(again.Permit.OperationId).Attempts[0].DeadlineTime
	for _, run := range []string{"run_1", "run_2"} {
		other := c.Propose("email.send", mail, from("wf_1", run))
		decided(t, other, pb.Decision_DECISION_IN_FLIGHT)
		if other.Result.OperationId != again.Permit.OperationId || !other.Holder.GetUntil().AsTime().Equal(deadline.AsTime()) {
			t.Fatalf("another call is told the real operation and its deadline: %v", other)
		}
	}
	attempts(t, c.Operation(again.Permit.OperationId), 1)
	// Nobody began, so that at the deadline nothing was sent for certain.
	w.Pass(time.Minute)
	decided(t, c.Propose("email.send", mail), pb.Decision_DECISION_RETRY_LATER)
	w.Pass(2 * time.Second)
	if next := c.Execute("email.send", mail); next.AttemptNumber != 2 {
		t.Fatalf("the next attempt is %v", next)
	}
}
