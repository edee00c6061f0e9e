package server_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// webhookSources are the sources of the tests: the same name in two namespaces, with secrets of their own.
const webhookSources = `
sources:
  - name: acme-pay
    preset: stripe
    secrets: [{environment: S_NEW}, {environment: S_OLD}]
    fields: {client_reference: /data/object/metadata/opledger_reference}
    verdicts: {charge.succeeded: happened, charge.failed: did_not_happen, charge.pending: in_progress}
  - name: acme-pay
    namespace: south
    preset: stripe
    secrets: [{environment: S_SOUTH}]
    fields: {client_reference: /data/object/metadata/opledger_reference}
    verdicts: {charge.succeeded: happened}
  - name: broken
    preset: github
    secrets: [{environment: S_ABSENT}]
    verdicts: {x: happened}
`

var webhookSecrets = map[string]string{"S_NEW": "a new secret of acme-pay", "S_OLD": "an old secret of acme-pay", "S_SOUTH": "another secret of the south"}

// withInbox lets a server take in events of the tests' sources.
func withInbox(tb testing.TB) servertest.Option {
	tb.Helper()
	all, err := inbox.Parse("sources.yaml", []byte(webhookSources), inbox.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return func(c *server.Config) {
		c.Inbox = server.Inbox{
			Sources: func() *inbox.Sources { return all },
			Secrets: outward.Secrets{EnvPrefix: "S_", LookupEnv: func(name string) (string, bool) {
				value, set := webhookSecrets[name]
				return value, set
			}},
		}
	}
}

// hookedCapture is the field cases' payment tool, whose provider sends events.
func hookedCapture(t *testing.T) *pb.ToolDefinition {
	t.Helper()
	d := fieldTool(t, "payment.capture")
	d.Provider.WebhookSource = "acme-pay"
	d.Waiting = &pb.WaitingTerms{LookupWait: duration(20 * time.Minute)} // the provider's event is waited for
	return d
}

// chargeEvent is an event as the tests' provider sends it.
func chargeEvent(id, kind, charge, reference string, at time.Time) []byte {
	object := map[string]any{"id": charge, "metadata": map[string]string{"opledger_reference": reference}}
	body, _ := json.Marshal(map[string]any{"id": id, "type": kind, "created": at.Unix(), "data": map[string]any{"object": object}})
	return body
}

// vendor is the provider's end of webhooks: it signs by the database's time and delivers to any server.
type vendor struct {
	t      *testing.T
	w      *servertest.World
	secret string
	path   string
}

func newVendor(t *testing.T, w *servertest.World) *vendor {
	return &vendor{t: t, w: w, secret: webhookSecrets["S_NEW"], path: "/webhooks/default/acme-pay"}
}

// now is the database's time.
func (v *vendor) now() time.Time {
	v.t.Helper()
	now, err := v.w.Engine.Time(v.t.Context())
	if err != nil {
		v.t.Error(err)
	}
	return now
}

// signature is the header that a body bears when it is signed at a time.
func (v *vendor) signature(body []byte, at time.Time) string {
	v.t.Helper()
	s := parsedSource(v.t)
	headers, err := s.Sign(&inbox.Delivery{Body: body}, []byte(v.secret), "", at)
	if err != nil {
		v.t.Error(err)
	}
	return headers["Stripe-Signature"]
}

func parsedSource(t *testing.T) *inbox.Source {
	t.Helper()
	all, err := inbox.Parse("sources.yaml", []byte(webhookSources), inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return all.Find("default", "acme-pay")
}

// answer is what the endpoint answers.
type answer struct {
	status int
	header http.Header
	text   string
	Error  string `json:"error"`
	Event  string `json:"event_id"`
	Again  bool   `json:"deduplicated"`
}

// sends delivers a body to a server, changed as the test says.
func (v *vendor) sends(address string, body []byte, change ...func(*http.Request)) answer {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, "http://"+address+v.path, bytes.NewReader(body))
	if err != nil {
		v.t.Error(err)
		return answer{}
	}
	r.Header.Set("Stripe-Signature", v.signature(body, v.now()))
	for _, c := range change {
		c(r)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Error(err)
		return answer{}
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		v.t.Error(err)
		return answer{}
	}
	a := answer{status: reply.StatusCode, header: reply.Header, text: string(text)}
	if err := json.Unmarshal(text, &a); err != nil {
		v.t.Errorf("%d %q: %v", a.status, text, err)
	}
	return a
}

// delivers expects a delivery to be stored, and answers whether it was before. It may be called from any goroutine.
func (v *vendor) delivers(address string, body []byte) (again bool) {
	v.t.Helper()
	a := v.sends(address, body)
	if a.status != http.StatusOK {
		v.t.Errorf("the delivery is answered by %d %s", a.status, a.text)
	}
	return a.Again
}
