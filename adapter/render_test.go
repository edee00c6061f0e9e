package adapter_test

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/opledger/opledger/adapter"
	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// TestInjection: no argument reaches another place than its own; one that no header can hold is never sent.
func TestInjection(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{}`))
	tool := capture(p.url())
	tool.HTTP.Request.Headers = []registry.HTTPHeader{{Name: "X-Subject", Value: "order {args.note}"}}
	e := effect()
	for _, bad := range []string{"a\r\nX-Admin: true", "a\nb", "a\r", "\x00", "\x7f", strings.Repeat("x", 1<<15)} {
		e.Arguments = canon.Object(map[string]*canon.Value{
			"amount": canon.String("1.00"), "currency": canon.String("EUR"), "order_id": canon.String("o"), "note": canon.String(bad)}).Canonical()
		want(t, local().Act(t.Context(), tool, e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "template")
	}
	for _, id := range []string{"..", ".", ""} {
		e.Arguments = []byte(`{"amount":"1.00","currency":"EUR","note":"x","order_id":"` + id + `"}`)
		want(t, local().Act(t.Context(), tool, e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "template")
	}
	arrived(t, p, 0, 0)
	e.Arguments = []byte(`{"amount":"1.00","currency":"EUR","note":"ü \"x\"","order_id":"1/../../admin?x=1#y HTTP/1.1\r\nX: y"}`)
	want(t, local().Act(t.Context(), tool, e), ledger.OutcomeSucceeded, "", "")
	_, _, requests, _ := p.seen()
	if first, _, _ := strings.Cut(requests[0], "\r\n"); first != "POST /v1/orders/1%2F..%2F..%2Fadmin%3Fx=1%23y%20HTTP%2F1.1%0D%0AX:%20y/captures?channel=web HTTP/1.1" {
		t.Errorf("the request line is %s", first)
	}
}

// TestWhatATemplateLacks: an argument that is not there is told by its reference.
func TestWhatATemplateLacks(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{}`))
	for _, text := range []string{`{}`, `{"order_id":"1","amount":"x","currency":"EUR"}`, `{"order_id":{"a":1},"amount":"1.00","currency":"EUR"}`, `not json`} {
		e := effect()
		e.Arguments = []byte(text)
		want(t, local().Act(t.Context(), capture(p.url()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "template")
	}
	e := effect()
	e.VendorKey = ""
	want(t, local().Act(t.Context(), capture(p.url()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "template")
	arrived(t, p, 0, 0)
}

// TestSecrets: one that is missing keeps the request back, and none is in what is told of a request, even where the
// provider repeats it.
func TestSecrets(t *testing.T) {
	p := newPeer(t, func(conn net.Conn, r *http.Request) {
		auth := r.Header.Get("Authorization")
		answers("401 Unauthorized", `{"id":"x `+auth+`","error":{"code":"bad key `+auth+`"},"message":"`+auth+`"}`, "X-Request-Id: "+auth)(conn, r)
	})
	tool := capture(p.url())
	secret := &registry.SecretRef{Environment: "OPLEDGER_SECRET_PAY", Prefix: "Bearer "}
	tool.HTTP.Request.Headers = []registry.HTTPHeader{{Name: "Authorization", Secret: secret}}
	tool.HTTP.Outcomes = []registry.HTTPOutcomeRule{{When: registry.HTTPCondition{Status: []string{"401"}}, Outcome: registry.HTTPRejected,
		Extract: registry.HTTPExtract{ProviderObjectID: "/id", Code: "/error/code", Result: "/message", ProviderRequestIDHeader: "X-Request-Id"}}}
	r := local().Act(t.Context(), tool, effect())
	want(t, r, ledger.OutcomeRejected, "", "bad key Bearer [secret]")
	if told := fmt.Sprintf("%+v %s", r, r.ResultJSON); strings.Contains(told, "sk_live") || !bytes.Contains(r.ResultJSON, []byte("[secret]")) {
		t.Errorf("told %s", told)
	}
	for _, ref := range []registry.SecretRef{{Environment: "OPLEDGER_SECRET_NONE"}, {Environment: "DATABASE_PASSWORD"}, {File: "none"}, {Environment: "OPLEDGER_SECRET_TWO_LINES"}} {
		*secret = ref
		want(t, local().Act(t.Context(), tool, effect()), ledger.OutcomeNotSent, ledger.CategoryNotSent, "secret_missing")
	}
	arrived(t, p, 1, 1)
}

// TestSecretsOfAnotherNamespace: where they are kept apart, a tool names those of its own namespace alone.
func TestSecretsOfAnotherNamespace(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{}`))
	tool := capture(p.url())
	secret := &registry.SecretRef{Environment: "OPLEDGER_SECRET_PAY"}
	tool.HTTP.Request.Headers = []registry.HTTPHeader{{Name: "Authorization", Secret: secret}}
	apart := local(func(c *adapter.Config) { c.Secrets.PerNamespace = true })
	want(t, apart.Act(t.Context(), tool, effect()), ledger.OutcomeNotSent, ledger.CategoryNotSent, "secret_missing")
	secret.Environment = "OPLEDGER_SECRET_ACME__PAY"
	e := effect()
	e.Namespace = "other"
	want(t, apart.Act(t.Context(), tool, e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "secret_missing")
	arrived(t, p, 0, 0)
	want(t, apart.Act(t.Context(), tool, effect()), ledger.OutcomeSucceeded, "", "")
}
