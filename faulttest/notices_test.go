package faulttest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/notify"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// told is a subscriber's address, with what it was told, in order.
type told struct {
	mu  sync.Mutex
	all []notify.Message
}

func (in *told) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m notify.Message
	if json.NewDecoder(r.Body).Decode(&m) != nil || r.Header.Get("webhook-id") != m.ID || r.Header.Get("webhook-signature") == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.all = append(in.all, m)
}

// kinds are what it was told of an operation, each kind once, sorted.
func (in *told) kinds(operation string) (kinds []string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, m := range in.all {
		if m.OperationID == operation && !slices.Contains(kinds, string(m.Kind)) {
			kinds = append(kinds, string(m.Kind))
		}
	}
	slices.Sort(kinds)
	return kinds
}

var noticeRules = notify.Rules{AllowHTTP: true, AllowPrivate: true, Secrets: notify.Secrets{
	EnvPrefix: notify.DefaultEnvPrefix, LookupEnv: func(string) (string, bool) { return "0123456789abcdef0123456789abcdef", true },
}}

// TestSubscribersAreTold: of an unknown outcome, of its end, of an incident and of a person's turn, each delivery under an
// id of its own, and of the tools that the subscription names alone.
func TestSubscribersAreTold(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		in := &told{}
		address := httptest.NewServer(in)
		t.Cleanup(address.Close)
		r := newRig(t, w, func(c *server.Config) { c.Notify = noticeRules })
		r.deliversNotices()
		_, err := pb.NewNotificationServiceClient(r.client.Conn).CreateSubscription(r.ctx, &pb.CreateSubscriptionRequest{
			RequestId: uuid.NewString(), Terms: &pb.SubscriptionTerms{
				Url: address.URL, Tools: []string{"payment.capture"},
				Kinds: []pb.NotificationKind{
					pb.NotificationKind_NOTIFICATION_KIND_OUTCOME_UNKNOWN, pb.NotificationKind_NOTIFICATION_KIND_OPERATION_ENDED,
					pb.NotificationKind_NOTIFICATION_KIND_INCIDENT, pb.NotificationKind_NOTIFICATION_KIND_NEEDS_HUMAN,
				},
				SigningSecret: &pb.SecretRef{Place: &pb.SecretRef_Environment{Environment: "OPLEDGER_SECRET_HOOK"}},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		r.vendor.Fail("charges", vendor.ResetAfterCommit)
		id, other := r.propose("payment.capture"), r.propose("email.send")
		r.until(id, "an end", ended)
		r.until(other, "an end", ended)
		r.deliverAbout("charges", "evt_9", "failed") // against what is known
		want := []string{"incident", "needs_human", "operation_ended", "outcome_unknown"}
		r.until(id, "every kind", func(*pb.Operation) bool { return slices.Equal(in.kinds(id), want) })
		if have := in.kinds(other); len(have) > 0 {
			t.Errorf("told of a tool that the subscription does not name: %v", have)
		}
		ids := map[string]bool{}
		in.mu.Lock()
		defer in.mu.Unlock()
		for _, m := range in.all {
			if ids[m.ID] {
				t.Errorf("the id %s names two deliveries", m.ID)
			}
			ids[m.ID] = true
		}
	})
}

// deliversNotices runs the loop that tells subscribers, until the test ends.
func (r *rig) deliversNotices() {
	r.t.Helper()
	l := transact.New(r.world.Engine, transact.Options{OnDefect: func(err error) { r.t.Errorf("defect: %v", err) }})
	d, err := notify.New(notify.Config{Ledger: l, Claimer: "notices", Rules: noticeRules, FirstPoll: 5 * time.Millisecond, LongestPoll: 5 * time.Millisecond})
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.Run(ctx)
	}()
	r.t.Cleanup(func() {
		cancel()
		<-done
		l.Close()
	})
}
