package notify

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/sqlstore"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/outbox"
)

const tenant ledger.Namespace = "shop"

// The secrets of the tests, by the variables that hold them.
var secrets = map[string]string{
	"OPLEDGER_SECRET_CHAT": "whsec_" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef01234567")),
	"OPLEDGER_SECRET_OLD":  "an old secret that was written as it is",
	"OPLEDGER_SECRET_TINY": "short",
	"DATABASE_PASSWORD":    "a secret that nobody may name at all",
}

func lookup(name string) (string, bool) {
	value, set := secrets[name]
	return value, set
}

// local allows the receivers of tests, which are on loopback.
var local = Rules{AllowHTTP: true, AllowPrivate: true, Secrets: Secrets{EnvPrefix: DefaultEnvPrefix, LookupEnv: lookup}}

// world is one database with time that tests move, and the deliverers on it.
type world struct {
	t      *testing.T
	engine ledger.Engine
	ledger *transact.Ledger
	offset *atomic.Int64
}

func (w *world) advance(by time.Duration) { w.offset.Add(int64(by)) }

// onEach runs a test on each engine.
func onEach(t *testing.T, test func(t *testing.T, w *world)) {
	t.Run("sqlite", func(t *testing.T) { test(t, onSQLite(t)) })
	t.Run("postgresql", func(t *testing.T) {
		w := &world{t: t, offset: &atomic.Int64{}}
		store, err := sqlstore.Open(t.Context(), pgtest.NewDatabase(t), sqlstore.WithTimeOffset(w.offset))
		w.serve(store, err)
		test(t, w)
	})
}

func onSQLite(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, offset: &atomic.Int64{}}
	store, err := litestore.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), litestore.WithTimeOffset(w.offset))
	w.serve(store, err)
	return w
}

func (w *world) serve(engine ledger.Engine, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
	w.engine, w.ledger = engine, transact.New(engine, transact.Options{OnDefect: func(err error) { w.t.Error(err) }})
	w.t.Cleanup(func() {
		w.ledger.Close()
		if err := engine.Close(); err != nil {
			w.t.Error(err)
		}
	})
}

// put saves a record as it is.
type put struct{ ledger.Record }

func (p put) Claims() []ledger.Claim           { return nil }
func (p put) Reads(*ledger.View) []ledger.Read { return []ledger.Read{p.Key().Read()} }
func (p put) Decide(*ledger.View, ledger.Env) ledger.Decided {
	return ledger.Decided{Changes: &ledger.Changes{Records: []ledger.Record{p.Record}}}
}

func (w *world) do(c ledger.Command) any {
	w.t.Helper()
	reply, err := w.ledger.Do(w.t.Context(), c)
	if err != nil {
		w.t.Fatal(err)
	}
	return reply
}

// happens makes a notice that is due now.
func (w *world) happens(id string, change ...func(*ledger.Notice)) {
	w.t.Helper()
	now, err := w.engine.Time(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	n := &ledger.Notice{
		NoticeKind: ledger.NoticeNeedsHuman, OperationID: "op_1", OperationVersion: 4, Tool: "refund.create", State: ledger.UnknownOutcome,
		Owner: "support", Because: ledger.HumanUnknown, At: now, NextAt: now,
	}
	n.Namespace, n.ID, n.Version = tenant, id, 1
	for _, f := range change {
		f(n)
	}
	w.do(put{n})
}

// subscribes makes a subscription to everything, past the checks of the API.
func (w *world) subscribes(id, url string, change ...func(*Terms)) *ledger.Subscription {
	w.t.Helper()
	terms := &Terms{Kinds: told, URL: url, Secret: SecretRef{Environment: "OPLEDGER_SECRET_CHAT"}}
	for _, f := range change {
		f(terms)
	}
	return w.do(&ledger.CreateSubscription{
		Request: ledger.Request{Namespace: tenant, Principal: "ann", ID: ledger.RequestID(id)}, ID: id, Definition: terms.Encode(), Paused: terms.Paused,
	}).(*ledger.SubscriptionKept).Subscription
}

func (w *world) notice(id string) *ledger.Notice {
	w.t.Helper()
	r, err := w.engine.GetRecord(w.t.Context(), ledger.NoticeKey(tenant, id))
	if err != nil {
		w.t.Fatal(err)
	}
	return r.(*ledger.Notice)
}

// deliverer makes a deliverer without luck: each pause is as long as can be.
func (w *world) deliverer(change ...func(*Config)) *Deliverer {
	w.t.Helper()
	config := Config{Ledger: w.ledger, Claimer: "one", Rules: local, Jitter: func() float64 { return 0 }}
	for _, f := range change {
		f(&config)
	}
	d, err := New(config)
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// pass looks once and waits until what it found is sent and recorded. It answers how many notices that were.
func (d *Deliverer) pass(t *testing.T) int {
	t.Helper()
	errands, err := d.claim(t.Context(), outbox.DefaultBatch)
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	for _, e := range errands {
		running.Go(func() { d.run(context.Background(), e) })
	}
	running.Wait()
	return len(errands)
}

// received is one request that a receiver got.
type received struct {
	id      string
	message Message
	header  http.Header
	body    []byte
}

// inbox is a receiver on loopback. It answers as it is told.
type inbox struct {
	t      *testing.T
	server *httptest.Server
	answer func(w http.ResponseWriter, r *http.Request)
	mu     sync.Mutex
	got    []received
}

// newInbox starts a receiver that takes what it gets.
func newInbox(t *testing.T) *inbox {
	t.Helper()
	in := &inbox{t: t, answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }}
	in.server = httptest.NewServer(in)
	t.Cleanup(in.server.Close)
	return in
}

func (in *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	got := received{id: r.Header.Get("webhook-id"), header: r.Header, body: body}
	if err == nil {
		err = json.Unmarshal(body, &got.message)
	}
	if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
		in.t.Errorf("%s with %q: %v", r.Method, body, err)
	}
	in.mu.Lock()
	in.got = append(in.got, got)
	in.mu.Unlock()
	in.answer(w, r)
}

func (in *inbox) all() []received {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]received(nil), in.got...)
}

// ids counts the requests of each delivery.
func (in *inbox) ids() map[string]int {
	counts := map[string]int{}
	for _, r := range in.all() {
		counts[r.id]++
	}
	return counts
}

// only expects one request.
func (in *inbox) only() received {
	in.t.Helper()
	all := in.all()
	if len(all) != 1 {
		in.t.Fatalf("%d requests came", len(all))
	}
	return all[0]
}

// verified reports whether one of a request's signatures is by a secret: the way of a receiver, written apart from the
// sender's.
func (r received) verified(secret string) bool {
	k := []byte(secret)
	if text, marked := strings.CutPrefix(secret, "whsec_"); marked {
		k, _ = base64.StdEncoding.DecodeString(text)
	}
	mac := hmac.New(sha256.New, k)
	_, _ = fmt.Fprintf(mac, "%s.%s.%s", r.header.Get("webhook-id"), r.header.Get("webhook-timestamp"), r.body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Split(r.header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(want)) {
			return true
		}
	}
	return false
}

// run starts a deliverer and answers how to stop it and wait for its end.
func run(t *testing.T, d *Deliverer) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { d.Run(ctx); close(ended) }()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	t.Cleanup(stop)
	return stop
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !holds(); {
		if time.Now().After(end) {
			t.Fatal(what + " did not come about")
		}
		time.Sleep(time.Millisecond)
	}
}
