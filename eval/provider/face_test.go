package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
)

// TestMain lets this program be the provider that its tests start.
func TestMain(m *testing.M) {
	if os.Getenv(SettingsVariable) != "" {
		if err := Main(context.Background(), os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// quick is a profile for tests in real time.
func quick() Profile {
	p := Stated(true)
	p.InFlight, p.Lag, p.WebhookAfter, p.WebhookLate = 20*time.Millisecond, time.Millisecond, time.Millisecond, 20*time.Millisecond
	return p
}

// serve serves a provider within this process, until the test ends.
func serve(t *testing.T, settings Settings) Control {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, listener, settings) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the provider ended with %v", err)
		}
	})
	return Control{URL: "http://" + listener.Addr().String()}
}

// seen is what a client sees of one exchange.
type seen struct {
	status int // zero: no head
	header http.Header
	body   string
	err    error // of the exchange, or of reading the body
}

// soon is how long a client waits where no answer is to come.
const soon = 500 * time.Millisecond

// exchange sends one request on a connection of its own, and waits for its answer.
func exchange(t *testing.T, method, url, body string, header ...string) seen {
	t.Helper()
	return exchangeWithin(t, minute, method, url, body, header...)
}

// bounded ends a wait for what does not come.
func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), minute)
	t.Cleanup(cancel)
	return ctx
}

// exchangeWithin gives up after a time.
func exchangeWithin(t *testing.T, patience time.Duration, method, url, body string, header ...string) seen {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	req.GetBody = nil // nothing below sends it again
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return seen{err: err}
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	return seen{res.StatusCode, res.Header, string(text), err}
}

const order = `{"business_key":"order-1","client_reference":"ref-1"}`

// TestFaultsOnTheWire: of each fault what a real client sees, and how many effects there are in the end.
func TestFaultsOnTheWire(t *testing.T) {
	for _, fault := range append(eval.ProviderFaults, eval.DelayLongerThanStated, eval.KeyForgottenEarly, eval.LookupLies) {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			c := serve(t, Settings{Profile: quick()})
			if err := c.Plan(t.Context(), "order-1", fault); err != nil {
				t.Fatal(err)
			}
			pure := newStand(t, quick())
			want, patience := pure.send(fault), minute
			if want.Kind == NoAnswer {
				patience = soon
			}
			got := exchangeWithin(t, patience, "POST", c.URL+"/keyed/charges", order, KeyHeader, "vk-1")
			switch {
			case want.Kind == Reset:
				if !errors.Is(got.err, syscall.ECONNRESET) {
					t.Errorf("no reset, but %+v", got)
				}
			case want.Kind == NoAnswer:
				if !errors.Is(got.err, context.DeadlineExceeded) || got.status != want.Status || (got.body == "") != (want.Status == 0) {
					t.Errorf("not silence, but %+v", got)
				}
			case !want.Whole():
				if !errors.Is(got.err, io.ErrUnexpectedEOF) || got.status != want.Status || got.body == "" {
					t.Errorf("not cut, but %+v", got)
				}
			default:
				if got.err != nil || got.status != want.Status || got.header.Get("Retry-After") != want.Header.Get("Retry-After") ||
					json.Valid([]byte(got.body)) != json.Valid(want.Body) {
					t.Errorf("got %+v, want %d %s", got, want.Status, want.Body)
				}
			}
			pure.pass(minute)
			counts, err := c.Await(bounded(t), func(c Counts) bool { return c.Late == 0 || fault == eval.DelayLongerThanStated })
			if err != nil || counts.Effects["charges"] != len(pure.All()) || counts.Writes["charges"] != 1 {
				t.Errorf("%+v %v, want %d effects", counts, err, len(pure.All()))
			}
		})
	}
}

