package server_test

import (
	"testing"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestLostCommitsOfTheConfiguration: each change of the configuration is made once although its commit is not told, and
// is answered as it was made.
func TestLostCommitsOfTheConfiguration(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		forgetful := servertest.Forgetful(w, func() {})
		c := policyOf(serve(w))
		epoch := func() int64 {
			t.Helper()
			set, err := w.Engine.Tools(t.Context(), "default")
			if err != nil {
				t.Fatal(err)
			}
			return set.Epoch
		}
		lost := func(what string, by int64, change func() error) {
			t.Helper()
			before := epoch()
			forgetful.ForgetOnce()
			if err := change(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if !forgetful.Forgot() {
				t.Fatalf("%s: no commit was lost, so that this proves nothing", what)
			}
			if moved := epoch() - before; moved != by {
				t.Fatalf("%s: the configuration moved by %d", what, moved)
			}
		}
		lost("a rule", 1, func() error {
			m, err := c.tryRule(denying("refund.create", "false"))
			if err == nil && (!m.Created || m.Rule.Version != 1) {
				t.Errorf("got %v", m)
			}
			return err
		})
		lost("a pause", 1, func() error {
			_, err := c.PauseScope(t.Context(), &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: wholeNamespace, Reason: "a test"})
			return err
		})
		lost("its end", 1, func() error {
			_, err := c.ResumeScope(t.Context(), &pb.ResumeScopeRequest{RequestId: uuid.NewString(), Scope: wholeNamespace, Reason: "a test"})
			return err
		})
		lost("shadow", 1, func() error {
			_, err := c.SetShadow(t.Context(), &pb.SetShadowRequest{RequestId: uuid.NewString(), Scope: wholeNamespace, Shadow: new(true), Reason: "a test"})
			return err
		})
		grant := ""
		lost("a grant", 0, func() error {
			m, err := c.CreateGrant(t.Context(), grantRequest())
			grant = m.GetGrant().GetGrantId()
			return err
		})
		lost("its revocation", 0, func() error {
			_, err := c.RevokeGrant(t.Context(), &pb.RevokeGrantRequest{RequestId: uuid.NewString(), GrantId: grant, Reason: "a test"})
			return err
		})
		lost("a removal", 1, func() error {
			_, err := c.RemoveRule(t.Context(), &pb.RemoveRuleRequest{RequestId: uuid.NewString(), RuleId: "test.deny", Reason: "a test"})
			return err
		})
		if m, err := c.ListGrants(t.Context(), &pb.ListGrantsRequest{}); err != nil || len(m.Grants) != 1 {
			t.Fatalf("got %v, %v", m, err)
		}
	})
}
