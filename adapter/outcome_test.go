package adapter_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/adapter"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// when is a condition on a status.
func when(status ...string) registry.HTTPCondition { return registry.HTTPCondition{Status: status} }

// TestOutcomesWithoutRules are the defaults that the API states.
func TestOutcomesWithoutRules(t *testing.T) {
	for name, c := range map[string]struct {
		status, body string
		change       func(*registry.Definition)
		outcome      ledger.Outcome
		category     ledger.Category
	}{
		"200":                        {"200 OK", `{"id":1}`, nil, ledger.OutcomeSucceeded, ""},
		"202 with an empty body":     {"202 Accepted", "", nil, ledger.OutcomeSucceeded, ""},
		"204":                        {"204 No Content", "", nil, ledger.OutcomeSucceeded, ""},
		"200 that is no JSON":        {"200 OK", "<html>", nil, ledger.OutcomeAmbiguous, ledger.CategoryMalformedAnswer},
		"400":                        {"400 Bad Request", "no", nil, ledger.OutcomeRejected, ""},
		"402":                        {"402 Payment Required", `{}`, nil, ledger.OutcomeRejected, ""},
		"409 is never a refusal":     {"409 Conflict", `{}`, nil, ledger.OutcomeAmbiguous, ledger.CategoryProviderError},
		"408":                        {"408 Request Timeout", "", nil, ledger.OutcomeAmbiguous, ledger.CategoryProviderError},
		"425":                        {"425 Too Early", "", nil, ledger.OutcomeAmbiguous, ledger.CategoryProviderError},
		"429":                        {"429 Too Many Requests", "", nil, ledger.OutcomeRateLimited, ""},
		"500 may have committed":     {"500 Oops", "", nil, ledger.OutcomeAmbiguous, ledger.CategoryProviderError},
		"500 that cannot have":       {"500 Oops", "", func(d *registry.Definition) { d.Provider.FiveXXMayCommit = false }, ledger.OutcomeDeclined, ""},
		"503 that the profile lists": {"503 Busy", "", func(d *registry.Definition) { d.Provider.RetryableCodes = []string{"503"} }, ledger.OutcomeDeclined, ""},
		"409 that the profile lists": {"409 Conflict", "", func(d *registry.Definition) { d.Provider.RetryableCodes = []string{"409"} }, ledger.OutcomeDeclined, ""},
	} {
		t.Run(name, func(t *testing.T) {
			length := "Content-Type: x"
			p := newPeer(t, answers(c.status, c.body, length))
			tool := capture(p.url())
			if c.change != nil {
				c.change(tool)
			}
			r := local().Act(t.Context(), tool, effect())
			code := c.status[:3]
			if c.outcome == ledger.OutcomeSucceeded {
				code = ""
			}
			if c.category == ledger.CategoryMalformedAnswer {
				code = c.status[:3]
			}
			want(t, r, c.outcome, c.category, code)
			arrived(t, p, 1, 1)
		})
	}
}