func TestRequestsOnTheWire(t *testing.T) {
	c := serve(t, Settings{Profile: quick(), KeyField: "order"})
	made := exchange(t, "POST", c.URL+"/keyed/charges", `{"order":"1","client_reference":"ref-1"}`, KeyHeader, "vk-1")
	again := exchange(t, "PUT", c.URL+"/keyed/charges", `{"order":"1","client_reference":"ref-1"}`, KeyHeader, "vk-1")
	var o Object
	if err := json.Unmarshal([]byte(made.body), &o); err != nil || made.status != 201 || again.body != made.body || again.header.Get(ReplayedHeader) != "true" {
		t.Fatalf("%+v, again %+v: %v", made, again, err)
	}
	for _, want := range []struct {
		method, path, body string
		status             int
		holds              string
	}{
		{"GET", "/keyed/charges?client_reference=ref-1", "", 200, o.ID},
		{"GET", "/keyed/charges?idempotency_key=vk-1", "", 200, o.ID},
		{"GET", "/keyed/charges?q=order", "", 200, o.ID},
		{"GET", "/keyed/charges?client_reference=ref-2", "", 200, `{"data":[]}`},
		{"GET", "/plain/charges/" + o.ID, "", 200, o.ID},
		{"GET", "/plain/mails/" + o.ID, "", 404, "no_such_object"},
		{"GET", "/read/balances?order=1", "", 200, "balances"},
		{"GET", "/read/balances", "", 400, "no_business_key"},
		{"POST", "/keyed/charges", `{"order":1}`, 400, "no_business_key"},
		{"POST", "/keyed/charges", `[]`, 400, "no JSON object"},
		{"POST", "/plain/refunds", `{"order":"undo 1","undoes":"` + o.ID + `"}`, 201, `"undoes":"` + o.ID},
		{"POST", "/control/plan", `{"business_key":"1","faults":["timeout"]}`, 400, "no fault"},
		{"POST", "/control/plan", `{"key":"1"}`, 400, "unknown field"},
	} {
		if got := exchange(t, want.method, c.URL+want.path, want.body); got.status != want.status || !strings.Contains(got.body, want.holds) {
			t.Errorf("%s %s: %+v", want.method, want.path, got)
		}
	}
	if effects, err := c.Effects(t.Context(), "1"); err != nil || len(effects) != 1 || !effects[0].Undone {
		t.Errorf("%+v %v", effects, err)
	}
	if all, err := c.All(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("%+v %v", all, err)
	}
	got := exchange(t, "POST", c.URL+"/plain/mails", `{}`, BusinessKeyHeader, "order-9")
	if effects, err := c.Effects(t.Context(), "order-9"); err != nil || got.status != 201 || len(effects) != 1 {
		t.Errorf("by a header: %+v, %+v %v", got, effects, err)
	}
}

func TestALookupThatIsDownOnTheWire(t *testing.T) {
	c := serve(t, Settings{Profile: quick()})
	if err := c.Plan(t.Context(), "order-1", eval.LookupDown); err != nil {
		t.Fatal(err)
	}
	exchangeWithin(t, soon, "POST", c.URL+"/keyed/charges", order)
	made, err := c.All(t.Context())
	if err != nil || len(made) != 1 {
		t.Fatal(made, err)
	}
	for _, path := range []string{"?client_reference=ref-1", "/" + made[0].ID} {
		if got := exchange(t, "GET", c.URL+"/keyed/charges"+path, ""); got.status != 503 {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// TestWhoHoldsIsCutAtTheEnd: a provider that is to end does not wait for those who wait for it (serve's cleanup checks the
// end, which comes long before the client's patience does).
func TestWhoHoldsIsCutAtTheEnd(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, listener, Settings{Profile: quick()}) }()
	c := Control{URL: "http://" + listener.Addr().String()}
	if err := c.Plan(t.Context(), "order-1", eval.TimeoutAfterCommit); err != nil {
		t.Fatal(err)
	}
	cut := make(chan error, 1)
	go func() {
		res, err := http.Post(c.URL+"/keyed/charges", "application/json", strings.NewReader(order))
		if err == nil {
			_ = res.Body.Close()
		}
		cut <- err
	}()
	if _, err := c.Await(bounded(t), func(c Counts) bool { return c.Effects["charges"] == 1 }); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-cut; err == nil {
		t.Error("it was answered")
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
