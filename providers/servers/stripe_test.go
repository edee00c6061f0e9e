package servers

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/childproc"
)

// stripeKey is of the form that localstripe asks for.
const stripeKey = "sk_test_opledger"

// As they ship, the tools promise what Stripe promises.
var (
	stripeCapture = example{name: "stripe.payment.capture", host: "api.stripe.com",
		// localstripe lists the payments of all customers, and refuses to list one's.
		instead: []string{"customer={args.customer}&limit=100", "limit=100"}}
	stripeRefund = example{name: "stripe.refund.create", host: "api.stripe.com"}
)

// keyless is a tool with a true profile of localstripe, which takes the header Idempotency-Key and ignores it.
func keyless(e example) example {
	e.instead = append(slices.Clone(e.instead),
		"class: EXTERNAL_IDEMPOTENT_WRITE", "class: EXTERNAL_NON_IDEMPOTENT_WRITE",
		"base: stripe.v1", "stores_client_reference: true")
	return e
}

// localstripe is a running localstripe.
type localstripe struct{ url string }

// startLocalstripe runs one for one test.
func startLocalstripe(t *testing.T) localstripe {
	t.Helper()
	python, err := filepath.Abs(in(".venv/localstripe/bin/python"))
	if err != nil {
		t.Fatal(err)
	}
	if !there(python) {
		missing(t, "localstripe", "scripts/setup-python installs it")
	}
	return localstripe{startFor(t, childproc.Command{Executable: python, Arguments: []string{filepath.Join("testdata", "serve_stripe.py")}})}
}

// post makes a request of the test's own.
func (s localstripe) post(t *testing.T, path string, form url.Values, into any, header ...string) (status int) {
	t.Helper()
	headers := map[string]string{"Authorization": "Bearer " + stripeKey, "Content-Type": "application/x-www-form-urlencoded"}
	for i := 0; i+1 < len(header); i += 2 {
		headers[header[i]] = header[i+1]
	}
	return call(t, http.MethodPost, s.url+path, headers, form.Encode(), into)
}

// get reads a list or an object.
func (s localstripe) get(t *testing.T, path string, into any) {
	t.Helper()
	if status := call(t, http.MethodGet, s.url+path, map[string]string{"Authorization": "Bearer " + stripeKey}, "", into); status != http.StatusOK {
		t.Fatalf("%s answers %d", path, status)
	}
}

// The card numbers are Stripe's own for tests.
const (
	cardThatPays     = "4242424242424242"
	cardThatDeclines = "4000000000000341"
)

// customer makes a customer with a card.
func (s localstripe) customer(t *testing.T, card string) (customer, method string) {
	t.Helper()
	var made struct{ ID string }
	details := url.Values{"type": {"card"}, "card[number]": {card}, "card[exp_month]": {"12"}, "card[exp_year]": {"2030"}, "card[cvc]": {"123"}}
	if status := s.post(t, "/v1/payment_methods", details, &made); status != http.StatusOK {
		t.Fatalf("a card is answered by %d", status)
	}
	method = made.ID
	if status := s.post(t, "/v1/customers", url.Values{"payment_method": {method}}, &made); status != http.StatusOK {
		t.Fatalf("a customer is answered by %d", status)
	}
	return made.ID, method
}