// TestOutcomeRules: the first that matches decides, by status, header and body.
func TestOutcomeRules(t *testing.T) {
	rules := []registry.HTTPOutcomeRule{
		{When: registry.HTTPCondition{Status: []string{"200"}, BodyPointer: "/error/code"}, Outcome: registry.HTTPRejected, Extract: registry.HTTPExtract{Code: "/error/code"}},
		{When: registry.HTTPCondition{BodyPointer: "/status", BodyEqualsJSON: new(`"pending"`)}, Outcome: registry.HTTPAcknowledged, Extract: registry.HTTPExtract{ProviderObjectID: "/id"}},
		{When: registry.HTTPCondition{Header: "X-Already", HeaderEquals: new("yes")}, Outcome: registry.HTTPNoop, Extract: registry.HTTPExtract{ProviderObjectID: "/id"}},
		{When: registry.HTTPCondition{BodyPointer: "/n", BodyEqualsJSON: new(`{"b":[1.0,true],"a":null}`)}, Outcome: registry.HTTPDeclined},
		{When: when("409"), Outcome: registry.HTTPNoop},
		{When: when("420"), Outcome: registry.HTTPRateLimited},
		{When: registry.HTTPCondition{Status: []string{"207"}}, Outcome: registry.HTTPAmbiguous, Extract: registry.HTTPExtract{Result: "/items"}},
		{When: when("2xx"), Outcome: registry.HTTPSucceeded, Extract: registry.HTTPExtract{ProviderObjectID: "/payment/id", EffectID: "/id", Result: "/payment"}},
		{When: when("4xx"), Outcome: registry.HTTPRejected, Extract: registry.HTTPExtract{Code: "/errors/0/code"}},
	}
	for name, c := range map[string]struct {
		status, body string
		outcome      ledger.Outcome
		category     ledger.Category
		code         string
		effect       string
		object       string
		result       string
	}{
		"200 that says error":      {"200 OK", `{"id":"x","error":{"code":"declined"}}`, ledger.OutcomeRejected, "", "declined", "", "", ""},
		"pending":                  {"200 OK", `{"id":"ch_1","status":"pending"}`, ledger.OutcomeAcknowledge, "", "", "ch_1", "ch_1", `{"id":"ch_1","status":"pending"}`},
		"equal as canonical JSON":  {"200 OK", `{"n":{"a":null,"b":[1,true]}}`, ledger.OutcomeDeclined, "", "200", "", "", ""},
		"almost equal":             {"200 OK", `{"n":{"a":null,"b":[1,false]},"id":7,"payment":{"id":"p"}}`, ledger.OutcomeSucceeded, "", "", "7", "p", `{"id":"p"}`},
		"an effect of its own":     {"200 OK", `{"id":12345678901234567890,"payment":{"id":"p_1","x":"<&>"}}`, ledger.OutcomeSucceeded, "", "", "12345678901234567890", "p_1", `{"id":"p_1","x":"<&>"}`},
		"a success without its id": {"200 OK", `{"payment":{"id":"p_1"}}`, ledger.OutcomeAmbiguous, ledger.CategoryMalformedAnswer, "200", "", "p_1", `{"id":"p_1"}`},
		"it exists already":        {"409 Conflict", `{}`, ledger.OutcomeNoop, "", "", "", "", `{}`},
		"another limit":            {"420 Calm", ``, ledger.OutcomeRateLimited, "", "420", "", "", ""},
		"FC-215 one of a batch":    {"207 Multi", `{"items":[{"to":"a"},{"to":"c","error":1}]}`, ledger.OutcomeAmbiguous, ledger.CategoryProviderError, "207", "", "", `[{"to":"a"},{"error":1,"to":"c"}]`},
		"a code in a list":         {"422 No", `{"errors":[{"code":"bad_address"}]}`, ledger.OutcomeRejected, "", "bad_address", "", "", ""},
		"a retryable code":         {"423 Locked", `{"errors":[{"code":"lock_timeout"}]}`, ledger.OutcomeDeclined, "", "lock_timeout", "", "", ""},
		"a code that is too long":  {"422 No", `{"errors":[{"code":"` + longText(300) + `"}]}`, ledger.OutcomeRejected, "", "422", "", "", ""},
		"no rule":                  {"500 Oops", ``, ledger.OutcomeAmbiguous, ledger.CategoryProviderError, "500", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t, answers(c.status, c.body))
			tool := capture(p.url())
			tool.HTTP.Outcomes = rules
			r := local().Act(t.Context(), tool, effect())
			want(t, r, c.outcome, c.category, c.code)
			if r.EffectID != c.effect || r.ObjectID != c.object || string(r.ResultJSON) != c.result {
				t.Errorf("effect %q, object %q, result %s", r.EffectID, r.ObjectID, r.ResultJSON)
			}
		})
	}
	p := newPeer(t, answers("200 OK", `{"id":"o_1"}`, "x-already: yes"))
	tool := capture(p.url())
	tool.HTTP.Outcomes = rules
	if r := local().Act(t.Context(), tool, effect()); r.Outcome != ledger.OutcomeNoop || r.EffectID != "o_1" {
		t.Errorf("reported %+v", r)
	}
}

func longText(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'x'
	}
	return string(b)
}

