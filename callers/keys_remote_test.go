package callers

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// letsIn reports whether a token counts, and the fault where it does not.
func letsIn(t *testing.T, j *JWT, token string) (bool, Fault) {
	t.Helper()
	_, err := j.Identify(t.Context(), token)
	var refused *UnauthenticatedError
	if err != nil && !errors.As(err, &refused) {
		return false, ""
	} else if err != nil {
		return false, refused.Fault
	}
	return true, ""
}

// lasting are claims that outlast every clock of these tests.
func (i *issuer) lasting() map[string]any {
	return i.good(map[string]any{"exp": now.Add(100 * time.Hour).Unix()})
}

// TestANewKeyIsAskedForOnceInAWhile: rotation needs no restart, and tokens under made-up keys do not flood the issuer.
func TestANewKeyIsAskedForOnceInAWhile(t *testing.T) {
	first, second := newKey(t, "k1"), newKey(t, "k2")
	i, c := newIssuer(t, first), newClock()
	j := i.judge(t, c)
	old, fresh := first.sign(t, i.lasting(), nil), second.sign(t, i.lasting(), nil)
	i.publish(first, second)

	c.pass(fetchFloor - time.Second)
	for range 50 {
		if ok, fault := letsIn(t, j, fresh); ok || fault != FaultUnknownKey {
			t.Fatalf("before the floor has passed: %v, %s", ok, fault)
		}
	}
	if i.asked() != 1 {
		t.Errorf("the issuer was asked %d times", i.asked())
	}
	c.pass(time.Second)
	if ok, fault := letsIn(t, j, fresh); !ok {
		t.Errorf("the new key: %s", fault)
	}
	if ok, fault := letsIn(t, j, old); !ok {
		t.Errorf("the old key beside the new one: %s", fault)
	}
	if i.asked() != 2 {
		t.Errorf("the issuer was asked %d times", i.asked())
	}
}

// TestManyWhoWaitForAKeyAskOnce: calls that come at once share one question.
func TestManyWhoWaitForAKeyAskOnce(t *testing.T) {
	first, second := newKey(t, "k1"), newKey(t, "k2")
	i, c := newIssuer(t, first), newClock()
	j := i.judge(t, c)
	i.publish(second)
	c.pass(fetchFloor)
	token := second.sign(t, i.lasting(), nil)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := j.Identify(context.Background(), token); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if i.asked() != 2 {
		t.Errorf("the issuer was asked %d times", i.asked())
	}
}

// TestAWithdrawnKeyEnds: keys are asked for again when they are old, also where no token names a new one.
func TestAWithdrawnKeyEnds(t *testing.T) {
	first, second := newKey(t, "k1"), newKey(t, "k2")
	i, c := newIssuer(t, first), newClock()
	j := i.judge(t, c)
	token := first.sign(t, i.lasting(), nil)
	i.publish(second)
	if ok, _ := letsIn(t, j, token); !ok {
		t.Fatal("fresh keys do not count")
	}
	c.pass(keysFresh)
	letsIn(t, j, token) // uses what it has, and asks
	until(t, func() bool { ok, fault := letsIn(t, j, token); return !ok && fault == FaultUnknownKey })
}

// TestAnIssuersOutageStopsNobodyForADay and lets nobody in thereafter.
func TestAnIssuersOutageStopsNobodyForADay(t *testing.T) {
	key, unknown := newKey(t, "k1"), newKey(t, "k2")
	i, c := newIssuer(t, key), newClock()
	j := i.judge(t, c)
	token := key.sign(t, i.lasting(), nil)
	i.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })

	c.pass(keysBound - time.Second)
	if ok, fault := letsIn(t, j, token); !ok {
		t.Errorf("within a day: %s", fault)
	}
	until(t, func() bool { return i.asked() == 2 })
	// A key that could be new is not called unknown: whoever asks again may be let in.
	if _, err := j.Identify(t.Context(), unknown.sign(t, i.lasting(), nil)); err == nil || errors.As(err, new(*UnauthenticatedError)) {
		t.Errorf("a key that could be new: %v", err)
	}
	c.pass(time.Second)
	if ok, fault := letsIn(t, j, token); ok || fault != "" {
		t.Errorf("after a day: %v, %s", ok, fault)
	}
	i.answers(nil)
	c.pass(fetchFloor)
	if ok, fault := letsIn(t, j, token); !ok {
		t.Errorf("after the outage: %s", fault)
	}
}

// until waits for a condition.
func until(t *testing.T, condition func() bool) {
	t.Helper()
	deadline := time.NewTimer(10 * time.Second)
	defer deadline.Stop()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for !condition() {
		select {
		case <-look.C:
		case <-deadline.C:
			t.Fatal("it never came to that")
		}
	}
}

func TestAnIssuerThatDoesNotAnswerYetIsWaitedFor(t *testing.T) {
	key := newKey(t, "k1")
	i, c := newIssuer(t, key), newClock()
	i.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	keys, warning, err := DiscoverKeys(t.Context(), i.url, c.now, nil)
	if err != nil || !strings.Contains(warning, i.url) {
		t.Fatal(warning, err)
	}
	j, err := NewJWT(JWTConfig{Issuer: i.url, Audience: "opledger", Keys: keys, Mapping: Mapping{Namespace: "shop"}, Clock: c.now})
	if err != nil {
		t.Fatal(err)
	}
	i.answers(nil)
	c.pass(fetchFloor)
	if ok, fault := letsIn(t, j, key.sign(t, i.good(nil), nil)); !ok {
		t.Errorf("got %s", fault)
	}
}

func TestAnIssuerThatAnswersWronglyIsRefused(t *testing.T) {
	says := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }
	}
	var i *issuer
	at := func(keys string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/keys" {
				says(keys)(w, r)
				return
			}
			says(`{"issuer":"`+i.url+`","jwks_uri":"`+i.url+`/keys"}`)(w, r)
		}
	}
	for says, answer := range map[string]http.HandlerFunc{
		"letter for letter": says(`{"issuer":"https://evil.example","jwks_uri":"https://evil.example/keys"}`),
		"no JSON":           says(`<html>`),
		"302": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example", http.StatusFound)
		},
		"404":             http.NotFound,
		"more than":       says(strings.Repeat(" ", maxFetchBytes+1)),
		"no key that can": at(`{"keys":[]}`),
		"no public key":   at(`{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}`),
		"Key Set":         at(`[]`),
		"jwks_uri": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"issuer":"` + i.url + `","jwks_uri":"http://keys.example/"}`))
		},
	} {
		i = newIssuer(t)
		i.answers(answer)
		if _, warning, err := DiscoverKeys(t.Context(), i.url, nil, nil); err == nil || warning != "" || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %q, %v", says, warning, err)
		}
	}
	for _, url := range []string{"http://login.example", "login.example", "https://ann@login.example", "https://login.example?x=1", "ftp://127.0.0.1", ""} {
		if _, _, err := DiscoverKeys(t.Context(), url, nil, nil); err == nil {
			t.Errorf("%q is taken", url)
		}
	}
}