// paid lists the ids of a customer's payments that moved money.
func (s localstripe) paid(t *testing.T, customer string) (ids []string) {
	t.Helper()
	var list struct {
		Data []struct {
			ID, Customer, Status string
			Amount               int
		}
	}
	s.get(t, "/v1/payment_intents?limit=100", &list)
	for _, p := range list.Data {
		if p.Customer == customer && p.Status == "succeeded" {
			if p.Amount != 4900 {
				t.Errorf("%d was taken", p.Amount)
			}
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// refunds lists the ids of all refunds.
func (s localstripe) refunds(t *testing.T) (ids []string) {
	t.Helper()
	var list struct{ Data []struct{ ID string } }
	s.get(t, "/v1/refunds?limit=100", &list)
	for _, r := range list.Data {
		ids = append(ids, r.ID)
	}
	return ids
}

func captureArguments(order, customer, method string) string {
	return fmt.Sprintf(`{"order_id":%q,"amount":"49.00","currency":"eur","customer":%q,"payment_method":%q}`, order, customer, method)
}

// TestStripe: a payment is made once, whatever becomes of the answer, at a server that has no keys to match a repeat by.
func TestStripe(t *testing.T) {
	t.Parallel()
	s := startLocalstripe(t)
	customers := map[int]string{}
	trial{
		tool: keyless(stripeCapture), serverURL: s.url, secret: stripeKey,
		arguments: func(t *testing.T, n int) string {
			customer, method := s.customer(t, cardThatPays)
			customers[n] = customer
			return captureArguments(fmt.Sprintf("order_%d", n), customer, method)
		},
		effects: func(t *testing.T, n int) []string { return s.paid(t, customers[n]) },
	}.run(t)
}

// TestStripeResends: as it ships, the tool does not wait for a lookup that fails: it resends under the same key, which at
// Stripe is the same payment. At localstripe it is a second one, which shows what a promise costs that is not kept: a
// profile that claims keys for a provider without them makes duplicates.
func TestStripeResends(t *testing.T) {
	t.Parallel()
	s := startLocalstripe(t)
	customer, method := s.customer(t, cardThatPays)
	r := newRig(t, s.url, stripeKey, []example{stripeCapture})
	r.proxy.plan([]fault{cutAfter}, slices.Repeat([]fault{cutAfter}, 20)) // no lookup gets its answer
	id := r.propose(stripeCapture.name, captureArguments("order_resent", customer, method))
	r.until(id, "the payment", func(o *pb.Operation) bool { return o.State == pb.Operation_STATE_COMPLETED_SUCCESS })
	if keys := r.proxy.keysSent(); len(keys) != 2 || keys[0] == "" || keys[0] != keys[1] {
		t.Errorf("sent under the keys %q", keys)
	}
	if n := len(s.paid(t, customer)); n != 2 {
		t.Errorf("%d payments; if localstripe heeds keys now, its tests need no profile of their own", n)
	}
}

// TestStripeDeclines: a declined card is no payment. Where that answer is lost, the failed payment is found and says so, and
// the card is asked once more.
func TestStripeDeclines(t *testing.T) {
	t.Parallel()
	s := startLocalstripe(t)
	for name, tc := range map[string]struct {
		writes []fault
		sent   int
	}{"answered": {nil, 1}, "the answer is lost": {[]fault{cutAfter}, 2}} {
		t.Run(name, func(t *testing.T) {
			customer, method := s.customer(t, cardThatDeclines)
			r := newRig(t, s.url, stripeKey, []example{keyless(stripeCapture)})
			r.proxy.plan(tc.writes, nil)
			id := r.propose(stripeCapture.name, captureArguments("order_declined", customer, method))
			o := r.until(id, "an end", ended)
			if o.State != pb.Operation_STATE_FAILED_PERMANENT || len(o.Effects) != 0 || len(s.paid(t, customer)) != 0 || r.proxy.writesSent() != tc.sent {
				t.Errorf("it is %s with the effects %v after %d requests\n%s", o.State, o.Effects, r.proxy.writesSent(), r.history(id))
			}
		})
	}
}

// TestStripeUndone: a payment is undone by its playbook, by one refund, though the answers to both are lost.
func TestStripeUndone(t *testing.T) {
	t.Parallel()
	s := startLocalstripe(t)
	customer, method := s.customer(t, cardThatPays)
	r := newRig(t, s.url, stripeKey, []example{keyless(stripeRefund), keyless(stripeCapture)})
	r.proxy.plan([]fault{cutAfter, cutAfter}, nil)
	id := r.propose(stripeCapture.name, captureArguments("order_undone", customer, method))
	r.until(id, "the payment", func(o *pb.Operation) bool { return o.State == pb.Operation_STATE_COMPLETED_SUCCESS })
	if _, err := r.client.CompensateOperation(t.Context(), &pb.CompensateOperationRequest{
		RequestId: uuid.NewString(), OperationId: id, Reason: "The order was cancelled.",
	}); err != nil {
		t.Fatal(err)
	}
	o := r.until(id, "the refund", func(o *pb.Operation) bool { return o.State == pb.Operation_STATE_COMPENSATED })
	made := s.refunds(t)
	if len(made) != 1 || r.proxy.writesSent() != 2 {
		t.Fatalf("it is %s with the refunds %q after %d requests\n%s", o.State, made, r.proxy.writesSent(), r.history(id))
	}
	known := slices.ContainsFunc(r.client.Operations(), func(o *pb.Operation) bool {
		return o.Tool == stripeRefund.name && len(o.Effects) == 1 && o.Effects[0].EffectId == made[0]
	})
	if !known {
		t.Errorf("no operation of the ledger has the refund %s", made[0])
	}
}
