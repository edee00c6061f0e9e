package faulttest

import (
	"strings"
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/server/servertest"
)

// ticket is a write whose provider takes no key and is searched by the reference, through an index that lags: two clean
// empty answers after two minutes are "not there".
const ticket = `
name: ticket.create
class: EXTERNAL_NON_IDEMPOTENT_WRITE
executor: SERVER_HTTP
arguments_schema: {type: object, additionalProperties: false, required: [ref], properties: {ref: {type: string, minLength: 1, maxLength: 64}}}
identity: {key_template: "ticket:{ref}", occurrence: NOBODY}
retry: {initial_backoff: 1s}
provider:
  name: vendor
  account: tickets
  stores_client_reference: true
  longest_flight: 20s
  propagation_delay: 100s
  lookups: [{by: CLIENT_REFERENCE, search: true, empty_answers: 2}]
http:
  request: {method: POST, url: "http://provider/plain/tickets", json: '{"ref":"{args.ref}","client_reference":"{client_reference}"}', timeout: 3s, max_response_bytes: 65536}
  outcomes:
    - {when: {status: ["201"]}, outcome: SUCCEEDED, extract: {provider_object_id: /id, client_reference: /client_reference}}
  lookups:
    - by: CLIENT_REFERENCE
      request: {method: GET, url: "http://provider/plain/tickets?client_reference={reference}", timeout: 3s}
      found: {status: ["200"], body_pointer: /data/0}
      not_found: {status: ["200"], body_pointer: /data, body_equals_json: "[]"}
      items: /data
      extract: {provider_object_id: /id, client_reference: /client_reference}
  allowed_hosts: [127.0.0.1]
`

// mail is one operation for each recipient, whose provider takes no key and cannot be asked. The key header is sent all
// the same, as some clients do: it is what makes an HTTP library count a POST as safe to repeat.
const mail = `
name: mail.send
class: EXTERNAL_NON_IDEMPOTENT_WRITE
executor: SERVER_HTTP
arguments_schema: {type: object, additionalProperties: false, required: [ref], properties: {ref: {type: string, minLength: 1, maxLength: 64}}}
identity: {key_template: "mail:{ref}", occurrence: NOBODY}
retry: {initial_backoff: 1s}
reconcile: [PERSON]
provider: {name: vendor, account: mails, longest_flight: 20s}
http:
  request:
    method: POST
    url: "http://provider/plain/mails"
    headers: [{name: Idempotency-Key, value: "{operation_id}"}]
    json: '{"ref":"{args.ref}"}'
    timeout: 3s
    max_response_bytes: 65536
  outcomes:
    - {when: {status: ["503"]}, outcome: DECLINED}
    - {when: {status: ["201"]}, outcome: SUCCEEDED, extract: {provider_object_id: /id}}
  allowed_hosts: [127.0.0.1]
`

// at applies a tool at an address in place of the provider's.
func (r *rig) at(tool, address string) {
	r.t.Helper()
	r.client.Apply(strings.ReplaceAll(tool, "http://provider", address))
}

// counts fails the test unless the provider has made so many effects of so many requests.
func (r *rig) counts(id, collection string, effects, requests int) {
	r.t.Helper()
	if c := r.vendor.Counts(); c.Effects[collection] != effects || c.Writes[collection] != requests {
		r.t.Fatalf("%d effects of %d requests, want %d of %d\n%s", c.Effects[collection], c.Writes[collection], effects, requests, history(r.client, id))
	}
}

// TestFC212TheAnswerOfTheCreateDoesNotParse: the ticket is made and the answer to it is cut. That is ambiguous, never "not
// sent": it is looked up, and there is one ticket.
func TestFC212TheAnswerOfTheCreateDoesNotParse(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		r := newRig(t, w)
		r.at(ticket, r.vendor.URL)
		r.vendor.Fail("tickets", vendor.Malformed)
		id := r.propose("ticket.create")
		o := r.until(id, "an end", ended)
		r.counts(id, "tickets", 1, 1)
		if o.State != success || o.Result.GetProviderObjectId() != r.vendor.Effects()[0].ID || o.Attempts[0].GetReport().GetAmbiguous() == nil {
			t.Fatalf("%s with %v\n%s", o.State, o.Result, history(r.client, id))
		}
	})
}

// TestFC213TheSearchDoesNotFindItYet: an empty answer of an index says nothing before its delay, counted from the attempt's
// last moment. In one world the ticket shows in time; in the other there is none, and it is made once.
func TestFC213TheSearchDoesNotFindItYet(t *testing.T) {
	const delay = 120 * time.Second // the longest flight and the propagation
	asked := func(r *rig, n int) func(*pb.Operation) bool {
		before := r.vendor.Counts().Writes["tickets?"]
		return func(*pb.Operation) bool { return r.vendor.Counts().Writes["tickets?"] >= before+n }
	}
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		r := newRig(t, w)
		r.at(ticket, r.vendor.URL)
		r.vendor.Fail("tickets", vendor.Hides)
		id := r.proposeRef("ticket.create", "shows")
		o := r.until(id, "three empty answers", asked(r, 3))
		if o.State != pb.Operation_STATE_UNKNOWN_OUTCOME || len(o.Attempts) != 1 {
			t.Fatalf("empty answers before their time made it %s\n%s", o.State, history(r.client, id))
		}
		r.vendor.Show()
		if o := r.until(id, "an end", ended); o.State != success {
			t.Fatalf("%s\n%s", o.State, history(r.client, id))
		}
		r.counts(id, "tickets", 1, 1)

		r.vendor.Fail("tickets", vendor.TimeoutBeforeCommit)
		r.vendor.Plan(vendor.Planned{Collection: "tickets?", Fault: vendor.ErrorClean, Times: 2}) // an error is never a verdict
		id = r.proposeRef("ticket.create", "never was")
		o = r.until(id, "an end", ended)
		r.counts(id, "tickets", 2, 3)
		if o.State != success || len(o.Attempts) != 2 {
			t.Fatalf("%s after %d attempts\n%s", o.State, len(o.Attempts), history(r.client, id))
		}
		if waited := o.Attempts[1].GrantTime.AsTime().Sub(o.Attempts[0].EndTime.AsTime()); waited < delay {
			t.Errorf("it was made again after %s\n%s", waited, history(r.client, id))
		}
	})
}

