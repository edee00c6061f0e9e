package faulttest

import (
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/server/servertest"
)

// takenOn reports whether the provider has taken the operation on.
func takenOn(o *pb.Operation) bool { return o.State == pb.Operation_STATE_ACKNOWLEDGED }

// TestAPollTellsTheEnd: what the provider took on, and of which it sends no event, is asked about until it is finished.
func TestAPollTellsTheEnd(t *testing.T) {
	for _, class := range hooked {
		t.Run(class.tool, func(t *testing.T) {
			t.Parallel()
			servertest.On(t, func(t *testing.T, w *servertest.World) {
				r := newRig(t, w)
				r.vendor.Fail(class.collection, vendor.Accepts)
				id := r.propose(class.tool)
				r.until(id, "an acknowledgement", takenOn)
				asked := r.vendor.Counts().Writes[class.collection+"?"]
				r.until(id, "two polls", func(o *pb.Operation) bool {
					if !takenOn(o) {
						t.Fatalf("a poll of what is pending made it %s\n%s", o.State, history(r.client, id))
					}
					return r.vendor.Counts().Writes[class.collection+"?"] >= asked+2
				})
				r.vendor.Finish()
				o := r.until(id, "an end", ended)
				if c := r.vendor.Counts(); o.State != success || c.Effects[class.collection] != 1 || c.Writes[class.collection] != 1 {
					t.Fatalf("%s, %+v\n%s", o.State, c, history(r.client, id))
				}
			})
		})
	}
}

// TestWhatIsOverdue: a provider that took something on and is silent past its time leaves an unknown outcome. Nothing is
// sent again, no absence clears it, and a person is asked.
func TestWhatIsOverdue(t *testing.T) {
	for _, class := range hooked {
		t.Run(class.tool, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, servertest.SQLite(t))
			r.vendor.Fail(class.collection, vendor.Accepts)
			id := r.propose(class.tool)
			r.until(id, "an acknowledgement", takenOn)
			r.vendor.Plan(vendor.Planned{Collection: class.collection + "?", Fault: vendor.ErrorClean, Times: 1 << 20}) // it cannot be asked
			o := r.until(id, "a person's turn", func(o *pb.Operation) bool { return o.NeedsHuman != nil })
			if o.State != pb.Operation_STATE_UNKNOWN_OUTCOME {
				t.Fatalf("it is %s\n%s", o.State, history(r.client, id))
			}
			if c := r.vendor.Counts(); c.Effects[class.collection] != 1 {
				t.Fatalf("%+v\n%s", c, history(r.client, id))
			}
			// The provider's own word still ends it, however late.
			r.vendor.Finish()
			r.deliver("evt_late", "succeeded")
			if o := r.client.Operation(id); o.State != success || o.NeedsHuman != nil {
				t.Fatalf("after the provider's word: %s, %v\n%s", o.State, o.NeedsHuman, history(r.client, id))
			}
		})
	}
}
