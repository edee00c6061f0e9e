package server_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestPauseHoldsEverywhere: when a pause returns, the other server starts nothing, and when its end returns, it does.
func TestPauseHoldsEverywhere(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		here, there := policyOf(a), policyOf(b)
		n := 0
		capturing := func() *pb.ProposeOperationResponse {
			n++
			return there.Propose("payment.capture", fmt.Sprintf(`{"order_id":"order_%d","amount":"49.00","currency":"USD"}`, n))
		}
		for _, scope := range []*pb.SwitchScope{wholeNamespace, toolScope("payment.capture"), classScope(pb.ToolClass_TOOL_CLASS_EXTERNAL_IDEMPOTENT_WRITE)} {
			decided(t, capturing(), pb.Decision_DECISION_EXECUTE)
			pause := &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: scope, Reason: "the provider is down"}
			paused, err := here.PauseScope(t.Context(), pause)
			if err != nil {
				t.Fatal(err)
			}
			if p := paused.Pause; p.Principal != "local" || p.Reason != pause.Reason || p.Time == nil {
				t.Fatalf("got %v", p)
			}
			sameMessage(t, paused.Pause.Scope, scope)
			no := capturing()
			decided(t, no, pb.Decision_DECISION_DENIED)
			says(t, no.DecidedBy.GetExplanation(), "the provider is down")
			if again, err := here.PauseScope(t.Context(), pause); err != nil || again.Pause.Etag != paused.Pause.Etag {
				t.Fatalf("a repeat of a lost answer is answered: %v, %v", again, err)
			}

			listed, err := there.ListPauses(t.Context(), &pb.ListPausesRequest{})
			if err != nil || len(listed.Pauses) != 1 {
				t.Fatalf("got %v, %v", listed, err)
			}
			sameMessage(t, listed.Pauses[0], paused.Pause)

			resume := &pb.ResumeScopeRequest{RequestId: uuid.NewString(), Scope: scope, Reason: "it is back", Etag: "v99"}
			_, err = here.ResumeScope(t.Context(), resume)
			refused(t, err, codes.Aborted, "ETAG_MISMATCH")
			resume.Etag = paused.Pause.Etag
			for range 2 { // the second is a repeat of a lost answer
				ended, err := here.ResumeScope(t.Context(), resume)
				if err != nil || ended.Pause.Reason != pause.Reason {
					t.Fatalf("got %v, %v", ended, err)
				}
			}
			decided(t, capturing(), pb.Decision_DECISION_EXECUTE)
			_, err = here.ResumeScope(t.Context(), &pb.ResumeScopeRequest{RequestId: uuid.NewString(), Scope: scope, Reason: "another"})
			refused(t, err, codes.NotFound, "POLICY_OBJECT_NOT_FOUND")
			// The pause's repeat, however late, pauses nothing; another request under its id is told.
			if _, err := there.PauseScope(t.Context(), pause); err != nil {
				t.Fatal(err)
			}
			pause.Reason = "another"
			_, err = there.PauseScope(t.Context(), pause)
			refused(t, err, codes.FailedPrecondition, "REQUEST_ID_REUSED")
		}
		decided(t, capturing(), pb.Decision_DECISION_EXECUTE)
		if listed, err := there.ListPauses(t.Context(), &pb.ListPausesRequest{}); err != nil || len(listed.Pauses) != 0 {
			t.Fatalf("got %v, %v", listed, err)
		}
	})
}

