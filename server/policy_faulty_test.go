package server_test

import (
	"log/slog"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// storeRule puts a rule into the ledger past every check, as a release that read rules otherwise might have.
func storeRule(t *testing.T, w *servertest.World, r *pb.PolicyRule) {
	t.Helper()
	definition, err := proto.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	set, err := w.Engine.Tools(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	l := transact.New(w.Engine, transact.Options{})
	defer l.Close()
	if _, err := l.Do(t.Context(), &ledger.ApplyRule{
		Request: ledger.Request{Namespace: "default", Principal: "local"}, Epoch: set.Epoch, RuleID: r.RuleId, Number: 1, Definition: definition, Digest: "past every check",
	}); err != nil {
		t.Fatal(err)
	}
}

// TestRulesThatCannotBeRead: nothing is let pass because a rule that stands in its way cannot be read, and the way out of
// it stays open.
func TestRulesThatCannotBeRead(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		log := &heard{}
		c := policyOf(serve(w, func(c *server.Config) { c.Logger = slog.New(slog.NewJSONHandler(log, nil)) }))
		held := c.Propose("email.send", mail)
		done := c.Execute("payment.capture", capture)
		c.Reported(done, servertest.Succeeded("ch_1", `{}`))
		storeRule(t, w, denying("payment.capture", "args.amonut.minor > 5"))

		propose := func() error {
			_, err := c.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", `{"order_id":"order_2","amount":"49.00","currency":"USD"}`))
			return err
		}
		for range 2 {
			err := propose()
			refused(t, err, codes.FailedPrecondition, "INVALID_RULE")
			says(t, err.Error(), "test.deny", "remove")
		}
		if n := len(c.Operations()); n != 2 {
			t.Fatalf("%d operations are there", n)
		}
		_, err := c.BeginAttempt(t.Context(), servertest.BeginRequest(held.Permit, servertest.Nonce))
		refused(t, err, codes.FailedPrecondition, "INVALID_RULE")
		_, err = c.tryEvaluate()
		refused(t, err, codes.FailedPrecondition, "INVALID_RULE")
		says(t, log.String(), `"level":"ERROR"`, "test.deny", "amonut")

		// Looking, mending and removing go on.
		if got := c.rules(); len(got) != 1 {
			t.Fatalf("got %v", got)
		}
		if _, err := c.ListTools(t.Context(), &pb.ListToolsRequest{}); err != nil {
			t.Fatal(err)
		}
		c.rule(denying("payment.capture", "args.amount.minor > 5"))
		decided(t, c.Propose("payment.capture", `{"order_id":"order_2","amount":"49.00","currency":"USD"}`), pb.Decision_DECISION_DENIED)
		if _, err := c.RemoveRule(t.Context(), &pb.RemoveRuleRequest{RequestId: uuid.NewString(), RuleId: "test.deny", Reason: "done"}); err != nil {
			t.Fatal(err)
		}
		if err := propose(); err != nil {
			t.Fatal(err)
		}
		c.Begin(held.Permit)
	})
}
