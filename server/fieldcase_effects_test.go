package server_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// effectCases: charges, refunds and mails that were made twice.
var effectCases = []fieldCase{
	{"FC-201", twoPathsChargeOneOrder},
	{"FC-202", keyIsCarriedIntoAnotherRequest},
	{"FC-203", keyHashesVolatileFields},
	{"FC-204", recordIsDeletedOnFailure},
	{"FC-206", declineBlocksTheOrder},
	{"FC-207", secondPartialRefund},
}

// twoPathsChargeOneOrder: the checkout and the webhook handler charge at once, and spell the amount differently.
func twoPathsChargeOneOrder(t *testing.T, w *servertest.World) {
	people := newPeople(t, "shop checkout-agent propose,execute,read", "shop webhook-handler propose,execute,read", "shop admin administer")
	anyone := w.Serve(servertest.WithCallers(people))
	anyone.As(people.token("admin")).Apply(fieldTools)
	paths := []*servertest.Client{anyone.As(people.token("checkout-agent")), anyone.As(people.token("webhook-handler"))}
	spellings := []string{capture, `{"amount":49,"currency":"usd","order_id":"order_123"}`}

	const callers = 64
	answers := make([]*pb.ProposeOperationResponse, callers)
	var wait sync.WaitGroup
	for i := range callers {
		wait.Go(func() {
			m, err := paths[i%2].ProposeOperation(t.Context(), servertest.Proposal("payment.capture", spellings[i/2%2]))
			if err != nil {
				t.Errorf("caller %d: %v", i, err)
			}
			answers[i] = m
		})
	}
	wait.Wait()
	counts := map[pb.Decision]int{}
	for _, m := range answers {
		counts[m.GetDecision()]++
		sameOperation(t, answers[0].GetResult().GetOperationId(), m.GetResult().GetOperationId())
	}
	if counts[pb.Decision_DECISION_EXECUTE] != 1 || counts[pb.Decision_DECISION_IN_FLIGHT]+counts[pb.Decision_DECISION_REPLAYED] != callers-1 {
		t.Fatalf("one EXECUTE is wanted among %v", counts)
	}
	if all := paths[0].Operations(); len(all) != 1 {
		t.Fatalf("%d operations were made", len(all))
	}
}

// keyIsCarriedIntoAnotherRequest: a caller's key comes with other arguments, and with another tool.
func keyIsCarriedIntoAnotherRequest(t *testing.T, w *servertest.World) {
	c := serve(w)
	p := c.Execute("payment.capture", capture, withKey("K1"))
	c.Reported(p, servertest.Succeeded("ch_1", `{"id":"ch_1"}`))
	_, err := c.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", `{"order_id":"order_123","amount":"50.00","currency":"USD"}`, withKey("K1")))
	keyReused(t, err, p.OperationId, "/amount")
	if all := c.Operations(); len(all) != 1 {
		t.Fatalf("%d operations; the refused one is not recorded", len(all))
	}
	first := c.Propose("payment.capture", capture, withKey("K1"))
	decided(t, first, pb.Decision_DECISION_REPLAYED)

	// A caller's key is scoped to its tool: the same word is another key there.
	other := c.Execute("refund.create", refund, withKey("K1"))
	otherOperation(t, p.OperationId, other.OperationId)
	if p.VendorIdempotencyKey == other.VendorIdempotencyKey {
		t.Error("vendor keys of two operations are equal")
	}
}

