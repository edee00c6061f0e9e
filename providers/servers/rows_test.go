package servers

import (
	"slices"
	"strings"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// row is one way in which a request's answer comes or does not. Each ends as a success with one effect.
type row struct {
	name   string
	writes []fault
	reads  []fault
	sent   int  // requests for the effect
	asked  bool // a lookup settles it
}

var rows = []row{
	{name: "answered", sent: 1},
	{name: "the answer is lost after the commit", writes: []fault{cutAfter}, sent: 1, asked: true},
	{name: "the answer does not come in time", writes: []fault{heldAfter}, sent: 1, asked: true},
	{name: "the answer breaks off", writes: []fault{garbled}, sent: 1, asked: true},
	{name: "the request is lost before the commit", writes: []fault{cutBefore}, sent: 2, asked: true},
	{name: "the answer is lost, and the first lookup's too", writes: []fault{cutAfter}, reads: []fault{cutAfter}, sent: 1, asked: true},
	{name: "the answer is lost, and the first lookup's breaks off", writes: []fault{cutAfter}, reads: []fault{garbled}, sent: 1, asked: true},
}

// trial is a tool at a server.
type trial struct {
	tool      example
	serverURL string
	secret    string
	// arguments makes the arguments of a call that no other row makes.
	arguments func(t *testing.T, n int) string
	// effects lists the ids of what the server has for it, by the server's own API.
	effects func(t *testing.T, n int) []string
}

// heldTimeout is how long an answer that is held back is waited for; the others get the tool's own time.
const heldTimeout = "timeout: 5s"

// run tries every row.
func (tr trial) run(t *testing.T) {
	for n, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			tool := tr.tool
			if slices.Contains(row.writes, heldAfter) {
				tool.instead = append(slices.Clone(tool.instead), "timeout: 20s", heldTimeout)
			}
			r := newRig(t, tr.serverURL, tr.secret, []example{tool})
			r.proxy.plan(row.writes, row.reads)
			arguments := tr.arguments(t, n)
			id := r.propose(tool.name, arguments)
			o := r.until(id, "an end", ended)
			made := tr.effects(t, n)
			if o.State != pb.Operation_STATE_COMPLETED_SUCCESS || len(made) != 1 || r.proxy.writesSent() != row.sent {
				t.Fatalf("ended %s with %q after %d requests, want one effect after %d\n%s", o.State, made, r.proxy.writesSent(), row.sent, r.history(id))
			}
			if len(o.Effects) != 1 || o.Effects[0].EffectId != made[0] || len(o.Incidents) > 0 {
				t.Errorf("the server has %s; the ledger has %v, incidents %v", made[0], o.Effects, o.Incidents)
			}
			if asked := strings.Contains(r.history(id), "lookup"); asked != row.asked {
				t.Errorf("asked: %t\n%s", asked, r.history(id))
			}
			if again := r.client.Propose(tool.name, arguments); again.Decision != pb.Decision_DECISION_REPLAYED || r.proxy.writesSent() != row.sent {
				t.Errorf("proposed again it is %s, after %d requests", again.Decision, r.proxy.writesSent())
			}
		})
	}
}
