package provider

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/inbox"
)

var secret = []byte("an evaluation's own secret, long enough")

// receiver takes webhooks and reads them as a ledger does that has the provider's source in its settings.
type receiver struct {
	*httptest.Server
	source *inbox.Source
	refuse int // so many deliveries are refused at first

	mu    sync.Mutex
	came  []*inbox.Event
	tries int
	heard chan struct{} // one for each delivery that is taken
}

func receive(t *testing.T, refuse int) *receiver {
	t.Helper()
	sources, err := inbox.Parse("sources.yaml", []byte(`
sources:
  - name: sim
    preset: standard
    secrets: [{environment: S}]
    fields: {client_reference: /data/object/client_reference, object_id: /data/object/id, vendor_key: /data/object/idempotency_key}
    verdicts: {charges.succeeded: happened, charges.pending: in_progress, charges.failed: did_not_happen}
`), inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{source: sources.All()[0], refuse: refuse, heard: make(chan struct{}, 100)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := r.take(req); err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.tries++; r.tries <= r.refuse {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) take(req *http.Request) error {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return err
	}
	d := &inbox.Delivery{Header: req.Header, Body: body}
	proof, err := r.source.Prove(d, [][]byte{secret})
	if err != nil {
		return err
	}
	event, err := r.source.Read(d, proof, "")
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.came = append(r.came, event)
	r.mu.Unlock()
	r.heard <- struct{}{}
	return nil
}

// await waits for so many deliveries and lists what they say, in their order.
func (r *receiver) await(t *testing.T, n int) (types []string) {
	t.Helper()
	for range n {
		select {
		case <-r.heard:
		case <-bounded(t).Done():
			t.Fatal("the webhooks did not come")
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.came {
		types = append(types, strings.TrimPrefix(e.Type, "charges."))
	}
	return types
}

func TestWebhooksOnTheWire(t *testing.T) {
	for fault, want := range map[eval.Fault][]string{
		eval.NoFault: {Succeeded}, eval.LateCommit: {Succeeded}, eval.DuplicateWebhook: {Succeeded, Succeeded},
		eval.UnorderedWebhook: {Succeeded, Failed, Pending}, eval.LateWebhook: {Succeeded},
	} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			r := receive(t, 0)
			c := serve(t, Settings{Profile: quick(), Webhooks: Target{URL: r.URL, Secret: secret}})
			if err := c.Plan(t.Context(), "order-1", fault); err != nil {
				t.Fatal(err)
			}
			exchangeWithin(t, soon, "POST", c.URL+"/keyed/charges", order, KeyHeader, "vk-1")
			if got := r.await(t, len(want)); !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			made, err := c.Effects(t.Context(), "order-1")
			if err != nil || len(made) != 1 {
				t.Fatalf("%+v %v", made, err)
			}
			for _, e := range r.came {
				if e.ObjectID != made[0].ID || e.ClientReference != "ref-1" || e.VendorKey != "vk-1" || e.Says == "" || e.Time.After(time.Now()) {
					t.Errorf("%+v", e)
				}
			}
			if same := r.came[0].ID == r.came[len(r.came)-1].ID; same != (len(want) == 1 || fault == eval.DuplicateWebhook) {
				t.Errorf("ids %+v", r.came)
			}
		})
	}
}

// TestAWebhookThatIsNotTakenComesAgain, and one that is taken does not, not even after a kill.
func TestAWebhookThatIsNotTakenComesAgain(t *testing.T) {
	r := receive(t, 1)
	p := begin(t, Settings{Profile: quick(), Journal: t.TempDir() + "/journal"})
	exchange(t, "POST", p.URL+"/keyed/charges", order)
	if err := p.DeliverTo(t.Context(), Target{URL: r.URL, Secret: secret}); err != nil {
		t.Fatal(err)
	}
	if got := r.await(t, 2); !slices.Equal(got, []string{Succeeded, Succeeded}) || r.came[0].ID != r.came[1].ID {
		t.Errorf("%v", got)
	}
	if _, err := p.Await(bounded(t), func(c Counts) bool { return c.Webhooks == 0 }); err != nil {
		t.Fatal(err)
	}
	if !p.Kill() {
		t.Fatal("it had ended by itself")
	}
	again, err := p.Restart(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { again.Kill() })
	if err := again.DeliverTo(t.Context(), Target{URL: r.URL, Secret: secret}); err != nil {
		t.Fatal(err)
	}
	exchange(t, "POST", p.URL+"/keyed/charges", `{"business_key":"order-2","client_reference":"ref-2"}`)
	r.await(t, 1)
	if last := r.came[len(r.came)-1]; len(r.came) != 3 || last.ClientReference != "ref-2" {
		t.Errorf("%+v", r.came)
	}
}