// TestEffectsWithoutAnId: what has no id of its own reports none.
func TestEffectsWithoutAnId(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{"id":"m_1"}`))
	tool := capture(p.url())
	tool.HTTP.Outcomes = []registry.HTTPOutcomeRule{{When: when("2xx"), Outcome: registry.HTTPSucceeded, Extract: registry.HTTPExtract{ProviderObjectID: "/id"}}}
	for effectIdentity, id := range map[registry.EffectIdentity]string{registry.EffectNone: "", registry.EffectChange: "", registry.EffectCreatedObject: "m_1"} {
		tool.Effect = effectIdentity
		if r := local().Act(t.Context(), tool, effect()); r.EffectID != id || r.ObjectID != "m_1" {
			t.Errorf("%s: effect %q, object %q", effectIdentity, r.EffectID, r.ObjectID)
		}
	}
}

// TestReplayed: the provider says by its own sign that it answered from its record.
func TestReplayed(t *testing.T) {
	for sign, replayed := range map[string]bool{"Idempotent-Replayed: true": true, "Idempotent-Replayed: false": false, "X: y": false} {
		p := newPeer(t, answers("200 OK", `{}`, sign))
		tool := capture(p.url())
		tool.HTTP.Replayed = &registry.HTTPCondition{Header: "idempotent-replayed", HeaderEquals: new("true")}
		if r := local().Act(t.Context(), tool, effect()); r.Replayed != replayed {
			t.Errorf("%s: %v", sign, r.Replayed)
		}
	}
}

// TestRetryAfter: in seconds or as a date, by the provider's own clock where it tells it.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 12, 2, 10, 0, 0, 0, time.UTC)
	clock := func(c *adapter.Config) { c.Clock = func() time.Time { return now } }
	for header, after := range map[string]time.Duration{
		"Retry-After: 30":                            30 * time.Second,
		"Retry-After: 0.5":                           500 * time.Millisecond,
		"Retry-After: -1":                            0,
		"Retry-After: NaN":                           0,
		"Retry-After: 1e300":                         7 * 24 * time.Hour,
		"Retry-After: Wed, 02 Dec 2026 10:01:00 GMT": time.Minute,
		"Retry-After: Wed, 02 Dec 2026 09:00:00 GMT": 0,
		"Retry-After: Fri, 02 Dec 2050 10:00:00 GMT": 7 * 24 * time.Hour,
		"Retry-After: soon":                          0,
		"X-Reset: 7":                                 0,
		"Date: Wed, 02 Dec 2026 12:00:00 GMT\r\nRetry-After: Wed, 02 Dec 2026 12:00:05 GMT": 5 * time.Second,
	} {
		p := newPeer(t, answers("429 Slow Down", "", header))
		r := local(clock).Act(t.Context(), capture(p.url()), effect())
		want(t, r, ledger.OutcomeRateLimited, "", "429")
		if r.RetryAfter != after {
			t.Errorf("%s: %s", header, r.RetryAfter)
		}
	}
	p := newPeer(t, answers("503 Busy", "", "X-Reset: 7"))
	tool := capture(p.url())
	tool.Provider.RateLimit.RetryAfterHeader, tool.Provider.FiveXXMayCommit = "X-Reset", false
	if r := local().Act(t.Context(), tool, effect()); r.Outcome != ledger.OutcomeDeclined || r.RetryAfter != 7*time.Second {
		t.Errorf("reported %+v", r)
	}
}

// TestResultsThatCannotBeKept: nothing hangs on a result, so one that cannot be kept changes no outcome.
func TestResultsThatCannotBeKept(t *testing.T) {
	for _, body := range []string{`{"a":1,"a":2}`, `{"a":"` + longText(1<<20) + `"}`} {
		p := newPeer(t, answers("200 OK", body))
		tool := capture(p.url())
		tool.HTTP.Request.MaxResponseBytes = 4 << 20
		r := local().Act(t.Context(), tool, effect())
		want(t, r, ledger.OutcomeSucceeded, "", "")
		if r.ResultJSON != nil {
			t.Errorf("%.20s is kept", body)
		}
	}
}
