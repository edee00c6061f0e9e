package notify

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
)

func TestANoticeReachesWhoWantsIt(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		in, others := newInbox(t), newInbox(t)
		w.subscribes("sub_1", in.server.URL)
		w.subscribes("sub_kind", others.server.URL, func(x *Terms) { x.Kinds = []ledger.NoticeKind{ledger.NoticeIncident} })
		w.subscribes("sub_tool", others.server.URL, func(x *Terms) { x.Tools = []string{"email.send"} })
		w.subscribes("sub_owner", others.server.URL, func(x *Terms) { x.Owner = "finance" })
		w.happens("ntc_1")
		d := w.deliverer()
		if n := d.pass(t); n != 1 {
			t.Fatalf("%d notices were due", n)
		}
		got := in.only()
		if got.id != DeliveryID(tenant, "ntc_1", "sub_1") || got.message.ID != got.id || !got.verified(secrets["OPLEDGER_SECRET_CHAT"]) || got.verified("another") {
			t.Errorf("got %+v", got)
		}
		now, err := w.engine.Time(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		at, err := strconv.ParseInt(got.header.Get("webhook-timestamp"), 10, 64)
		if err != nil || now.Sub(time.Unix(at, 0)).Abs() > time.Minute {
			t.Errorf("sent at %d: %v", at, err)
		}
		m := got.message
		if m.Kind != "needs_human" || m.Namespace != tenant || m.OperationID != "op_1" || m.OperationVersion != 4 || m.Tool != "refund.create" ||
			m.State != "unknown_outcome" || m.Owner != "support" || m.Reason != "outcome_unknown" || m.Time == "" ||
			m.Text != "Operation op_1 (refund.create) waits for a decision by support." {
			t.Errorf("the message is %+v", m)
		}
		if len(others.all()) != 0 {
			t.Errorf("others got %v", others.all())
		}
		if n := w.notice("ntc_1"); len(n.Tries) != 1 || !n.Tries["sub_1"].Delivered || n.Tries["sub_1"].Status != 204 || !n.NextAt.IsZero() {
			t.Errorf("recorded %+v", n)
		}
		w.advance(48 * time.Hour)
		if n := d.pass(t); n != 0 {
			t.Errorf("%d notices are due again", n)
		}
	})
}

func TestAFailedDeliveryIsTriedAgainUnderTheSameID(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		in, well := newInbox(t), newInbox(t)
		faults := 2
		in.answer = func(rw http.ResponseWriter, _ *http.Request) {
			if faults--; faults >= 0 {
				rw.WriteHeader(http.StatusInternalServerError)
			}
		}
		w.subscribes("sub_1", in.server.URL)
		w.subscribes("sub_2", well.server.URL)
		w.happens("ntc_1")
		d := w.deliverer()
		d.pass(t)
		if s := w.notice("ntc_1").Tries["sub_1"]; s.Count != 1 || s.Status != 500 || s.Fault != "the receiver answered 500" {
			t.Fatalf("recorded %+v", s)
		}
		if n := d.pass(t); n != 0 {
			t.Fatal("it is due before its pause has ended")
		}
		w.advance(ledger.DeliveryFirstPause)
		d.pass(t)
		w.advance(ledger.DeliveryFirstPause) // the second pause is twice as long
		if n := d.pass(t); n != 0 {
			t.Fatal("the second pause is as short as the first")
		}
		w.advance(ledger.DeliveryFirstPause)
		d.pass(t)
		all := in.all()
		if len(all) != 3 || len(in.ids()) != 1 || string(all[0].body) != string(all[2].body) || len(well.all()) != 1 {
			t.Fatalf("got %v, and %d of the other", in.ids(), len(well.all()))
		}
		if s := w.notice("ntc_1"); !s.Tries["sub_1"].Delivered || s.Tries["sub_1"].Count != 3 || !s.NextAt.IsZero() {
			t.Fatalf("recorded %+v", s)
		}
	})
}

