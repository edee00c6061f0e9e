package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/notify"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// hookSecret is what the variable of the tests' signing secret holds. Nobody is ever answered with it.
const hookSecret = "0123456789abcdef0123456789abcdef"

// notifying lets subscriptions name loopback, and the one secret of the tests.
func notifying(c *server.Config) { c.Notify = hookRules }

var hookRules = notify.Rules{AllowHTTP: true, AllowPrivate: true, Secrets: notify.Secrets{
	EnvPrefix: notify.DefaultEnvPrefix,
	LookupEnv: func(name string) (string, bool) { return hookSecret, name == "OPLEDGER_SECRET_HOOK" },
}}

// subscriberClient is a caller of NotificationService that is also one of the other services.
type subscriberClient struct {
	*servertest.Client
	pb.NotificationServiceClient
}

func subscriberOf(c *servertest.Client) *subscriberClient {
	return &subscriberClient{c, pb.NewNotificationServiceClient(c.Conn)}
}

func hook(url string, change ...func(*pb.SubscriptionTerms)) *pb.SubscriptionTerms {
	t := &pb.SubscriptionTerms{
		Kinds: []pb.NotificationKind{pb.NotificationKind_NOTIFICATION_KIND_APPROVAL_WAITING, pb.NotificationKind_NOTIFICATION_KIND_APPROVAL_ENDED}, Url: url,
		SigningSecret: &pb.SecretRef{Place: &pb.SecretRef_Environment{Environment: "OPLEDGER_SECRET_HOOK"}}, Description: "the team's chat",
	}
	for _, f := range change {
		f(t)
	}
	return t
}

func (c *subscriberClient) subscribes(terms *pb.SubscriptionTerms) *pb.Subscription {
	c.TB.Helper()
	m, err := c.CreateSubscription(c.TB.Context(), &pb.CreateSubscriptionRequest{RequestId: uuid.NewString(), Terms: terms})
	if err != nil {
		c.TB.Fatal(err)
	}
	return m.Subscription
}

func (c *subscriberClient) list(change ...func(*pb.ListSubscriptionsRequest)) (ids []string) {
	c.TB.Helper()
	req := &pb.ListSubscriptionsRequest{PageSize: 1}
	for _, f := range change {
		f(req)
	}
	for {
		m, err := c.ListSubscriptions(c.TB.Context(), req)
		if err != nil {
			c.TB.Fatal(err)
		}
		for _, s := range m.Subscriptions {
			ids = append(ids, s.SubscriptionId)
		}
		if req.PageToken = m.NextPageToken; req.PageToken == "" {
			return ids
		}
	}
}