// keyReused expects a key's reuse with both fingerprints, the recorded operation and the pointers that differ.
func keyReused(t *testing.T, err error, operation string, pointers ...string) {
	t.Helper()
	refused(t, err, codes.FailedPrecondition, "IDEMPOTENCY_KEY_REUSED")
	d := servertest.DetailOf[*pb.KeyReuseDetail](err)
	if d.GetOperationId() != operation || strings.Join(d.DifferingPointers, " ") != strings.Join(pointers, " ") {
		t.Fatalf("the detail names %v; want %s %q", d, operation, pointers)
	}
	for _, f := range []string{d.RecordedFingerprint, d.ProposedFingerprint} {
		if !strings.HasPrefix(f, "sha256:") || d.RecordedFingerprint == d.ProposedFingerprint {
			t.Fatalf("two fingerprints are wanted: %q, %q", d.RecordedFingerprint, d.ProposedFingerprint)
		}
	}
}

// keyHashesVolatileFields: the client's clock and its attempt's id change with every submit.
func keyHashesVolatileFields(t *testing.T, w *servertest.World) {
	c := serve(w)
	at := func(clock, attempt string) string {
		return `{"order_id":"order_123","amount":"49.00","currency":"USD","client_ctx":{"created_at":"` + clock + `","attempt_id":"` + attempt + `"}}`
	}
	p := c.Execute("payment.capture", at("10:00:01", "x"))
	c.Reported(p, servertest.Ambiguous())
	again := c.Propose("payment.capture", at("10:00:09", "y"))
	decided(t, again, pb.Decision_DECISION_RECONCILING)
	sameOperation(t, p.OperationId, again.Result.OperationId)

	// Who writes no template and no rules is warned.
	d := fieldTool(t, "record.write")
	d.Name = "charge.unruled"
	d.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","properties":{"created_at":{"type":"string"},"attempt_id":{"type":"string"}}}`}
	m, err := c.TryApply(d)
	if err != nil {
		t.Fatal(err)
	}
	var warned strings.Builder
	for _, warning := range m.Warnings {
		warned.WriteString(warning.Path + warning.Description + "\n")
	}
	says(t, warned.String(), "created_at", "attempt_id")
}

// recordIsDeletedOnFailure: the provider commits and answers 500.
func recordIsDeletedOnFailure(t *testing.T, w *servertest.World) {
	c := serve(w)
	const forty = `{"order_id":"order_123","amount":"40.00","currency":"USD"}`
	p := c.Execute("refund.create", forty)
	inState(t, c.Reported(p, servertest.Ambiguous()).Operation, pb.Operation_STATE_UNKNOWN_OUTCOME)
	again := c.Propose("refund.create", forty)
	decided(t, again, pb.Decision_DECISION_RECONCILING)
	if q := again.Lookup.GetQuestions(); len(q) == 0 || q[0].Value != p.VendorIdempotencyKey {
		t.Fatalf("the caller is told to look by the vendor key: %v", again.Lookup)
	}
	found := c.Settle(p.OperationId, servertest.Looked(again.Lookup, pb.Verdict_VERDICT_HAPPENED, "re_1"))
	inState(t, found.Operation, pb.Operation_STATE_COMPLETED_SUCCESS)
	attempts(t, found.Operation, 1)
	decided(t, c.Propose("refund.create", forty), pb.Decision_DECISION_REPLAYED)

	// Where the lookup gives no answer, an allowed resend goes out under the same vendor key.
	const other = `{"order_id":"order_124","amount":"40.00","currency":"USD"}`
	lost := c.Execute("refund.create", other)
	c.Reported(lost, servertest.Ambiguous())
	lookup := c.Propose("refund.create", other).Lookup
	c.Settle(lost.OperationId, servertest.Looked(lookup, pb.Verdict_VERDICT_STILL_UNKNOWN, ""))
	w.Pass(2 * time.Second) // the longest backoff
	resend := c.Propose("refund.create", other)
	decided(t, resend, pb.Decision_DECISION_EXECUTE)
	if !resend.Permit.Resend || resend.Permit.VendorIdempotencyKey != lost.VendorIdempotencyKey || resend.Permit.OperationId != lost.OperationId {
		t.Fatalf("a resend is the same request: %v after %v", resend.Permit, lost)
	}
}

