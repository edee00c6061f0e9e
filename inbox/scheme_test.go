package inbox_test

import (
	"errors"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/internal/outward"
)

// vector is one delivery that is rightly signed.
type vector struct {
	settings string // of the source, beside its name and verdicts
	secret   string
	headers  map[string]string
	body     string
	at       int64 // the time that the signature covers; zero: none
}

const standardSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// vectors are published by the vendors, except those of Stripe, Shopify, Square and the timestamped HMAC, of which none are: those
// were computed with "openssl dgst -hmac".
var vectors = map[string]vector{
	// https://github.com/standard-webhooks/standard-webhooks (the reference libraries' tests)
	"standard": {
		settings: "preset: standard", secret: standardSecret, body: `{"test": 2432232314}`, at: 1614265330,
		headers: map[string]string{
			"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
			"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		},
	},
	// https://github.com/svix/svix-webhooks (its libraries' tests): the same by other names
	"svix": {
		settings: "preset: svix", secret: standardSecret, body: `{"test": 2432232314}`, at: 1614265330,
		headers: map[string]string{
			"svix-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "svix-timestamp": "1614265330",
			"svix-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		},
	},
	"stripe": {
		settings: "preset: stripe", secret: "whsec_test_secret", body: `{"hello":"world"}`, at: 1492774577,
		headers: map[string]string{
			"stripe-signature": "t=1492774577,v1=d4cd53df6f5a9e83b42427a6474210750104327c1a3944f5b896cf6a6ac9ca12,v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39",
		},
	},
	// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
	"github": {
		settings: "preset: github", secret: "It's a Secret to Everybody", body: "Hello, World!",
		headers: map[string]string{"x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"},
	},
	// https://docs.slack.dev/authentication/verifying-requests-from-slack
	"slack": {
		settings: "preset: slack", secret: "8f742231b10e8888abcd99yyyzzz85a5", at: 1531420618,
		body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
		headers: map[string]string{
			"x-slack-request-timestamp": "1531420618", "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
		},
	},
	"shopify": {
		settings: "preset: shopify", secret: "hush-hush", body: `{"hello":"world"}`,
		headers: map[string]string{"x-shopify-hmac-sha256": "h+UyHy/Ur8QpWV1v2TNh7CqFQlxx6ufYTw3rzhg1rAs="},
	},
	"square": {
		settings: "preset: square\n    url: https://example.com/webhook", secret: "asdf1234",
		body:    `{"merchant_id":"MLEFBHHSJGVHD","type":"webhooks.test_notification","event_id":"ac3ac95b-f97d-458c-a6e6-18981597e05f","created_at":"2022-07-13T20:30:59.037339943Z","data":{"type":"webhooks","id":"bc368e64-01aa-407e-b46e-3231809b1129"}}`,
		headers: map[string]string{"x-square-hmacsha256-signature": "pGRqj9GSSbM6O/O9z98MeFVedq3Q2OTDEMGMq8wEM+s="},
	},
	// RFC 4231, test case 1
	"hmac sha512": {
		settings: "preset: hmac\n    hmac: {header: X-Signature, hash: sha512}\n    fields: {event_id: /id, event_type: /type}",
		secret:   strings.Repeat("\x0b", 20), body: "Hi There",
		headers: map[string]string{"x-signature": "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"},
	},
	"hmac with a time": {
		settings: "preset: hmac\n    hmac: {header: X-Signature, prefix: 'v1=', timestamp_header: X-Time, signed_prefix: '{timestamp}.'}\n    fields: {event_id: /id, event_type: /type}",
		secret:   "whsec_test_secret", body: `{"hello":"world"}`, at: 1492774577,
		headers: map[string]string{"x-time": "1492774577", "x-signature": "v1=d4cd53df6f5a9e83b42427a6474210750104327c1a3944f5b896cf6a6ac9ca12"},
	},
}

// source makes the vector's source.
func (v vector) source(t *testing.T) *inbox.Source {
	t.Helper()
	return parsed(t, "sources:\n  - name: acme\n    "+v.settings+"\n    secrets: [{environment: S_ONE}, {environment: S_TWO}]\n    verdicts: {done: happened}\n")
}

func parsed(t *testing.T, text string) *inbox.Source {
	t.Helper()
	all, err := inbox.Parse("sources.yaml", []byte(text), inbox.Options{Unsigned: true})
	if err != nil {
		t.Fatal(err)
	}
	return all.All()[0]
}

func (v vector) delivery() *inbox.Delivery {
	h := http.Header{}
	for name, value := range v.headers {
		h.Set(name, value)
	}
	return &inbox.Delivery{Header: h, Body: []byte(v.body)}
}

// keys are those of the source where the environment holds two secrets, as during a rotation.
func keys(t *testing.T, s *inbox.Source, one, two string) [][]byte {
	t.Helper()
	held := map[string]string{"S_ONE": one, "S_TWO": two}
	all, err := s.Keys(&outward.Secrets{EnvPrefix: "S_", LookupEnv: func(name string) (string, bool) {
		value, set := held[name]
		return value, set
	}})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const otherSecret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// TestSchemes: each scheme takes the vendor's own example, by either of two secrets, and says which time it covers.
func TestSchemes(t *testing.T) {
	for name, v := range vectors {
		t.Run(name, func(t *testing.T) {
			s := v.source(t)
			for _, all := range [][][]byte{keys(t, s, v.secret, otherSecret), keys(t, s, otherSecret, v.secret)} {
				proof, err := s.Prove(v.delivery(), all)
				if err != nil {
					t.Fatal(err)
				}
				if v.at == 0 != proof.SignedAt.IsZero() || v.at != 0 && proof.SignedAt.Unix() != v.at {
					t.Fatalf("the signature covers %s, want %d", proof.SignedAt, v.at)
				}
				if err := s.Fresh(proof, time.Unix(v.at, 0).Add(inbox.DefaultTolerance)); err != nil {
					t.Fatal(err)
				}
				for _, off := range []time.Duration{inbox.DefaultTolerance + time.Second, -inbox.DefaultTolerance - time.Second} {
					if err := s.Fresh(proof, time.Unix(v.at, 0).Add(off)); (err != nil) != (v.at != 0) || err != nil && !errors.Is(err, inbox.ErrSignature) {
						t.Fatalf("%s off: %v", off, err)
					}
				}
			}
			signed, err := s.Sign(v.delivery(), keys(t, s, v.secret, v.secret)[0], "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(v.at, 0))
			if err != nil {
				t.Fatal(err)
			}
			for header, value := range signed {
				if want := v.headers[strings.ToLower(header)]; !strings.HasPrefix(want, value) {
					t.Errorf("Sign makes %s: %s, want %s", header, value, want)
				}
			}
		})
	}
}

// TestForgedDeliveries: whatever is wrong with a delivery of any scheme, it is refused, and with one error to whoever
// sent it.
func TestForgedDeliveries(t *testing.T) {
	for name, v := range vectors {
		var cases []func(d *inbox.Delivery)
		for header := range v.headers {
			header = http.CanonicalHeaderKey(header)
			cases = append(cases,
				func(d *inbox.Delivery) { delete(d.Header, header) },
				func(d *inbox.Delivery) { d.Header[header] = []string{""} },
				func(d *inbox.Delivery) { d.Header[header] = append(d.Header[header], d.Header[header][0]) },
				func(d *inbox.Delivery) { d.Header[header][0] = d.Header[header][0][:len(d.Header[header][0])/2] },
				func(d *inbox.Delivery) { d.Header[header][0] = "1" + d.Header[header][0] },
				func(d *inbox.Delivery) { d.Header[header][0] = "\x00é" },
				func(d *inbox.Delivery) { d.Header[header][0] = strings.Repeat("v1,v1=,t=1 ", 10_000) },
			)
		}
		cases = append(cases,
			func(d *inbox.Delivery) { d.Body = append(d.Body, ' ') },
			func(d *inbox.Delivery) { d.Body = d.Body[:len(d.Body)-1] },
			func(d *inbox.Delivery) { d.Body = nil },
			func(d *inbox.Delivery) { d.Body[0] ^= 1 },
		)
		t.Run(name, func(t *testing.T) {
			s := v.source(t)
			for i, change := range cases {
				d := v.delivery()
				d.Header = maps.Clone(d.Header)
				change(d)
				if _, err := s.Prove(d, keys(t, s, v.secret, otherSecret)); !errors.Is(err, inbox.ErrSignature) {
					t.Errorf("case %d is answered by %v: %v", i, err, d.Header)
				}
			}
			if _, err := s.Prove(v.delivery(), keys(t, s, otherSecret, otherSecret)); !errors.Is(err, inbox.ErrSignature) {
				t.Errorf("another secret: %v", err)
			}
			if _, err := s.Prove(v.delivery(), nil); !errors.Is(err, inbox.ErrSignature) {
				t.Errorf("no secret: %v", err)
			}
		})
	}
}

// TestStripeHeader: another version's signature counts for nothing, and two timestamps leave open which one was signed.
func TestStripeHeader(t *testing.T) {
	v := vectors["stripe"]
	s := v.source(t)
	for _, header := range []string{
		"t=1492774577,v0=d4cd53df6f5a9e83b42427a6474210750104327c1a3944f5b896cf6a6ac9ca12",
		"v1=d4cd53df6f5a9e83b42427a6474210750104327c1a3944f5b896cf6a6ac9ca12",
		"t=1492774577",
		"t=1492774577,t=1492774577,v1=d4cd53df6f5a9e83b42427a6474210750104327c1a3944f5b896cf6a6ac9ca12",
		"t=-1492774577,v1=d4cd53df6f5a9e83b42427a6474210750104327c1a3944f5b896cf6a6ac9ca12",
		"t=99999999999999999999,v1=d4cd53df6f5a9e83b42427a6474210750104327c1a3944f5b896cf6a6ac9ca12",
	} {
		v.headers = map[string]string{"stripe-signature": header}
		if _, err := s.Prove(v.delivery(), keys(t, s, v.secret, v.secret)); !errors.Is(err, inbox.ErrSignature) {
			t.Errorf("%s: %v", header, err)
		}
	}
}

// TestSecrets: what cannot be a secret of the scheme is told, without its text.
func TestSecrets(t *testing.T) {
	for name, tc := range map[string]struct{ scheme, secret string }{
		"too short":        {"github", "pw-4711"},
		"not base64":       {"standard", "whsec_!!!"},
		"a short standard": {"standard", "whsec_AAAA"},
		"not set":          {"stripe", ""},
	} {
		s := vectors[tc.scheme].source(t)
		_, err := s.Keys(&outward.Secrets{EnvPrefix: "S_", LookupEnv: func(string) (string, bool) { return tc.secret, tc.secret != "" }})
		if err == nil || tc.secret != "" && strings.Contains(err.Error(), tc.secret) || !strings.Contains(err.Error(), "S_ONE") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
