package faulttest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// secret signs the provider's events. Its text form is that of Standard Webhooks.
const secret = "the provider of the tests signs"

const sources = `
sources:
  - name: vendor
    preset: standard
    secrets: [{environment: VENDOR_SECRET}]
    fields: {event_id: /id, event_type: /type, client_reference: /data/object/client_reference, object_id: /data/object/id}
    verdicts: {succeeded: happened, pending: in_progress, failed: did_not_happen}
`

func takesEvents(t *testing.T) servertest.Option {
	t.Helper()
	all, err := inbox.Parse("sources.yaml", []byte(sources), inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(c *server.Config) {
		c.Inbox = server.Inbox{
			Sources: func() *inbox.Sources { return all },
			Secrets: outward.Secrets{EnvPrefix: "VENDOR_", LookupEnv: func(string) (string, bool) { return secret, true }},
		}
	}
}

// deliver lets the provider send an event about its newest effect, and expects that it is taken.
func (r *rig) deliver(eventID, kind string) {
	r.t.Helper()
	r.deliverAbout("", eventID, kind)
}

// deliverAbout is the same about the newest effect of a collection.
func (r *rig) deliverAbout(collection, eventID, kind string) {
	r.t.Helper()
	var about vendor.Effect
	for _, e := range r.vendor.Effects() {
		if collection == "" || e.Collection == collection {
			about = e
		}
	}
	object, err := json.Marshal(about)
	if err != nil {
		r.t.Fatal(err)
	}
	now, err := r.world.Engine.Time(r.ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	status := r.vendor.Deliver(vendor.Delivery{
		URL: "http://" + r.client.Address + "/webhooks/default/vendor", Secret: []byte(secret), EventID: eventID, Type: kind, Object: object, At: now,
	})
	if status/100 != 2 {
		r.t.Errorf("the event %s was met with %d", eventID, status)
	}
}

// hooked are the classes whose provider sends events.
var hooked = classes[1:]

// TestEventsTellTheEnd: what the provider took on is finished by its event, however often and in whatever order events
// come, and by one transition.
func TestEventsTellTheEnd(t *testing.T) {
	for name, row := range map[string]struct {
		fault vendor.Fault
		from  pb.Operation_State
		tell  func(r *rig)
	}{
		"duplicate webhook": {vendor.Accepts, pb.Operation_STATE_ACKNOWLEDGED, func(r *rig) {
			r.vendor.Finish()
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() { r.deliver("evt_1", "succeeded") })
			}
			all.Wait()
		}},
		"two events of one end": {vendor.Accepts, pb.Operation_STATE_ACKNOWLEDGED, func(r *rig) {
			r.vendor.Finish()
			r.deliver("evt_1", "succeeded")
			r.deliver("evt_2", "succeeded")
		}},
		"out-of-order webhooks": {vendor.TimeoutAfterCommit, pb.Operation_STATE_UNKNOWN_OUTCOME, func(r *rig) {
			r.deliver("evt_2", "succeeded")
			r.deliver("evt_1", "pending")
		}},
	} {
		for _, class := range hooked {
			t.Run(name+"/"+class.tool, func(t *testing.T) {
				t.Parallel()
				servertest.On(t, func(t *testing.T, w *servertest.World) {
					r := newRig(t, w)
					r.vendor.Fail(class.collection, row.fault)
					r.vendor.Plan(vendor.Planned{Collection: class.collection + "?", Fault: vendor.ErrorClean, Times: 1000}) // lookups tell nothing
					id := r.propose(class.tool)
					r.until(id, row.from.String(), func(o *pb.Operation) bool { return o.State == row.from })
					row.tell(r)
					o := r.client.Operation(id)
					if effects := r.vendor.Counts().Effects[class.collection]; o.State != success || effects != 1 || len(o.Incidents) > 0 {
						t.Fatalf("%s with %d effects and %d incidents\n%s", o.State, effects, len(o.Incidents), history(r.client, id))
					}
					ends := 0
					for _, e := range r.client.Events(id) {
						if e.Type == pb.OperationEventType_OPERATION_EVENT_TYPE_STATE_CHANGED && e.ToState == success {
							ends++
						}
					}
					if ends != 1 {
						t.Errorf("it ended %d times\n%s", ends, history(r.client, id))
					}
				})
			})
		}
	}
}

// TestAnEventBeforeTheReport: the provider's event overtakes the answer to the request that it is about.
func TestAnEventBeforeTheReport(t *testing.T) {
	for _, class := range hooked {
		t.Run(class.tool, func(t *testing.T) {
			t.Parallel()
			servertest.On(t, func(t *testing.T, w *servertest.World) {
				r := newRig(t, w)
				r.vendor.Fail(class.collection, vendor.TimeoutAfterCommit)
				id := r.propose(class.tool)
				r.vendor.Await(r.ctx, "an effect", func(c vendor.Counts) bool { return c.Effects[class.collection] == 1 })
				r.deliver("evt_1", "succeeded")
				o := r.until(id, "an end", ended)
				if c := r.vendor.Counts(); o.State != success || c.Effects[class.collection] != 1 || c.Writes[class.collection] != 1 {
					t.Fatalf("%s, %+v\n%s", o.State, c, history(r.client, id))
				}
			})
		})
	}
}

// TestAnEventAgainstASuccess: a late failure is kept, raises an incident, calls a person, and changes no state by itself.
func TestAnEventAgainstASuccess(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		r := newRig(t, w)
		id := r.propose("payment.capture")
		r.until(id, "an end", ended)
		r.deliver("evt_9", "failed")
		o := r.client.Operation(id)
		if o.State != success || len(o.Incidents) != 1 || o.NeedsHuman == nil {
			t.Fatalf("%s, incidents %v, needs_human %v\n%s", o.State, o.Incidents, o.NeedsHuman, history(r.client, id))
		}
	})
}

// TestAStrangersEvent: an event that the provider did not sign changes nothing.
func TestAStrangersEvent(t *testing.T) {
	r := newRig(t, servertest.SQLite(t))
	r.vendor.Fail("charges", vendor.Accepts)
	id := r.propose("payment.capture")
	r.until(id, "acknowledged", func(o *pb.Operation) bool { return o.State == pb.Operation_STATE_ACKNOWLEDGED })
	status := r.vendor.Deliver(vendor.Delivery{
		URL: "http://" + r.client.Address + "/webhooks/default/vendor", Secret: []byte("a stranger"), EventID: "evt_1", Type: "succeeded",
		Object: []byte(fmt.Sprintf(`{"client_reference":%q}`, r.vendor.Effects()[0].Reference)),
	})
	if status != http.StatusUnauthorized || r.client.Operation(id).State != pb.Operation_STATE_ACKNOWLEDGED {
		t.Errorf("met with %d; the operation is %s", status, r.client.Operation(id).State)
	}
}
