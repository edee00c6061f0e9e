package admin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// enqueue makes an operation that the server is to carry out.
func (p *port) enqueue(t *testing.T) {
	t.Helper()
	_, err := p.ledger.Do(t.Context(), &ledger.Propose{
		Namespace: "shop", Principal: "agent", RequestID: "q", RequestHash: "q", Tool: "mail.send",
		Terms: ledger.Terms{
			Class: registry.ExternalNonIdempotentWrite, Executor: registry.ServerHTTP, PermitDuration: time.Minute, PermitGreatest: time.Hour,
			MaxAttempts: 3, PendingMaxAge: 24 * time.Hour, RetryMaxAge: 24 * time.Hour, HumanAfter: time.Hour, Provider: "post", Account: "acct_1",
		},
		Forms:        []ledger.Form{{ToolVersion: 1, Key: "mail:q", Canonical: []byte(`{}`), Fingerprint: "sha256:0"}},
		Arguments:    []byte(`{}`),
		NewOperation: "op_q", NewAttempt: "att_q", NewDecision: "dec_q",
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestGaugesTellWhatWaitsToBeTakenUp(t *testing.T) {
	p := open(t, false)
	if body := p.scrape(t); strings.Contains(body, "\nopledger_work_") {
		t.Error("work is told of where there is none")
	}
	p.enqueue(t)
	p.offset.Add(int64(10 * time.Minute))
	of := `{executor="SERVER_HTTP",kind="dispatch",namespace="shop",provider="post/acct_1",tool="mail.send"}`
	body := p.scrape(t, "opledger_work_waiting"+of+" 1", "opledger_work_ready"+of+" 1")
	if age := value(t, body, "opledger_work_oldest_ready_age_seconds"+of); !strings.HasPrefix(age, "600") {
		t.Errorf("the oldest is %s seconds old", age)
	}
	if _, err := p.engine.ClaimWork(t.Context(), ledger.Queue{
		Namespace: "shop", Executor: registry.ServerHTTP, Tool: "mail.send", Kind: ledger.WorkDispatch, Provider: "post/acct_1",
	}, "one", 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	p.scrape(t, "opledger_work_waiting"+of+" 1", "opledger_work_ready"+of+" 0", "opledger_work_oldest_ready_age_seconds"+of+" 0")
}

func TestMetricsTellOfRequestsAndBreakers(t *testing.T) {
	p := open(t, false)
	p.metrics.Exchange("mail.send", "dispatch", "succeeded", 30*time.Millisecond)
	p.metrics.Exchange("mail.send", "lookup", "did_not_happen", 2*time.Second)
	p.metrics.Breaker(breaker.Key{Namespace: "shop", Provider: "post", Kind: ledger.WorkDispatch}, breaker.Open)
	p.metrics.Breaker(breaker.Key{Namespace: "shop", Provider: "post", Kind: ledger.WorkLookup}, breaker.HalfOpen)
	p.scrape(t,
		`opledger_exchange_duration_seconds_bucket{kind="dispatch",outcome="succeeded",tool="mail.send",le="0.05"} 1`,
		`opledger_exchange_duration_seconds_bucket{kind="dispatch",outcome="succeeded",tool="mail.send",le="0.025"} 0`,
		`opledger_exchange_duration_seconds_count{kind="lookup",outcome="did_not_happen",tool="mail.send"} 1`,
		`opledger_breaker_state{kind="dispatch",namespace="shop",provider="post"} 2`,
		`opledger_breaker_state{kind="lookup",namespace="shop",provider="post"} 1`,
		`opledger_breaker_changes_total{state="open"} 1`,
		`opledger_breaker_changes_total{state="closed"} 0`,
	)
	p.metrics.Breaker(breaker.Key{Namespace: "shop", Provider: "post", Kind: ledger.WorkDispatch}, breaker.Closed)
	p.scrape(t, `opledger_breaker_state{kind="dispatch",namespace="shop",provider="post"} 0`, `opledger_breaker_changes_total{state="closed"} 1`)
}