func TestSubscriptionsAreKept(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := subscriberOf(w.Serve(notifying))
		req := &pb.CreateSubscriptionRequest{RequestId: uuid.NewString(), Terms: hook("https://chat.example/hooks/1")}
		var made *pb.Subscription
		for range 2 { // the repeat of a request is answered with what it made
			m, err := c.CreateSubscription(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			made = m.Subscription
		}
		sameMessage(t, made.Terms, req.Terms)
		other := &pb.CreateSubscriptionRequest{RequestId: req.RequestId, Terms: hook("https://chat.example/hooks/2")}
		_, err := c.CreateSubscription(t.Context(), other)
		refused(t, err, codes.FailedPrecondition, "REQUEST_ID_REUSED")
		paused := c.subscribes(hook("https://chat.example/2", func(x *pb.SubscriptionTerms) { x.Paused = true }))
		if all := c.list(); len(all) != 2 || all[0] >= all[1] {
			t.Fatalf("listed %q", all)
		}
		if only := c.list(func(r *pb.ListSubscriptionsRequest) { r.Paused = new(true) }); len(only) != 1 || only[0] != paused.SubscriptionId {
			t.Fatalf("paused are %q", only)
		}
		if none := c.list(func(r *pb.ListSubscriptionsRequest) { r.Kind = pb.NotificationKind_NOTIFICATION_KIND_INCIDENT }); len(none) != 0 {
			t.Fatalf("of incidents tell %q", none)
		}

		changed, err := c.UpdateSubscription(t.Context(), &pb.UpdateSubscriptionRequest{
			RequestId: uuid.NewString(), SubscriptionId: made.SubscriptionId, Etag: made.Etag,
			Terms: hook("https://chat.example/3", func(x *pb.SubscriptionTerms) { x.PreviousSigningSecret = x.SigningSecret }),
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.GetSubscription(t.Context(), &pb.GetSubscriptionRequest{SubscriptionId: made.SubscriptionId})
		if err != nil {
			t.Fatal(err)
		}
		sameMessage(t, got.Subscription, changed.Subscription)
		if got.Subscription.Terms.Url != "https://chat.example/3" || got.Subscription.Principal != "local" || strings.Contains(got.String(), hookSecret) {
			t.Fatalf("got %v", got)
		}
		end := func(etag string) error {
			_, err := c.DeleteSubscription(t.Context(), &pb.DeleteSubscriptionRequest{RequestId: uuid.NewString(), SubscriptionId: made.SubscriptionId, Etag: etag})
			return err
		}
		refused(t, end(made.Etag), codes.Aborted, "ETAG_MISMATCH")
		if err := end(got.Subscription.Etag); err != nil {
			t.Fatal(err)
		}
		refused(t, end(""), codes.NotFound, "SUBSCRIPTION_NOT_FOUND")
		_, err = c.GetSubscription(t.Context(), &pb.GetSubscriptionRequest{SubscriptionId: made.SubscriptionId})
		refused(t, err, codes.NotFound, "SUBSCRIPTION_NOT_FOUND")
		if all := c.list(); len(all) != 1 {
			t.Fatalf("listed %q", all)
		}
	})
}

func TestSubscriptionsThatAreRefused(t *testing.T) {
	w := servertest.SQLite(t)
	people := newPeople(t, "shop admin administer,read", "shop reader read", "other stranger administer,read")
	anyone := w.Serve(servertest.WithCallers(people), notifying, func(c *server.Config) { c.Notify.AllowPrivate, c.Notify.AllowHTTP = false, false })
	admin := subscriberOf(anyone.As(people.token("admin")))
	create := func(c *subscriberClient, terms *pb.SubscriptionTerms) error {
		_, err := c.CreateSubscription(t.Context(), &pb.CreateSubscriptionRequest{RequestId: uuid.NewString(), Terms: terms})
		return err
	}
	variable := func(name string) *pb.SecretRef {
		return &pb.SecretRef{Place: &pb.SecretRef_Environment{Environment: name}}
	}
	for name, c := range map[string]struct {
		change func(*pb.SubscriptionTerms)
		field  string
	}{
		"clear":            {func(x *pb.SubscriptionTerms) { x.Url = "http://chat.example/1" }, "terms.url"},
		"loopback":         {func(x *pb.SubscriptionTerms) { x.Url = "https://127.0.0.1:9000/" }, "terms.url"},
		"metadata":         {func(x *pb.SubscriptionTerms) { x.Url = "https://169.254.169.254/latest/" }, "terms.url"},
		"not released":     {func(x *pb.SubscriptionTerms) { x.SigningSecret = variable("DATABASE_URL") }, "terms.signing_secret"},
		"not there":        {func(x *pb.SubscriptionTerms) { x.SigningSecret = variable("OPLEDGER_SECRET_NONE") }, "terms.signing_secret"},
		"no folder":        {func(x *pb.SubscriptionTerms) { x.SigningSecret = &pb.SecretRef{Place: &pb.SecretRef_File{File: "a"}} }, "terms.signing_secret"},
		"previous":         {func(x *pb.SubscriptionTerms) { x.PreviousSigningSecret = variable("HOME") }, "terms.previous_signing_secret"},
		"prefix":           {func(x *pb.SubscriptionTerms) { x.SigningSecret.Prefix = "Bearer " }, "terms.signing_secret.prefix"},
		"no kind at all":   {func(x *pb.SubscriptionTerms) { x.Kinds = nil }, "terms.kinds"},
		"no secret at all": {func(x *pb.SubscriptionTerms) { x.SigningSecret = nil }, "terms.signing_secret"},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, create(admin, hook("https://chat.example/1", c.change)), codes.InvalidArgument, "INVALID_REQUEST", c.field)
		})
	}
	if err := create(admin, hook("https://chat.example/2", func(x *pb.SubscriptionTerms) {
		x.Kinds = []pb.NotificationKind{pb.NotificationKind_NOTIFICATION_KIND_WORKFLOW_ENDED}
	})); err != nil {
		t.Fatalf("the ends of workflows are told: %v", err)
	}
	refused(t, create(subscriberOf(anyone.As(people.token("reader"))), hook("https://chat.example/1")), codes.PermissionDenied, "PERMISSION_DENIED")

	made := admin.subscribes(hook("https://chat.example/1"))
	stranger := subscriberOf(anyone.As(people.token("stranger")))
	_, err := stranger.GetSubscription(t.Context(), &pb.GetSubscriptionRequest{SubscriptionId: made.SubscriptionId})
	refused(t, err, codes.NotFound, "SUBSCRIPTION_NOT_FOUND")
	_, err = stranger.DeleteSubscription(t.Context(), &pb.DeleteSubscriptionRequest{RequestId: uuid.NewString(), SubscriptionId: made.SubscriptionId})
	refused(t, err, codes.NotFound, "SUBSCRIPTION_NOT_FOUND")
	if mine := stranger.list(); len(mine) != 0 {
		t.Errorf("a stranger sees %q", mine)
	}
	for range 98 {
		admin.subscribes(hook("https://chat.example/1"))
	}
	refused(t, create(admin, hook("https://chat.example/1")), codes.InvalidArgument, "INVALID_REQUEST", "terms")
}

