package servers

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

var redmineTicket = example{name: "redmine.ticket.create", host: "redmine.example.com"}

// tickets lists the ids of the tickets with a subject, as their author's key sees them.
func (r redmine) tickets(t *testing.T, subject string) (ids []string) {
	t.Helper()
	var list struct {
		Issues []struct {
			ID      int
			Subject string
		}
	}
	query := url.Values{"status_id": {"*"}, "limit": {"100"}}
	if status := call(t, http.MethodGet, r.url+"/issues.json?"+query.Encode(), map[string]string{"X-Redmine-API-Key": r.key}, "", &list); status != http.StatusOK {
		t.Fatalf("the list answers %d", status)
	}
	for _, issue := range list.Issues {
		if issue.Subject == subject {
			ids = append(ids, strconv.Itoa(issue.ID))
		}
	}
	return ids
}

func ticketArguments(ref, subject string) string {
	return fmt.Sprintf(`{"ref":%q,"project":"support","subject":%q,"text":"It \"burns\".\nSince today."}`, ref, subject)
}

// TestRedmine: a ticket is opened once, whatever becomes of the answer.
func TestRedmine(t *testing.T) {
	t.Parallel()
	r, run := needRedmine(t), uuid.NewString()
	trial{
		tool: redmineTicket, serverURL: r.url, secret: r.key,
		arguments: func(_ *testing.T, n int) string {
			// A reference is made of the operation's key alone: another run of this test must not have the same key.
			return ticketArguments(fmt.Sprintf("%d_%s", n, run), fmt.Sprintf("Printer %d %s", n, run))
		},
		effects: func(t *testing.T, n int) []string { return r.tickets(t, fmt.Sprintf("Printer %d %s", n, run)) },
	}.run(t)
}

// TestRedmineKeyThatIsRevoked: to Redmine a key that is not valid is no key, and who has none sees a list of what is public.
// An empty list that nobody in particular was shown must not mean that there is no ticket.
func TestRedmineKeyThatIsRevoked(t *testing.T) {
	t.Parallel()
	server, subject := needRedmine(t), "Printer "+uuid.NewString()
	var nobody struct{ Issues []any }
	if status := call(t, http.MethodGet, server.url+"/issues.json", map[string]string{"X-Redmine-API-Key": "revoked"}, "", &nobody); status != http.StatusOK || len(nobody.Issues) > 0 {
		t.Errorf("the list of all tickets answers %d with %d tickets; if it refuses now, the tool may ask there", status, len(nobody.Issues))
	}
	r := newRig(t, server.url, server.key, []example{redmineTicket})
	r.proxy.plan([]fault{cutAfter}, []fault{cutBefore}) // so that no lookup is made before the key is revoked
	id := r.propose(redmineTicket.name, ticketArguments(subject, subject))
	r.until(id, "the lost answer", func(o *pb.Operation) bool { return o.State == pb.Operation_STATE_UNKNOWN_OUTCOME })
	revoked := "revoked"
	r.secret.Store(&revoked)
	o := r.until(id, "a person's turn", func(o *pb.Operation) bool { return ended(o) || o.NeedsHuman != nil })
	if o.State != pb.Operation_STATE_UNKNOWN_OUTCOME || len(server.tickets(t, subject)) != 1 {
		t.Fatalf("it is %s with the tickets %q\n%s", o.State, server.tickets(t, subject), r.history(id))
	}
	r.secret.Store(&server.key)
	o = r.until(id, "the find", func(o *pb.Operation) bool { return o.State == pb.Operation_STATE_COMPLETED_SUCCESS })
	if made := server.tickets(t, subject); len(made) != 1 || o.Effects[0].EffectId != made[0] || r.proxy.writesSent() != 1 {
		t.Errorf("there are %q after %d requests", made, r.proxy.writesSent())
	}
}

// TestRedmineRefuses: what Redmine refuses for good is no ticket, and is not tried again.
func TestRedmineRefuses(t *testing.T) {
	t.Parallel()
	server, subject := needRedmine(t), "Printer "+uuid.NewString()
	r := newRig(t, server.url, server.key, []example{redmineTicket})
	id := r.propose(redmineTicket.name, strings.ReplaceAll(ticketArguments(subject, subject), "support", "no-such-project"))
	o := r.until(id, "an end", ended)
	if o.State != pb.Operation_STATE_FAILED_PERMANENT || r.proxy.writesSent() != 1 || len(server.tickets(t, subject)) != 0 {
		t.Errorf("it is %s after %d requests\n%s", o.State, r.proxy.writesSent(), r.history(id))
	}
}