// TestWhatCannotBeDelivered: each failure is told in words that give away neither address nor secret.
func TestWhatCannotBeDelivered(t *testing.T) {
	w := onSQLite(t)
	elsewhere := newInbox(t)
	refused := func(rules Rules) func(*Config) { return func(c *Config) { c.Rules = rules } }
	public := local
	public.AllowPrivate = false
	secure := local
	secure.AllowHTTP = false
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		terms   func(*Terms)
		config  func(*Config)
		fault   string
		reached int
	}{
		"redirect": {
			answer: func(rw http.ResponseWriter, r *http.Request) {
				http.Redirect(rw, r, elsewhere.server.URL, http.StatusTemporaryRedirect)
			},
			fault: "redirect (307)", reached: 1,
		},
		"gone":    {answer: func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusGone) }, fault: "wants no more", reached: 1},
		"hanging": {answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, config: func(c *Config) { c.Timeout = 50 * time.Millisecond }, fault: "in time", reached: 1},
		"broken":  {answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, fault: "no answer", reached: 1},
		// The text of "localhost." is refused too; what its name resolves to is found out at the connection, below.
		"private": {config: refused(public), fault: "private"},
		"clear":   {config: refused(secure), fault: "https"},
		"closed":  {terms: func(x *Terms) { x.URL = "http://127.0.0.1:1" }, fault: "refuses connections"},
		"secret":  {terms: func(x *Terms) { x.Secret = SecretRef{Environment: "OPLEDGER_SECRET_NONE"} }, fault: "is not set"},
	} {
		t.Run(name, func(t *testing.T) {
			in := newInbox(t)
			if c.answer != nil {
				in.answer = c.answer
			}
			id := "sub_" + name
			made := w.subscribes(id, in.server.URL+"/path-is-secret", func(x *Terms) {
				if c.terms != nil {
					c.terms(x)
				}
			})
			w.happens("ntc_" + name)
			d := w.deliverer(func(config *Config) {
				if c.config != nil {
					c.config(config)
				}
			})
			d.pass(t)
			s := w.notice("ntc_" + name).Tries[id]
			if s.Delivered || s.Count != 1 || !strings.Contains(s.Fault, c.fault) || strings.Contains(s.Fault, "127.0.0.1") || strings.Contains(s.Fault, "path") {
				t.Errorf("recorded %+v", s)
			}
			if n := len(in.all()); n != c.reached {
				t.Errorf("%d requests reached it", n)
			}
			w.do(&ledger.DeleteSubscription{Request: ledger.Request{Namespace: tenant, Principal: "ann"}, ID: made.ID})
		})
	}
	if len(elsewhere.all()) != 0 {
		t.Error("a redirect was followed")
	}
}

// TestTwoDeliverersSendEachOnce: in the plain case, without a failure, nothing is sent twice.
func TestTwoDeliverersSendEachOnce(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		const notices = 60
		one, two := newInbox(t), newInbox(t)
		w.subscribes("sub_1", one.server.URL)
		w.subscribes("sub_2", two.server.URL)
		for i := range notices {
			w.happens(fmt.Sprintf("ntc_%02d", i))
		}
		var stops []func()
		for _, claimer := range []string{"one", "two"} {
			stops = append(stops, run(t, w.deliverer(func(c *Config) { c.Claimer, c.Batch, c.FirstPoll = claimer, 7, time.Millisecond })))
		}
		eventually(t, "the end of all notices", func() bool {
			waiting, err := w.engine.ListRecords(t.Context(), ledger.RecordQuery{Kind: ledger.RecordNotice, Namespace: tenant, Statuses: []string{"waiting"}, Limit: 1})
			return err == nil && len(waiting) == 0
		})
		for _, stop := range stops {
			stop()
		}
		for _, in := range []*inbox{one, two} {
			if ids := in.ids(); len(ids) != notices || len(in.all()) != notices {
				t.Errorf("%d deliveries in %d requests", len(ids), len(in.all()))
			}
		}
	})
}

// TestAServerThatDiesAfterSending: what it did not record is sent again by another, under the same id.
func TestAServerThatDiesAfterSending(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		in := newInbox(t)
		w.subscribes("sub_1", in.server.URL)
		w.happens("ntc_1")
		dead := transact.New(w.engine, transact.Options{})
		dead.Close() // it can send and record nothing any more
		w.deliverer(func(c *Config) { c.Ledger = dead }).pass(t)
		if len(in.all()) != 1 || len(w.notice("ntc_1").Tries) != 0 {
			t.Fatalf("sent %d times, recorded %+v", len(in.all()), w.notice("ntc_1"))
		}
		other := w.deliverer(func(c *Config) { c.Claimer = "two" })
		if n := other.pass(t); n != 0 {
			t.Fatal("it was taken over while it was claimed")
		}
		w.advance(DefaultHold + time.Second)
		other.pass(t)
		if ids := in.ids(); len(ids) != 1 || len(in.all()) != 2 {
			t.Fatalf("it came as %v", ids)
		}
		if !w.notice("ntc_1").Tries["sub_1"].Delivered {
			t.Fatalf("recorded %+v", w.notice("ntc_1"))
		}
	})
}