// TestAnApprovalThatWaitsReachesTheReceiver: from the proposal to the receiver, and to the list of deliveries.
func TestAnApprovalThatWaitsReachesTheReceiver(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		got := make(chan notify.Message, 10)
		receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			var m notify.Message
			if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
				t.Error(err)
			}
			got <- m
		}))
		t.Cleanup(receiver.Close)
		c := subscriberOf(w.Serve(notifying))
		c.ApplyDefinition(revokeTool(t))
		subs := []string{c.subscribes(hook(receiver.URL)).SubscriptionId, c.subscribes(hook(receiver.URL)).SubscriptionId}
		l := transact.New(w.Engine, transact.Options{})
		d, err := notify.New(notify.Config{Ledger: l, Claimer: "test", Rules: hookRules, FirstPoll: time.Millisecond, LongestPoll: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		stop := background(t, d.Run)
		t.Cleanup(func() { stop(); l.Close() })

		approval, operation := callerOf(c.Client).waits("u_7", "g_2")
		ids := map[string]bool{}
		for range 2 {
			m := <-got
			ids[m.ID] = true
			if m.Kind != "approval_waiting" || m.ApprovalID != approval || m.OperationID != operation || m.Tool != "access.revoke" || m.Owner != "lead" || m.State != "planned" {
				t.Errorf("got %+v", m)
			}
			if m.Text != "Operation "+operation+" (access.revoke) waits for approval by lead: "+approval+"." {
				t.Errorf("it says %q", m.Text)
			}
			if b, _ := json.Marshal(m); strings.Contains(string(b), "u_7") || strings.Contains(string(b), "g_2") {
				t.Errorf("an argument is in %s", b)
			}
		}
		callerOf(c.Client).approves(approval)
		for range 2 {
			if m := <-got; m.Kind != "approval_ended" || m.ApprovalID != approval {
				t.Errorf("got %+v", m)
			}
		}
		stop()

		var listed []*pb.Delivery
		req := &pb.ListDeliveriesRequest{PageSize: 1, OperationId: operation}
		for {
			m, err := c.ListDeliveries(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Deliveries) > 1 {
				t.Fatalf("a page has %d", len(m.Deliveries))
			}
			listed = append(listed, m.Deliveries...)
			if req.PageToken = m.NextPageToken; req.PageToken == "" {
				break
			}
		}
		seen := map[string]bool{}
		for i, m := range listed {
			seen[m.DeliveryId] = true
			waiting := m.Kind == pb.NotificationKind_NOTIFICATION_KIND_APPROVAL_WAITING
			if m.State != pb.Delivery_STATE_DELIVERED || m.Tries != 1 || m.LastAnswer != "200 OK" || waiting != (i >= 2) || waiting != ids[m.DeliveryId] || m.OperationVersion == 0 {
				t.Errorf("delivery %d is %v", i, m)
			}
		}
		if len(listed) != 4 || len(seen) != 4 {
			t.Fatalf("listed %v", listed)
		}
		for name, c2 := range map[string]struct {
			req  *pb.ListDeliveriesRequest
			want int
		}{
			"of one":      {&pb.ListDeliveriesRequest{SubscriptionId: subs[0]}, 2},
			"of nobody":   {&pb.ListDeliveriesRequest{SubscriptionId: "sub_none"}, 0},
			"failed":      {&pb.ListDeliveriesRequest{States: []pb.Delivery_State{pb.Delivery_STATE_FAILED}}, 0},
			"delivered":   {&pb.ListDeliveriesRequest{States: []pb.Delivery_State{pb.Delivery_STATE_DELIVERED}}, 4},
			"other about": {&pb.ListDeliveriesRequest{OperationId: "op_none"}, 0},
		} {
			if m, err := c.ListDeliveries(t.Context(), c2.req); err != nil || len(m.Deliveries) != c2.want {
				t.Errorf("%s: %v, %v", name, m, err)
			}
		}
		_, err = c.ListDeliveries(t.Context(), &pb.ListDeliveriesRequest{PageToken: "bm9uc2Vuc2U"})
		refused(t, err, codes.InvalidArgument, "INVALID_PAGE_TOKEN")
	})
}

// background runs a loop and answers how to end it and wait for its end.
func background(t *testing.T, loop func(context.Context)) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { loop(ctx); close(ended) }()
	return func() { cancel(); <-ended }
}
