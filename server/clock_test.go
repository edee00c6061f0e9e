package server_test

import (
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// TestServersClocksDecideNothing: two servers on one database, one with its clock an hour ahead and one an hour behind,
// answer as two with equal clocks do. There is one clock, the database's.
func TestServersClocksDecideNothing(t *testing.T) {
	wrong := func(by time.Duration) servertest.Option {
		return func(c *server.Config) { c.Clock = func() time.Time { return time.Now().Add(by) } }
	}
	play := func(t *testing.T, w *servertest.World, ahead, behind *servertest.Client) (story []string) {
		tell := func(m *pb.ProposeOperationResponse) *pb.ProposeOperationResponse {
			story = append(story, m.Decision.String()+" "+m.Result.State.String())
			return m
		}
		ahead.Apply(fieldTools)
		permit := tell(ahead.Propose("payment.capture", capture)).Permit
		tell(behind.Propose("payment.capture", capture))
		w.Pass(59 * time.Second) // the permit's last second
		behind.Begin(permit)
		tell(behind.Propose("payment.capture", capture))
		w.Pass(2 * time.Second) // past its deadline
		tell(ahead.Propose("payment.capture", capture))
		tell(behind.Propose("payment.capture", capture))
		w.Pass(time.Minute)
		tell(behind.Propose("payment.capture", capture))
		return story
	}
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		equal := play(t, w, w.Serve(), w.Serve())
		if w.URL != "" {
			w = servertest.PostgreSQL(t)
		} else {
			w = servertest.SQLite(t)
		}
		skewed := play(t, w, w.Serve(wrong(time.Hour)), w.Serve(wrong(-time.Hour)))
		for i := range equal {
			if i >= len(skewed) || equal[i] != skewed[i] {
				t.Fatalf("with equal clocks %q, with wrong ones %q", equal, skewed)
			}
		}
		if equal[0] == equal[3] {
			t.Fatalf("the story shows nothing: %q", equal)
		}
		t.Log(equal)
	})
}
