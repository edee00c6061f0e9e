package servers

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// webhookSecret is what localstripe signs with, and Opledger checks by.
const webhookSecret = "whsec_a secret of these tests"

const webhookSources = `
sources:
  - name: stripe
    preset: stripe
    secrets: [{environment: OPLEDGER_SECRET_WEBHOOK}]
    fields: {client_reference: /data/object/metadata/opledger_reference}
    verdicts: {customer.created: happened}
`

// withWebhooks lets a server take in Stripe's events.
func withWebhooks(t *testing.T) servertest.Option {
	t.Helper()
	sources, err := inbox.Parse("sources.yaml", []byte(webhookSources), inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(c *server.Config) {
		c.Inbox = server.Inbox{
			Sources: func() *inbox.Sources { return sources },
			Secrets: outward.Secrets{EnvPrefix: outward.DefaultEnvPrefix, LookupEnv: func(string) (string, bool) { return webhookSecret, true }},
		}
	}
}

// TestStripeWebhook: the answer is lost and nothing can be asked; the event that localstripe signs and sends settles it.
func TestStripeWebhook(t *testing.T) {
	t.Parallel()
	s := startLocalstripe(t)
	r := newRig(t, s.url, stripeKey, nil, withWebhooks(t))
	text, err := os.ReadFile(filepath.Join("testdata", "stripe.customer.create.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r.client.Apply(strings.ReplaceAll(string(text), "http://provider", r.proxy.URL))
	settings := `{"url":"http://` + r.client.Address + `/webhooks/default/stripe","secret":"` + webhookSecret + `","events":["customer.created"]}`
	if status := call(t, http.MethodPost, s.url+"/_config/webhooks/opledger", nil, settings, nil); status != http.StatusOK {
		t.Fatalf("localstripe answers %d to its settings", status)
	}
	r.proxy.plan([]fault{cutAfter}, nil)
	id := r.propose("stripe.customer.create", `{"email":"ann@example.com"}`)
	// The event bears the time of its making and would be too old after minutes, so no time is let pass.
	o := r.await(id, "the event", func(o *pb.Operation) bool { return o.State == pb.Operation_STATE_COMPLETED_SUCCESS })

	var customers struct{ Data []struct{ ID string } }
	s.get(t, "/v1/customers", &customers)
	if len(customers.Data) != 1 || len(o.Effects) != 1 || o.Effects[0].EffectId != customers.Data[0].ID || r.proxy.writesSent() != 1 {
		t.Errorf("localstripe has %v after %d requests, and the ledger %v", customers.Data, r.proxy.writesSent(), o.Effects)
	}
	if len(o.Evidence) != 1 || o.Evidence[0].Grade != pb.EvidenceGrade_EVIDENCE_GRADE_WEBHOOK {
		t.Errorf("the evidence is %v", o.Evidence)
	}
}
