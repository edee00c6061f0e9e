package callers

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// now is the time of all tests of tokens.
var now = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// clock is a clock that tests set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: now} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// signingKey is a private key of an issuer.
type signingKey struct {
	id        string
	algorithm jose.SignatureAlgorithm
	private   crypto.Signer
}

func newKey(t *testing.T, id string) signingKey {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return signingKey{id, jose.ES256, private}
}

func (k signingKey) public() jose.JSONWebKey {
	return jose.JSONWebKey{Key: k.private.Public(), KeyID: k.id, Algorithm: string(k.algorithm), Use: "sig"}
}

// sign makes a token of whatever payload, with whatever headers beside alg and kid.
func (k signingKey) sign(t *testing.T, payload any, headers map[string]any) string {
	t.Helper()
	return signWith(t, jose.SigningKey{Algorithm: k.algorithm, Key: jose.JSONWebKey{Key: k.private, KeyID: k.id}}, payload, headers)
}

func signWith(t *testing.T, key jose.SigningKey, payload any, headers map[string]any) string {
	t.Helper()
	options := (&jose.SignerOptions{}).WithType("JWT")
	for name, value := range headers {
		options.WithHeader(jose.HeaderKey(name), value)
	}
	signer, err := jose.NewSigner(key, options)
	if err != nil {
		t.Fatal(err)
	}
	data, isText := payload.([]byte)
	if !isText {
		if data, err = json.Marshal(payload); err != nil {
			t.Fatal(err)
		}
	}
	signed, err := signer.Sign(data)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// issuer is an OpenID Connect provider on loopback.
type issuer struct {
	url string

	mu      sync.Mutex
	keys    []jose.JSONWebKey
	fetched int // how often its keys were asked for
	answer  http.HandlerFunc
}

func newIssuer(t *testing.T, keys ...signingKey) *issuer {
	t.Helper()
	i := &issuer{}
	i.publish(keys...)
	s := httptest.NewServer(http.HandlerFunc(i.serve))
	t.Cleanup(s.Close)
	i.url = s.URL
	return i
}

// publish makes the keys the only ones of the issuer.
func (i *issuer) publish(keys ...signingKey) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = nil
	for _, k := range keys {
		i.keys = append(i.keys, k.public())
	}
}

// answers makes the issuer answer everything in another way; nil: as it should.
func (i *issuer) answers(h http.HandlerFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.answer = h
}

func (i *issuer) asked() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetched
}

func (i *issuer) serve(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	answer, keys := i.answer, i.keys
	if r.URL.Path == "/keys" || answer != nil {
		i.fetched++
	}
	i.mu.Unlock()
	switch {
	case answer != nil:
		answer(w, r)
	case r.URL.Path == configurationPath:
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.url, "jwks_uri": i.url + "/keys"})
	case r.URL.Path == "/keys":
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: keys})
	default:
		http.NotFound(w, r)
	}
}

// good are the claims of a token that counts, with others in their place.
func (i *issuer) good(others map[string]any) map[string]any {
	c := map[string]any{
		"iss": i.url, "aud": "opledger", "sub": "checkout-agent", "iat": now.Add(-time.Minute).Unix(), "exp": now.Add(time.Hour).Unix(),
		"roles": []string{"propose", "execute", "read"},
	}
	maps.Copy(c, others)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

// judge lets in the bearers of the issuer's tokens.
func (i *issuer) judge(t *testing.T, c *clock, change ...func(*JWTConfig)) *JWT {
	t.Helper()
	keys, warning, err := DiscoverKeys(t.Context(), i.url, c.now, nil)
	if err != nil || warning != "" {
		t.Fatal(warning, err)
	}
	config := JWTConfig{Issuer: i.url, Audience: "opledger", Keys: keys, Leeway: DefaultLeeway, Mapping: Mapping{Namespace: "shop"}, Clock: c.now}
	for _, f := range change {
		f(&config)
	}
	j, err := NewJWT(config)
	if err != nil {
		t.Fatal(err)
	}
	return j
}
