package provider

import (
	"context"
	"errors"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"
)

// clock is a clock that tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func start(t *testing.T, options Options) *Provider {
	t.Helper()
	p, err := Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close the provider: %v", err)
		}
	})
	return p
}

// patient is a client whose time-out no test reaches.
func patient(p *Provider) *Client { return NewClient(p.URL(), time.Minute) }

func charge(account, key string) Transfer {
	return Transfer{Kind: KindCharge, Account: account, IdempotencyKey: key, Amount: 4900, Currency: "USD", Order: "order_123", ClientReference: "ref_1"}
}

func TestAnAccountThatHonoursKeysChargesOnce(t *testing.T) {
	p := start(t, Options{})
	first, replayed, err := patient(p).Transfer(t.Context(), charge(KeyedAccount, "key_1"))
	if err != nil || replayed {
		t.Fatalf("first: replayed %v, %v", replayed, err)
	}
	again, replayed, err := patient(p).Transfer(t.Context(), charge(KeyedAccount, "key_1"))
	if err != nil || !replayed || again.ID != first.ID {
		t.Errorf("under the same key: got %s (replayed %v, %v), want %s replayed", again.ID, replayed, err, first.ID)
	}
	if _, _, err := patient(p).Transfer(t.Context(), charge(KeyedAccount, "key_2")); err != nil {
		t.Fatal(err)
	}
	if n := len(p.Transfers(KindCharge)); n != 2 {
		t.Errorf("two keys: %d charges, want 2", n)
	}
}

func TestAKeyWithAnotherRequestIsRefused(t *testing.T) {
	p := start(t, Options{})
	if _, _, err := patient(p).Transfer(t.Context(), charge(KeyedAccount, "key_1")); err != nil {
		t.Fatal(err)
	}
	other := charge(KeyedAccount, "key_1")
	other.Amount = 5000
	_, _, err := patient(p).Transfer(t.Context(), other)
	var status *StatusError
	if !errors.As(err, &status) || status.Status != http.StatusConflict {
		t.Errorf("got %v, want status 409", err)
	}
	if n := len(p.Transfers(KindCharge)); n != 1 {
		t.Errorf("%d charges, want 1", n)
	}
}

func TestAnAccountWithoutKeysChargesEachTime(t *testing.T) {
	p := start(t, Options{})
	for range 2 {
		if _, replayed, err := patient(p).Transfer(t.Context(), charge(PlainAccount, "key_1")); err != nil || replayed {
			t.Fatalf("replayed %v, %v", replayed, err)
		}
	}
	if n := len(p.Transfers(KindCharge)); n != 2 {
		t.Errorf("%d charges, want 2", n)
	}
}

func TestEachKindOfTransferIsCountedByItself(t *testing.T) {
	p := start(t, Options{})
	for i, kind := range []Kind{KindRefund, KindCredit, KindCharge} {
		made := charge(KeyedAccount, "key_"+string(kind))
		made.Kind = kind
		got, _, err := patient(p).Transfer(t.Context(), made)
		if err != nil || got.Kind != kind || got.ID != idPrefixes[kind]+"_0001" {
			t.Fatalf("%s, the %d. transfer: got %+v, %v", kind, i+1, got, err)
		}
	}
	for _, kind := range []Kind{KindRefund, KindCredit, KindCharge} {
		if made := p.Transfers(kind); len(made) != 1 || made[0].Kind != kind {
			t.Errorf("%s: counted %v, want one", kind, made)
		}
		if found, err := patient(p).FindTransfers(t.Context(), kind, KeyedAccount, "key_"+string(kind), ""); err != nil || len(found) != 1 {
			t.Errorf("%s: found %v, %v", kind, found, err)
		}
	}
	if found, err := patient(p).FindTransfers(t.Context(), KindRefund, KeyedAccount, "key_credit", ""); err != nil || len(found) != 0 {
		t.Errorf("a credit was found among the refunds: %v, %v", found, err)
	}
}

func TestAKeyOfAnotherKindIsRefused(t *testing.T) {
	p := start(t, Options{})
	if _, _, err := patient(p).Transfer(t.Context(), charge(KeyedAccount, "key_1")); err != nil {
		t.Fatal(err)
	}
	other := charge(KeyedAccount, "key_1")
	other.Kind = KindRefund
	var status *StatusError
	if _, _, err := patient(p).Transfer(t.Context(), other); !errors.As(err, &status) || status.Status != http.StatusConflict {
		t.Errorf("got %v, want status 409", err)
	}
	if n := len(p.Transfers(KindRefund)); n != 0 {
		t.Errorf("%d refunds, want none", n)
	}
}