func TestANamespaceWithoutSubscriptions(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		const notices = 20
		for i := range notices {
			w.happens(fmt.Sprint("ntc_", i))
		}
		var transactions, commands int
		counting := transact.New(w.engine, transact.Options{OnBatch: func(n int, _ error) { transactions++; commands += n }})
		d := w.deliverer(func(c *Config) { c.Ledger = counting })
		if n := d.pass(t); n != notices {
			t.Fatalf("%d were closed", n)
		}
		counting.Close()
		if commands != notices || transactions > 2 {
			t.Errorf("%d commands in %d transactions", commands, transactions)
		}
		if n := w.notice("ntc_7"); !n.NextAt.IsZero() || len(n.Tries) != 0 {
			t.Errorf("recorded %+v", n)
		}
	})
}

func TestPausesAndEndsOfSubscriptions(t *testing.T) {
	w := onSQLite(t)
	in := newInbox(t)
	s := w.subscribes("sub_1", in.server.URL)
	w.subscribes("sub_other", newInbox(t).server.URL)
	d := w.deliverer()
	update := func(paused bool) {
		t.Helper()
		s = w.do(&ledger.UpdateSubscription{
			Request: ledger.Request{Namespace: tenant, Principal: "ann"}, ID: s.ID, Definition: s.Definition, Paused: paused, Etag: s.Etag(),
		}).(*ledger.SubscriptionKept).Subscription
	}
	in.answer = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusBadGateway) }
	w.happens("ntc_before")
	d.pass(t)
	update(true)
	w.happens("ntc_in")
	w.advance(ledger.DeliveryFirstPause)
	d.pass(t)
	if n := len(in.all()); n != 1 || len(w.notice("ntc_in").Tries) != 1 {
		t.Fatalf("%d were sent, in the pause %+v", n, w.notice("ntc_in"))
	}
	in.answer = func(rw http.ResponseWriter, _ *http.Request) {}
	update(false)
	w.advance(ledger.DeliveryLongestWait)
	d.pass(t)
	if in.ids()[DeliveryID(tenant, "ntc_before", s.ID)] != 2 || len(in.ids()) != 1 {
		t.Fatalf("after the pause came %v", in.ids())
	}
	in.answer = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusBadGateway) }
	w.happens("ntc_last")
	d.pass(t)
	w.do(&ledger.DeleteSubscription{Request: ledger.Request{Namespace: tenant, Principal: "ann"}, ID: s.ID})
	w.advance(ledger.DeliveryLongestPause)
	d.pass(t)
	if last := w.notice("ntc_last"); !last.Tries[s.ID].GivenUp || last.Tries[s.ID].Count != 1 || !last.NextAt.IsZero() {
		t.Fatalf("recorded %+v", last)
	}
}

// TestASlowReceiverHoldsUpNobody: while it answers nothing at all, others are told everything, and it is asked by no more
// than its share.
func TestASlowReceiverHoldsUpNobody(t *testing.T) {
	w := onSQLite(t)
	const notices = 20
	slow, fast := newInbox(t), newInbox(t)
	released := make(chan struct{})
	release := sync.OnceFunc(func() { close(released) })
	defer release() // a failed test, too, waits for what is under way
	slow.answer = func(http.ResponseWriter, *http.Request) { <-released }
	w.subscribes("sub_slow", slow.server.URL)
	w.subscribes("sub_fast", fast.server.URL)
	for i := range notices {
		w.happens(fmt.Sprint("ntc_", i))
	}
	stop := run(t, w.deliverer(func(c *Config) {
		c.PerReceiver, c.Patience, c.FirstPoll, c.Timeout = 2, time.Millisecond, time.Millisecond, time.Hour
	}))
	postponed := func() (n int) {
		for i := range notices {
			if s := w.notice(fmt.Sprint("ntc_", i)).Tries["sub_slow"]; s.Count == 0 && s.Fault != "" {
				n++
			}
		}
		return n
	}
	eventually(t, "everything at the fast receiver, and all but two postponed for the slow one", func() bool {
		w.advance(time.Second) // on a slow machine the fast one's turns are all taken, too, for a moment
		return len(fast.ids()) == notices && postponed() >= notices-2
	})
	if n := len(slow.all()); n > 2 {
		t.Errorf("%d requests are at the slow one", n)
	}
	release()
	stop()
}

func TestAFailingReceiverIsTriedByOne(t *testing.T) {
	r := newReceivers(4)
	k := ledger.SubscriptionKey(tenant, "sub_1")
	never := func() <-chan time.Time { return nil }
	release, ok := r.take(k, true, never)
	if !ok {
		t.Fatal("nobody tries it")
	}
	if _, ok := r.take(k, true, never); ok {
		t.Fatal("two try it")
	}
	release()
	if release, ok = r.take(k, true, never); !ok {
		t.Fatal("nobody tries it again")
	}
	release()
	if len(r.all) != 0 {
		t.Fatal("it is kept though nobody sends")
	}
}
