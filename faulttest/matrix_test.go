package faulttest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/server/servertest"
)

const (
	success = pb.Operation_STATE_COMPLETED_SUCCESS
	refused = pb.Operation_STATE_FAILED_PERMANENT
)

// classes are one tool of each class that has effects, with where its effects are counted.
var classes = []struct{ tool, collection string }{
	{"contact.upsert", "contacts"}, {"payment.capture", "charges"}, {"email.send", "mails"}, {"access.revoke", "revocations"},
}

// row is one way in which a provider fails at the first request, and what every class promises then: it ends in that
// state with exactly so many effects.
type row struct {
	fault   vendor.Fault
	state   pb.Operation_State
	effects int
	// during is done while the outcome is open.
	during func(r *rig)
}

// rows are the fault list. A second request, where the class makes one, meets no fault.
var rows = map[string]row{
	"success":                            {"", success, 1, nil},
	"timeout after commit":               {vendor.TimeoutAfterCommit, success, 1, nil},
	"timeout before commit":              {vendor.TimeoutBeforeCommit, success, 1, nil},
	"timeout, and a commit that is late": {vendor.LateCommit, success, 1, func(r *rig) { r.vendor.CommitLate() }},
	"429 with retry-after":               {vendor.RateLimited, success, 1, nil},
	"500 with eventual consistency":      {vendor.ErrorCommitted, success, 1, func(r *rig) { r.vendor.Show() }},
	"500 that made nothing":              {vendor.ErrorClean, success, 1, nil},
	"503 with retry-after":               {vendor.Unavailable, success, 1, nil},
	"malformed response":                 {vendor.Malformed, success, 1, nil},
	"long propagation delay":             {vendor.Hides, success, 1, func(r *rig) { r.vendor.Show() }},
	"connection reset before commit":     {vendor.ResetBeforeCommit, success, 1, nil},
	"connection reset after commit":      {vendor.ResetAfterCommit, success, 1, nil},
	"slow loris body":                    {vendor.SlowBody, success, 1, nil},
	"a body that never ends":             {vendor.EndlessBody, success, 1, nil},
	"a 200 that says error":              {vendor.SaysError, refused, 0, nil},
	"a redirect of the write":            {vendor.Redirects, success, 1, nil},
	"a refusal":                          {vendor.Refuses, refused, 0, nil},
}

// TestFaultList runs every row for every class on every engine. The rows of a class share a server and follow each other,
// since all of a server's operations live in one time.
func TestFaultList(t *testing.T) {
	for _, class := range classes {
		t.Run(class.tool, func(t *testing.T) {
			t.Parallel()
			servertest.On(t, func(t *testing.T, w *servertest.World) {
				r := newRig(t, w)
				for i, name := range slices.Sorted(maps.Keys(rows)) {
					t.Run(name, func(t *testing.T) { rows[name].run(r.under(t), fmt.Sprintf("row_%d", i), class.tool, class.collection) })
				}
			})
		})
	}
}

func (row row) run(r *rig, ref, tool, collection string) {
	t, before := r.t, r.vendor.Counts()
	if row.fault != "" {
		r.vendor.Plan(vendor.Planned{Collection: collection, Fault: row.fault, Times: 1, RetryAfterSeconds: 30})
	}
	id := r.proposeRef(tool, ref)
	if row.during != nil {
		r.until(id, "the first request's end", func(o *pb.Operation) bool { return len(o.Attempts) > 0 && o.Attempts[0].EndTime != nil })
		r.vendor.Await(r.ctx, "the first request", func(c vendor.Counts) bool {
			return c.Effects[collection]+c.Late > before.Effects[collection]
		})
		row.during(r)
	}
	o := r.until(id, "an end", ended)
	counts := r.vendor.Counts()
	effects, requests := counts.Effects[collection]-before.Effects[collection], counts.Writes[collection]-before.Writes[collection]
	if o.State != row.state || effects != row.effects || counts.Faults != 0 {
		t.Fatalf("ended %s with %d effects of %d requests, want %s with %d\n%s", o.State, effects, requests, row.state, row.effects, history(r.client, id))
	}
	if len(o.Incidents) > 0 {
		t.Errorf("incidents: %v", o.Incidents)
	}
	// Whoever asks again is answered from the record, and nothing is sent.
	again := r.client.Propose(tool, arguments(ref))
	if again.Decision != pb.Decision_DECISION_REPLAYED || again.Permit != nil {
		t.Errorf("asked again: %s", again.Decision)
	}
	if now := r.vendor.Counts(); now.Writes[collection] != counts.Writes[collection] {
		t.Errorf("%d requests after the end", now.Writes[collection]-counts.Writes[collection])
	}
}
