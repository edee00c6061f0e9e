package faulttest

import (
	"encoding/json"
	"strings"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/server/servertest"
)

// keyed is a payment whose provider reads the key in a header and in the body, and can be asked nothing: what is not
// known is sent once more.
const keyed = `
name: payment.take
class: EXTERNAL_IDEMPOTENT_WRITE
executor: SERVER_HTTP
arguments_schema: {type: object, additionalProperties: false, required: [ref], properties: {ref: {type: string, minLength: 1, maxLength: 64}}}
identity: {key_template: "payment:{ref}", occurrence: NOBODY}
permit: {duration: 5s}
retry: {initial_backoff: 1s}
reconcile: [RESEND, PERSON]
provider:
  name: vendor
  idempotency_key: {supported: true, header: Idempotency-Key, body_field: /meta/key, retention: 24h}
  longest_flight: 20s
http:
  request: {method: POST, url: "http://provider/keyed/payments", json: '{"ref":"{args.ref}"}', timeout: 0.4s, max_response_bytes: 65536}
  outcomes:
    - {when: {status: ["201"]}, outcome: SUCCEEDED, extract: {provider_object_id: /id}}
  replayed: {header: Idempotent-Replayed, header_equals: "true"}
  allowed_hosts: [127.0.0.1]
`

// TestFC106TheKeyReachesTheProvider: the provider makes the payment and lets the answer time out; two runs propose it
// again; it is sent once more. Each request carries the operation's own key, in the header and in the body, so that the
// provider makes one payment and says that it answered from its record.
func TestFC106TheKeyReachesTheProvider(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		r := newRig(t, w)
		r.client.Apply(strings.ReplaceAll(keyed, "http://provider", r.vendor.URL))
		r.vendor.Fail("payments", vendor.TimeoutAfterCommit)
		id := r.propose("payment.take")
		r.until(id, "the first request's end", func(o *pb.Operation) bool { return len(o.Attempts) > 0 && o.Attempts[0].EndTime != nil })
		for _, run := range []string{"run_2", "run_3"} {
			again := r.client.Propose("payment.take", `{"ref":"ref_1"}`, func(p *pb.ProposeOperationRequest) { p.RunId = run })
			if again.Permit != nil || again.GetResult().GetOperationId() != id {
				t.Fatalf("%s is answered %v", run, again)
			}
		}
		o := r.until(id, "an end", ended)
		counts, effects := r.vendor.Counts(), r.vendor.Effects()
		if o.State != success || counts.Writes["payments"] != 2 || len(effects) != 1 || len(o.Attempts) != 2 || len(o.Incidents) != 0 {
			t.Fatalf("%s after %d requests and %d effects\n%s", o.State, counts.Writes["payments"], len(effects), history(r.client, id))
		}
		var body struct {
			Meta struct{ Key string }
		}
		if err := json.Unmarshal(effects[0].Body, &body); err != nil {
			t.Fatal(err)
		}
		// The second request was answered from the first one's record: it bore the same key and the same body.
		if key := o.VendorIdempotencyKey; key == "" || effects[0].IdempotencyKey != key || body.Meta.Key != key {
			t.Errorf("the key is %q, the header's %q, the body's %q", key, effects[0].IdempotencyKey, body.Meta.Key)
		}
		if o.Result.GetProviderObjectId() != effects[0].ID || !o.Attempts[1].GetReport().GetAnswer().GetProviderReplayed() {
			t.Errorf("the result is %v, the second report %v", o.Result, o.Attempts[1].GetReport())
		}
	})
}