// declineBlocksTheOrder: the card is declined, and the customer takes another.
func declineBlocksTheOrder(t *testing.T, w *servertest.World) {
	c := serve(w)
	byCard := func(method string) string {
		return `{"order_id":"order_123","amount":"49.00","currency":"USD","payment_method":"` + method + `"}`
	}
	p := c.Execute("payment.capture", byCard("pm_1"))
	inState(t, c.Reported(p, servertest.Rejected("card_declined")).Operation, pb.Operation_STATE_FAILED_PERMANENT)
	plain := c.Propose("payment.capture", byCard("pm_2"))
	decided(t, plain, pb.Decision_DECISION_REPLAYED)
	if plain.Result.Failure.GetCode() != "card_declined" || plain.Result.RetryRecommendation != pb.RetryRecommendation_RETRY_RECOMMENDATION_NO_RETRY {
		t.Fatalf("the decline is the answer: %v", plain.Result)
	}

	next := c.Propose("payment.capture", byCard("pm_2"), revising(1, "another card"))
	decided(t, next, pb.Decision_DECISION_EXECUTE)
	otherOperation(t, p.OperationId, next.Permit.OperationId)
	if next.Revision != 2 || next.Permit.VendorIdempotencyKey == p.VendorIdempotencyKey {
		t.Fatalf("the next revision has a key of its own: %v", next)
	}
	twice := c.Propose("payment.capture", byCard("pm_2"), revising(1, "another card"))
	decided(t, twice, pb.Decision_DECISION_IN_FLIGHT)
	sameOperation(t, next.Permit.OperationId, twice.Result.OperationId)

	c.Reported(next.Permit, servertest.Ambiguous())
	_, err := c.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", byCard("pm_3"), revising(2, "another card")))
	refused(t, err, codes.FailedPrecondition, "REVISION_NOT_ALLOWED")

	// Where the card is part of the identity and not of the key, the plain second proposal is a reuse, with the hint.
	d := fieldTool(t, "payment.capture")
	d.Name, d.Identity.KeyTemplate = "payment.by_card", "card:{order_id}:{amount}:{currency}"
	delete(d.Identity.Fields, "/payment_method")
	c.ApplyDefinition(d)
	carded := c.Execute("payment.by_card", byCard("pm_1"))
	c.Reported(carded, servertest.Rejected("card_declined"))
	_, err = c.ProposeOperation(t.Context(), servertest.Proposal("payment.by_card", byCard("pm_2")))
	keyReused(t, err, carded.OperationId, "/payment_method")
	says(t, status.Convert(err).Message(), "revise")
	decided(t, c.Propose("payment.by_card", byCard("pm_2"), revising(1, "another card")), pb.Decision_DECISION_EXECUTE)
}

// secondPartialRefund: 40 and 25 of 100 are two refunds, a second 40 by a retry is none. That a wanted second 40 is one
// refund too many for the order is a guard's to say, and guards come with a later release: without one it is executed.
func secondPartialRefund(t *testing.T, w *servertest.World) {
	c := serve(w)
	of := func(amount string) string {
		return `{"order_id":"order_123","amount":"` + amount + `","currency":"USD"}`
	}
	forty := c.Execute("refund.create", of("40.00"))
	c.Reported(forty, servertest.Succeeded("re_1", `{}`))
	other := c.Execute("refund.create", of("25.00"))
	otherOperation(t, forty.OperationId, other.OperationId)
	c.Reported(other, servertest.Succeeded("re_2", `{}`))
	repeated := c.Propose("refund.create", of("40.00"))
	decided(t, repeated, pb.Decision_DECISION_REPLAYED)
	sameOperation(t, forty.OperationId, repeated.Result.OperationId)
	wanted := c.Propose("refund.create", of("40.00"), occurrence("2"))
	decided(t, wanted, pb.Decision_DECISION_EXECUTE)
	otherOperation(t, forty.OperationId, wanted.Result.OperationId)
}