func TestALostAnswerIsCommittedAndTheClientTimesOut(t *testing.T) {
	p := start(t, Options{})
	p.LoseAnswers(KindCharge, 1)
	hasty := NewClient(p.URL(), 50*time.Millisecond)
	if _, _, err := hasty.Transfer(t.Context(), charge(PlainAccount, "")); !os.IsTimeout(err) {
		t.Errorf("got %v, want a time-out", err)
	}
	if n := len(p.Transfers(KindCharge)); n != 1 {
		t.Errorf("after the time-out: %d charges, want 1", n)
	}
	if _, _, err := patient(p).Transfer(t.Context(), charge(PlainAccount, "")); err != nil {
		t.Errorf("one answer was to be lost; the next one was too: %v", err)
	}
	if n := len(p.Transfers(KindCharge)); n != 2 {
		t.Errorf("after the second call: %d charges, want 2", n)
	}
}

func TestALostAnswerIsFoundUnderItsKey(t *testing.T) {
	p := start(t, Options{})
	p.LoseAnswers(KindCharge, 1)
	ctx, giveUp := context.WithCancel(t.Context())
	lost := make(chan error, 1)
	go func() {
		_, _, err := patient(p).Transfer(ctx, charge(KeyedAccount, "key_1"))
		lost <- err
	}()
	if err := p.WaitFor(t.Context(), KindCharge, 1); err != nil {
		t.Fatal(err)
	}
	giveUp()
	if err := <-lost; !errors.Is(err, context.Canceled) {
		t.Errorf("the held request ended with %v", err)
	}
	for name, find := range map[string]func() ([]Transfer, error){
		"key": func() ([]Transfer, error) {
			return patient(p).FindTransfers(t.Context(), KindCharge, KeyedAccount, "key_1", "")
		},
		"reference": func() ([]Transfer, error) {
			return patient(p).FindTransfers(t.Context(), KindCharge, KeyedAccount, "", "ref_1")
		},
	} {
		if found, err := find(); err != nil || len(found) != 1 || found[0].IdempotencyKey != "key_1" {
			t.Errorf("by %s: found %v, %v", name, found, err)
		}
	}
	if found, err := patient(p).FindTransfers(t.Context(), KindCharge, PlainAccount, "", "ref_1"); err != nil || len(found) != 0 {
		t.Errorf("in another account: found %v, %v", found, err)
	}
}

func TestAMessageShowsInTheLogAfterThePropagationDelay(t *testing.T) {
	now := &clock{at: time.Date(2026, 3, 1, 2, 13, 0, 0, time.UTC)}
	p := start(t, Options{Propagation: 2 * time.Second, Now: now.now})
	if _, err := patient(p).Send(t.Context(), Email{To: "a@example.com", Subject: "s", ClientReference: "ref_1"}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		wait time.Duration
		want int
	}{{0, 0}, {2*time.Second - time.Nanosecond, 0}, {time.Nanosecond, 1}} {
		now.advance(step.wait)
		if found, err := patient(p).FindEmails(t.Context(), "ref_1"); err != nil || len(found) != step.want {
			t.Errorf("%s after it was sent: found %v, %v; want %d", now.now().Sub(p.Emails()[0].CreatedAt), found, err, step.want)
		}
	}
}

func TestMailIsNotDeduplicated(t *testing.T) {
	p := start(t, Options{})
	for range 2 {
		if _, err := patient(p).Send(t.Context(), Email{To: "a@example.com", Subject: "s", ClientReference: "ref_1"}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.Emails()); n != 2 {
		t.Errorf("%d messages, want 2", n)
	}
}

func TestMalformedRequestsMakeNothing(t *testing.T) {
	p := start(t, Options{})
	for _, c := range []Transfer{{Kind: KindCharge, Account: KeyedAccount}, {Kind: KindCharge, Account: "acct_other", Amount: 1, Currency: "USD", Order: "o"}} {
		var status *StatusError
		if _, _, err := patient(p).Transfer(t.Context(), c); !errors.As(err, &status) {
			t.Errorf("%+v: got %v, want a refusal", c, err)
		}
	}
	if n := len(p.Transfers(KindCharge)); n != 0 {
		t.Errorf("%d charges, want none", n)
	}
}