// TestPauseUnderLoad: while both servers are asked without a break, nothing that is asked after the pause has returned gets
// a permit, and no permit of before is begun or extended; what is under way ends as it does.
func TestPauseUnderLoad(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		here, there := policyOf(a), policyOf(b)
		arguments := func(ref string) string { return `{"template":"t","ref":"` + ref + `","to":["kim@example.com"]}` }
		held, begun := there.Propose("email.send", arguments("held")), there.Execute("email.send", arguments("begun"))

		var paused atomic.Bool
		var wait sync.WaitGroup
		for i := range 4 {
			c := []*policyClient{here, there}[i%2]
			wait.Go(func() {
				for after := 0; after < 5; {
					began := paused.Load()
					m, err := c.ProposeOperation(t.Context(), servertest.Proposal("email.send", arguments(uuid.NewString())))
					if err != nil {
						t.Error(err)
						return
					}
					if began {
						after++
						// So many are denied in one minute that who asks on is slowed.
						if rule := m.DecidedBy.GetRuleId(); m.Permit != nil || rule != "paused" && rule != "denial_loop" {
							t.Errorf("after the pause: %v", m)
						}
					}
				}
			})
		}
		_, err := here.PauseScope(t.Context(), &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: wholeNamespace, Reason: "an incident"})
		paused.Store(true)
		wait.Wait()
		if err != nil {
			t.Fatal(err)
		}
		_, err = there.BeginAttempt(t.Context(), servertest.BeginRequest(held.Permit, servertest.Nonce))
		refused(t, err, codes.FailedPrecondition, "TOOL_DISABLED")
		_, err = there.ExtendAttempt(t.Context(), servertest.ExtendRequest(begun, time.Minute))
		refused(t, err, codes.FailedPrecondition, "TOOL_DISABLED")
		inState(t, there.Reported(begun, servertest.Succeeded("msg_1", `{}`)).Operation, pb.Operation_STATE_COMPLETED_SUCCESS)
		decided(t, there.Propose("email.send", arguments("begun")), pb.Decision_DECISION_REPLAYED)
	})
}

// TestShadowHoldsEverywhere: in shadow a rule is asked and let pass, and said so; in force again it holds, at once and on
// the other server.
func TestShadowHoldsEverywhere(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		here, there := policyOf(a), policyOf(b)
		here.rule(denying("payment.capture", "true"))
		n := 0
		capturing := func() *pb.ProposeOperationResponse {
			n++
			return there.Propose("payment.capture", fmt.Sprintf(`{"order_id":"order_%d","amount":"49.00","currency":"USD"}`, n))
		}
		set := func(scope *pb.SwitchScope, shadow bool) {
			t.Helper()
			m, err := here.SetShadow(t.Context(), &pb.SetShadowRequest{RequestId: uuid.NewString(), Scope: scope, Shadow: &shadow, Reason: "a trial"})
			if err != nil || m.Shadow != shadow {
				t.Fatalf("got %v, %v", m, err)
			}
			sameMessage(t, m.Scope, scope)
		}
		for _, scope := range []*pb.SwitchScope{wholeNamespace, toolScope("payment.capture"), classScope(pb.ToolClass_TOOL_CLASS_EXTERNAL_IDEMPOTENT_WRITE)} {
			decided(t, capturing(), pb.Decision_DECISION_DENIED)
			set(scope, true)
			passed := capturing()
			decided(t, passed, pb.Decision_DECISION_EXECUTE)
			if s := passed.ShadowVerdicts; len(s) != 1 || s[0].RuleId != "test.deny" || !s[0].Shadow || s[0].Decision != pb.Decision_DECISION_DENIED {
				t.Fatalf("what would have been said is %v", s)
			}
			set(scope, false)
		}
		decided(t, capturing(), pb.Decision_DECISION_DENIED)
	})
}

// TestSwitchesOfNothing: a tool that does not exist, and a part that a later release knows.
func TestSwitchesOfNothing(t *testing.T) {
	c := policyOf(serve(servertest.SQLite(t)))
	_, err := c.PauseScope(t.Context(), &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: toolScope("no.such"), Reason: "a test"})
	refused(t, err, codes.NotFound, "TOOL_NOT_FOUND")
	_, err = c.PauseScope(t.Context(), &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: &pb.SwitchScope{}, Reason: "a test"})
	refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "scope.part")
	_, err = c.PauseScope(t.Context(), &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: classScope(17), Reason: "a test"})
	refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "scope.tool_class")
	_, err = c.PauseScope(t.Context(), &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: wholeNamespace})
	refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "reason")
	_, err = c.SetShadow(t.Context(), &pb.SetShadowRequest{RequestId: uuid.NewString(), Scope: wholeNamespace, Reason: "a test"})
	refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "shadow")
}
