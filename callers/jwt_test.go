package callers

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

func TestTheBearerOfAnIssuersTokenIsWhoItsClaimsSay(t *testing.T) {
	key := newKey(t, "k1")
	i := newIssuer(t, key)
	j := i.judge(t, newClock())
	token := key.sign(t, i.good(map[string]any{"email": "Ann@Example.com", "email_verified": true}), nil)
	c, err := j.Authenticate(bearing("Bearer " + token))
	if err != nil {
		t.Fatal(err)
	}
	if c.Namespace != "shop" || c.Principal != "checkout-agent" || c.Person != "ann@example.com" || c.Local {
		t.Errorf("got %+v", c)
	}
	for role, may := range map[Role]bool{Propose: true, Execute: true, Read: true, Approve: false, ReadSensitive: false} {
		if c.May(role) != may {
			t.Errorf("role %s: may is %v", role, !may)
		}
	}
	if !c.MayTool("payment.capture") || len(c.Teams) > 0 {
		t.Errorf("got %+v", c)
	}
}

// TestEveryAlgorithmThatIsAllowedCounts: one key of each kind, and each of its algorithms.
func TestEveryAlgorithmThatIsAllowedCounts(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private := map[string]any{"R": rsaKey, "P": rsaKey, "E": edKey}
	for name, curve := range map[string]elliptic.Curve{"ES256": elliptic.P256(), "ES384": elliptic.P384(), "ES512": elliptic.P521()} {
		if private[name], err = ecdsa.GenerateKey(curve, rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	i := newIssuer(t)
	for name, k := range private {
		public := jose.JSONWebKey{Key: k, KeyID: name}
		i.keys = append(i.keys, public.Public())
	}
	j := i.judge(t, newClock())
	narrow := i.judge(t, newClock(), func(c *JWTConfig) { c.Algorithms = []string{"ES256"} })
	for _, name := range Algorithms {
		id := name
		if private[id] == nil {
			id = name[:1]
		}
		token := signWith(t, jose.SigningKey{Algorithm: jose.SignatureAlgorithm(name), Key: jose.JSONWebKey{Key: private[id], KeyID: id}}, i.good(nil), nil)
		if _, err := j.Identify(t.Context(), token); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := narrow.Identify(t.Context(), token); (err == nil) != (name == "ES256") {
			t.Errorf("%s where ES256 alone counts: %v", name, err)
		}
	}
}

// TestWhoseTokenDoesNotCountIsNotLetIn: each fault has its word for the log, and the caller learns of none but expiry.
func TestWhoseTokenDoesNotCountIsNotLetIn(t *testing.T) {
	key, stranger, other := newKey(t, "k1"), newKey(t, "k1"), newKey(t, "k2")
	i, elsewhere := newIssuer(t, key), newIssuer(t, other)
	j := i.judge(t, newClock())
	good := key.sign(t, i.good(nil), nil)
	parts := strings.Split(good, ".")
	encode := base64.RawURLEncoding.EncodeToString
	none := encode([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + parts[1] + "."
	fresh := func(claims map[string]any) string { return key.sign(t, i.good(claims), nil) }
	times := func(name string, from time.Duration) string { return fresh(map[string]any{name: now.Add(from).Unix()}) }
	forged, err := json.Marshal(i.good(map[string]any{"sub": "admin"}))
	if err != nil {
		t.Fatal(err)
	}

	for name, c := range map[string]struct {
		token string
		fault Fault
	}{
		"a stranger's key under the same id": {stranger.sign(t, i.good(nil), nil), FaultBadSignature},
		"an unknown key id":                  {other.sign(t, i.good(nil), nil), FaultUnknownKey},
		"another issuer's":                   {other.sign(t, elsewhere.good(nil), nil), FaultWrongIssuer},
		"no issuer":                          {fresh(map[string]any{"iss": nil}), FaultWrongIssuer},
		"the issuer and a slash":             {fresh(map[string]any{"iss": i.url + "/"}), FaultWrongIssuer},
		"expired":                            {times("exp", -time.Minute), FaultExpired},
		"expired at the leeway's end":        {times("exp", -DefaultLeeway), FaultExpired},
		"no expiry":                          {fresh(map[string]any{"exp": nil}), FaultMalformed},
		"an expiry in words":                 {fresh(map[string]any{"exp": "tomorrow"}), FaultMalformed},
		"an expiry beyond all years":         {fresh(map[string]any{"exp": 1e300}), FaultMalformed},
		"not valid yet":                      {times("nbf", time.Minute), FaultNotYetValid},
		"issued in the future":               {times("iat", time.Minute), FaultNotYetValid},
		"nbf is null":                        {key.sign(t, []byte(`{"iss":"`+i.url+`","aud":"opledger","sub":"a","exp":9999999999,"nbf":null}`), nil), FaultMalformed},
		"another audience":                   {fresh(map[string]any{"aud": "billing"}), FaultWrongAudience},
		"other audiences":                    {fresh(map[string]any{"aud": []string{"billing", "opledger-test"}}), FaultWrongAudience},
		"no audience":                        {fresh(map[string]any{"aud": nil}), FaultWrongAudience},
		"an audience within words":           {fresh(map[string]any{"aud": "billing opledger"}), FaultWrongAudience},
		"alg none":                           {none, FaultWrongAlgorithm},
		"alg none, signature kept":           {none + parts[2], FaultWrongAlgorithm},
		"alg NONE":                           {encode([]byte(`{"alg":"NONE"}`)) + "." + parts[1] + ".", FaultWrongAlgorithm},
		"the public key as a secret":         {confused(t, key, i.good(nil)), FaultWrongAlgorithm},
		"a changed payload":                  {parts[0] + "." + encode(forged) + "." + parts[2], FaultBadSignature},
		"a changed signature":                {parts[0] + "." + parts[1] + "." + encode(make([]byte, 64)), FaultBadSignature},
		"no signature":                       {parts[0] + "." + parts[1] + ".", FaultBadSignature},
		"oversize":                           {fresh(map[string]any{"groups": strings.Repeat("g", maxJWTBytes)}), FaultTooLarge},
		"a logout token":                     {key.sign(t, i.good(nil), map[string]any{"typ": "logout+jwt"}), FaultWrongType},
		"an extension":                       {key.sign(t, i.good(nil), map[string]any{"crit": []string{"b64"}, "b64": true}), FaultWrongType},
		"no JSON":                            {key.sign(t, []byte("hello"), nil), FaultWrongIssuer},
		"two parts":                          {parts[0] + "." + parts[1], FaultMalformed},
		"no base64":                          {"a!.b!.c!", FaultMalformed},
		"nothing between dots":               {"..", FaultWrongAlgorithm},
		"a subject that cannot be a name":    {fresh(map[string]any{"sub": "a b"}), FaultUnusableName},
		"no subject":                         {fresh(map[string]any{"sub": nil}), FaultUnusableName},
		"roles not apart":                    {fresh(map[string]any{"roles": "propose approve", "email": "a@x", "email_verified": true}), FaultRolesNotApart},
		"a person's role, no person":         {fresh(map[string]any{"roles": "approve", "email": "a@x"}), FaultNoPerson},
	} {
		got, err := j.Authenticate(bearing("Bearer " + c.token))
		var refused *UnauthenticatedError
		if !errors.As(err, &refused) || refused.Fault != c.fault || len(got.Roles) > 0 {
			t.Errorf("%s: got %+v, %v", name, got, err)
			continue
		}
		if said := strings.Contains(refused.Message, "expired"); said != (c.fault == FaultExpired) {
			t.Errorf("%s: the caller is told %q", name, refused.Message)
		}
		if strings.Contains(refused.Message+refused.Detail, c.token) {
			t.Errorf("%s: the refusal shows the token", name)
		}
	}
	for name, ctx := range map[string]context.Context{"no header": bearing(), "the token twice": bearing("Bearer "+good, "Bearer "+good), "another scheme": bearing("Basic " + good)} {
		if c, err := j.Authenticate(ctx); err == nil {
			t.Errorf("%s: got %+v", name, c)
		}
	}
	if _, err := j.Authenticate(bearing("Bearer " + good)); err != nil {
		t.Errorf("the good one: %v", err)
	}
}

// confused signs by an HMAC whose secret is the issuer's public key, as everybody knows it.
func confused(t *testing.T, key signingKey, claims map[string]any) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key.private.Public())
	if err != nil {
		t.Fatal(err)
	}
	secret := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	return signWith(t, jose.SigningKey{Algorithm: jose.HS256, Key: jose.JSONWebKey{Key: secret, KeyID: key.id}}, claims, nil)
}

// TestWithinTheLeewayATokenCounts: to the second before it ends.
func TestWithinTheLeewayATokenCounts(t *testing.T) {
	key := newKey(t, "k1")
	i := newIssuer(t, key)
	j := i.judge(t, newClock())
	for name, claims := range map[string]map[string]any{
		"just expired":         {"exp": now.Add(time.Second - DefaultLeeway).Unix()},
		"just not valid":       {"nbf": now.Add(DefaultLeeway).Unix(), "iat": now.Add(DefaultLeeway).Unix()},
		"fractions":            {"exp": float64(now.Unix()) + 0.5},
		"no iat":               {"iat": nil},
		"one of two audiences": {"aud": []string{"billing", "opledger"}},
	} {
		if _, err := j.Identify(t.Context(), key.sign(t, i.good(claims), nil)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	unnamed := key
	unnamed.id = ""
	if _, err := j.Identify(t.Context(), unnamed.sign(t, i.good(nil), map[string]any{"typ": "application/at+jwt"})); err != nil {
		t.Errorf("a header without a key id: %v", err)
	}
}

func TestWhatWouldLetInTooManyIsRefused(t *testing.T) {
	key := newKey(t, "k1")
	i := newIssuer(t, key)
	keys, _, err := DiscoverKeys(t.Context(), i.url, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for says, change := range map[string]func(*JWTConfig){
		"iss claim":           func(c *JWTConfig) { c.Issuer = "" },
		"need an audience":    func(c *JWTConfig) { c.Audience = "" },
		"its keys":            func(c *JWTConfig) { c.Keys = nil },
		`algorithm "none"`:    func(c *JWTConfig) { c.Algorithms = []string{"RS256", "none"} },
		`algorithm "HS256"`:   func(c *JWTConfig) { c.Algorithms = []string{"HS256"} },
		"leeway 1h0m0s":       func(c *JWTConfig) { c.Leeway = time.Hour },
		"and not both":        func(c *JWTConfig) { c.Mapping.NamespaceClaim = "tenant" },
		"a namespace for all": func(c *JWTConfig) { c.Mapping.Namespace = "" },
		"has to match":        func(c *JWTConfig) { c.Mapping.Namespace = "Shop" },
		"is no role":          func(c *JWTConfig) { c.Mapping.RoleOf = map[string][]Role{"ops": {"admin"}} },
	} {
		config := JWTConfig{Issuer: i.url, Audience: "opledger", Keys: keys, Mapping: Mapping{Namespace: "shop"}}
		change(&config)
		if _, err := NewJWT(config); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", says, err)
		}
	}
}
