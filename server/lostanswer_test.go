package server_test

import (
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestLostAnswer: what the same request id is answered while the attempt that it earned is live. It gets its permit again
// only where that is safe whoever asks; another request id never does.
func TestLostAnswer(t *testing.T) {
	for name, when := range map[string]struct {
		tool, arguments string
		begun           bool
		again           pb.Decision
	}{
		"a read":                         {"order.get", `{"order_id":"o"}`, false, pb.Decision_DECISION_EXECUTE},
		"a write to one's own database":  {"contact.upsert", `{"contact_id":"c"}`, false, pb.Decision_DECISION_EXECUTE},
		"a write that the provider keys": {"payment.capture", capture, false, pb.Decision_DECISION_EXECUTE},
		"a write without a key, unbegun": {"email.send", mail, false, pb.Decision_DECISION_EXECUTE},
		"a write without a key, begun":   {"email.send", mail, true, pb.Decision_DECISION_IN_FLIGHT},
		"an irreversible one, unbegun":   {"access.revoke", `{"user_id":"u","grant_id":"g"}`, false, pb.Decision_DECISION_EXECUTE},
		"an irreversible one, begun":     {"access.revoke", `{"user_id":"u","grant_id":"g"}`, true, pb.Decision_DECISION_IN_FLIGHT},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			servertest.On(t, func(t *testing.T, w *servertest.World) {
				c := serve(w)
				other := w.Serve()
				id := uuid.NewString()
				first := c.Propose(when.tool, when.arguments, withRequest(id))
				decided(t, first, pb.Decision_DECISION_EXECUTE)
				if when.begun {
					c.Begin(first.Permit)
				}
				for range 2 { // at any server, from any run
					again := other.Propose(when.tool, when.arguments, withRequest(id), from("wf_1", "run_2"))
					decided(t, again, when.again)
					sameOperation(t, first.Result.OperationId, again.Result.OperationId)
					if p := again.Permit; p != nil && (p.AttemptId != first.Permit.AttemptId || p.AttemptToken != first.Permit.AttemptToken || p.VendorIdempotencyKey != first.Permit.VendorIdempotencyKey) {
						t.Fatalf("it is the same permit: %v, %v", first.Permit, p)
					}
				}
				another := pb.Decision_DECISION_IN_FLIGHT
				if when.tool == "order.get" {
					another = pb.Decision_DECISION_EXECUTE // a read of its own
				}
				decided(t, other.Propose(when.tool, when.arguments), another)
				o := c.Operation(first.Permit.OperationId)
				attempts(t, o, 1)
				if again := when.again == pb.Decision_DECISION_EXECUTE; o.Attempts[0].HandedAgain != again {
					t.Errorf("that it went out twice is recorded: %v", o.Attempts[0])
				}

				// Ended, the repeat is judged like any proposal.
				c.Begin(first.Permit)
				c.Reported(first.Permit, servertest.Succeeded("e_1", `{"id":"e_1"}`))
				replay := other.Propose(when.tool, when.arguments, withRequest(id))
				decided(t, replay, pb.Decision_DECISION_REPLAYED)
				if replay.Result.ResultJson != `{"id":"e_1"}` {
					t.Errorf("the recorded result is the answer: %v", replay.Result)
				}
				changed := servertest.Proposal("order.get", `{"order_id":"another"}`, withRequest(id))
				_, err := c.ProposeOperation(t.Context(), changed)
				refused(t, err, codes.FailedPrecondition, "REQUEST_ID_REUSED")
			})
		})
	}
}

// TestLostAnswerAfterTheDeadline: the attempt that the request earned is over, so that its repeat is any proposal.
func TestLostAnswerAfterTheDeadline(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		id := uuid.NewString()
		first := c.Propose("email.send", mail, withRequest(id))
		w.Pass(time.Minute)
		decided(t, c.Propose("email.send", mail, withRequest(id)), pb.Decision_DECISION_RETRY_LATER) // known as not sent
		w.Pass(2 * time.Second)
		second := c.Propose("email.send", mail, withRequest(id))
		decided(t, second, pb.Decision_DECISION_EXECUTE)
		if second.Permit.AttemptNumber != 2 || second.Permit.AttemptToken == first.Permit.AttemptToken {
			t.Fatalf("it is the next attempt: %v", second.Permit)
		}
		_, err := c.BeginAttempt(t.Context(), servertest.BeginRequest(first.Permit, servertest.Nonce))
		refused(t, err, codes.FailedPrecondition, "PERMIT_EXPIRED")
	})
}

// TestRequestIDsAreThePrincipals: two principals may choose the same request id.
func TestRequestIDsAreThePrincipals(t *testing.T) {
	people := newPeople(t, "shop one propose,execute,read", "shop two propose,execute,read", "shop admin administer")
	anyone := servertest.SQLite(t).Serve(servertest.WithCallers(people))
	anyone.As(people.token("admin")).Apply(fieldTools)
	one, two := anyone.As(people.token("one")), anyone.As(people.token("two"))
	id := uuid.NewString()
	decided(t, one.Propose("email.send", mail, withRequest(id)), pb.Decision_DECISION_EXECUTE)
	// The same proposal by another principal is another request, and no repeat of the first one's.
	decided(t, two.Propose("email.send", mail, withRequest(id)), pb.Decision_DECISION_IN_FLIGHT)
	decided(t, two.Propose("payment.capture", capture), pb.Decision_DECISION_EXECUTE)
}