// TestFC214ASendWithoutAKey: what never left is sent; what a server says that it did not take is sent again; what was taken
// and not answered is before a person. In each case there is at most one mail, however often it is asked for.
func TestFC214ASendWithoutAKey(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		r := newRig(t, w)
		wire := newWire(t, strings.TrimPrefix(r.vendor.URL, "http://"))
		r.at(mail, "http://"+wire.address)
		press := func(ref, id string) {
			t.Helper()
			for range 3 {
				if a := r.client.Propose("mail.send", arguments(ref)); a.Permit != nil || a.GetResult().GetOperationId() != id {
					t.Fatalf("asked again: %v", a)
				}
			}
		}
		// (a) nobody listens: it is known that nothing left, and it is tried again.
		refusedOnce := r.proposeRef("mail.send", "refused connection")
		o := r.until(refusedOnce, "a known failure", func(o *pb.Operation) bool { return o.State == pb.Operation_STATE_FAILED_RETRYABLE })
		if o.Attempts[0].GetReport().GetNotSent() == nil {
			t.Fatalf("the report is %v", o.Attempts[0].GetReport())
		}
		wire.open(t)
		press("refused connection", refusedOnce)
		if o := r.until(refusedOnce, "an end", ended); o.State != success {
			t.Fatalf("%s\n%s", o.State, history(r.client, refusedOnce))
		}
		r.counts(refusedOnce, "mails", 1, 1)
		// (d) the server says that it did not take it, and may later.
		r.vendor.Plan(vendor.Planned{Collection: "mails", Fault: vendor.Unavailable, Times: 1, RetryAfterSeconds: 30})
		declined := r.proposeRef("mail.send", "451")
		if o := r.until(declined, "an end", ended); o.State != success || len(o.Attempts) != 2 {
			t.Fatalf("%s after %d attempts\n%s", o.State, len(o.Attempts), history(r.client, declined))
		}
		press("451", declined)
		r.counts(declined, "mails", 2, 3)
		// (c) it was taken whole, and its last answer is missing.
		r.vendor.Fail("mails", vendor.ResetAfterCommit)
		taken := r.proposeRef("mail.send", "after the dot")
		if o := r.until(taken, "a person's turn", ended); o.State != pb.Operation_STATE_UNKNOWN_OUTCOME || o.NeedsHuman == nil || len(o.Attempts) != 1 {
			t.Fatalf("%s after %d attempts\n%s", o.State, len(o.Attempts), history(r.client, taken))
		}
		press("after the dot", taken)
		r.counts(taken, "mails", 3, 4)
	})
}

// TestFC215OneItemOfABatchFails: the contract makes one operation of each recipient, so that the one that is refused fails
// alone, and the others are answered from their records.
func TestFC215OneItemOfABatchFails(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		r := newRig(t, w)
		r.at(mail, r.vendor.URL)
		r.vendor.Plan(vendor.Planned{Collection: "mails", Fault: vendor.Refuses, Reference: "c@example.com", Times: 1})
		want := map[string]pb.Operation_State{"a@example.com": success, "b@example.com": success, "c@example.com": refused}
		for to, state := range want {
			id := r.proposeRef("mail.send", to)
			if o := r.until(id, "an end", ended); o.State != state {
				t.Fatalf("%s: %s\n%s", to, o.State, history(r.client, id))
			}
		}
		for to, state := range want {
			if a := r.client.Propose("mail.send", arguments(to)); a.Decision != pb.Decision_DECISION_REPLAYED || a.GetResult().GetState() != state {
				t.Errorf("%s again: %s, %s", to, a.Decision, a.GetResult().GetState())
			}
		}
		r.counts("", "mails", 2, 3)
	})
}

// TestFC216TheLibraryRepeatsTheRequest: counted at the socket, an attempt is one request, whether the provider makes the
// effect and closes, or answers with a redirect. The server has spoken with it before, and the request bears the header
// that invites a repeat.
func TestFC216TheLibraryRepeatsTheRequest(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		r := newRig(t, w)
		wire := newWire(t, strings.TrimPrefix(r.vendor.URL, "http://"))
		wire.open(t)
		r.at(mail, "http://"+wire.address)
		first := r.proposeRef("mail.send", "first")
		if o := r.until(first, "an end", ended); o.State != success {
			t.Fatalf("%s\n%s", o.State, history(r.client, first))
		}
		for i, fault := range []vendor.Fault{vendor.ResetAfterCommit, vendor.Redirects} {
			r.vendor.Fail("mails", fault)
			id := r.proposeRef("mail.send", string(fault))
			o := r.until(id, "a person's turn", ended)
			if _, posts := wire.seen(); o.State != pb.Operation_STATE_UNKNOWN_OUTCOME || len(o.Attempts) != 1 || posts != i+2 {
				t.Fatalf("%s: %s after %d attempts and %d requests on the wire\n%s", fault, o.State, len(o.Attempts), posts-i-1, history(r.client, id))
			}
			r.counts(id, "mails", 2, i+2)
		}
	})
}
