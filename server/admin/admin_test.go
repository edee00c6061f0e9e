package admin_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/server/admin"
)

// port is an admin port that listens, before a ledger in a SQLite file.
type port struct {
	*admin.Port
	url     string
	metrics *admin.Metrics
	offset  *atomic.Int64
	ledger  *transact.Ledger
	engine  *breakable
}

// breakable is a database that can be away.
type breakable struct {
	ledger.Engine
	away atomic.Bool
}

func (b *breakable) Stats(ctx context.Context) (ledger.Stats, error) {
	if b.away.Load() {
		return ledger.Stats{}, errors.New("dial tcp 192.0.2.1: password authentication failed")
	}
	return b.Engine.Stats(ctx)
}

func (b *breakable) Time(ctx context.Context) (time.Time, error) {
	if b.away.Load() {
		return time.Time{}, errors.New("dial tcp 192.0.2.1: password authentication failed")
	}
	return b.Engine.Time(ctx)
}

func open(t *testing.T, profiles bool) *port {
	t.Helper()
	p := &port{offset: &atomic.Int64{}}
	store, err := litestore.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), litestore.WithTimeOffset(p.offset))
	if err != nil {
		t.Fatal(err)
	}
	p.engine = &breakable{Engine: store}
	p.metrics = admin.NewMetrics("v1.2.3", p.engine)
	p.ledger = transact.New(p.engine, transact.Options{OnBatch: p.metrics.Batch})
	p.Port = admin.New(admin.Config{Metrics: p.metrics, Engine: p.engine, Profiles: profiles})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.url = "http://" + l.Addr().String()
	ended := make(chan error, 1)
	go func() { ended <- p.Serve(l) }()
	t.Cleanup(func() {
		if err := errors.Join(p.Close(context.Background()), <-ended); err != nil {
			t.Error(err)
		}
		p.ledger.Close()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func (p *port) get(t *testing.T, path, host string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// scrape reads /metrics and checks that each line is there.
func (p *port) scrape(t *testing.T, want ...string) string {
	t.Helper()
	code, body := p.get(t, "/metrics", "")
	if code != http.StatusOK {
		t.Fatalf("/metrics answers %d: %s", code, body)
	}
	lines := strings.Split(body, "\n")
	have := map[string]bool{}
	for _, l := range lines {
		have[l] = true
	}
	for _, w := range want {
		if !have[w] {
			t.Errorf("/metrics lacks %s", w)
		}
	}
	return body
}

func TestMetricsTellWhatHappened(t *testing.T) {
	p := open(t, false)
	for range 2 {
		p.metrics.Decision("mail.send", "EXTERNAL_NON_IDEMPOTENT_WRITE", "EXECUTE")
	}
	p.metrics.Decision("mail.send", "EXTERNAL_NON_IDEMPOTENT_WRITE", "REPLAYED")
	p.metrics.Incident("duplicate_effect")
	p.metrics.RPC("/opledger.v1.OperationService/ProposeOperation", "OK", 3*time.Millisecond)
	p.metrics.TransactionRetry("40001")
	p.metrics.Batch(3, errors.New("away"))
	p.metrics.Defect(errors.New("a panic"))
	p.metrics.DueWork("permit_ends", "done")
	p.metrics.DueClaimFailed()
	body := p.scrape(t,
		`opledger_build_info{engine="sqlite",version="v1.2.3"} 1`,
		`opledger_decisions_total{class="EXTERNAL_NON_IDEMPOTENT_WRITE",decision="EXECUTE",tool="mail.send"} 2`,
		`opledger_decisions_total{class="EXTERNAL_NON_IDEMPOTENT_WRITE",decision="REPLAYED",tool="mail.send"} 1`,
		`opledger_suppressed_duplicates_total{class="EXTERNAL_NON_IDEMPOTENT_WRITE",decision="REPLAYED",tool="mail.send"} 1`,
		`opledger_incidents_total{kind="duplicate_effect"} 1`,
		`opledger_rpc_duration_seconds_bucket{code="OK",method="opledger.v1.OperationService/ProposeOperation",le="0.005"} 1`,
		`opledger_rpc_duration_seconds_bucket{code="OK",method="opledger.v1.OperationService/ProposeOperation",le="0.0025"} 0`,
		`opledger_transaction_retries_total{reason="40001"} 1`,
		`opledger_transactions_total{outcome="failed"} 1`,
		`opledger_transactions_total{outcome="committed"} 0`,
		`opledger_transaction_commands_bucket{le="4"} 1`,
		`opledger_transaction_commands_bucket{le="2"} 0`,
		`opledger_defects_total 1`,
		`opledger_due_work_total{kind="permit_ends",outcome="done"} 1`,
		`opledger_due_work_claim_failures_total 1`,
		`opledger_unknown_outcome_operations 0`,
		`opledger_stats_available 1`,
	)
	if strings.Contains(body, `opledger_suppressed_duplicates_total{class="EXTERNAL_NON_IDEMPOTENT_WRITE",decision="EXECUTE"`) {
		t.Error("a permit counts as a suppressed duplicate")
	}
	if !strings.Contains(body, "go_goroutines") || !strings.Contains(body, "process_start_time_seconds") {
		t.Error("/metrics lacks the program's own figures")
	}
}

func TestGaugesTellHowTheLedgerStands(t *testing.T) {
	p := open(t, false)
	reply, err := p.ledger.Do(t.Context(), &ledger.Propose{
		Namespace: "shop", Principal: "agent", RequestID: "r", RequestHash: "r", Tool: "mail.send",
		Terms: ledger.Terms{
			Class: registry.ExternalNonIdempotentWrite, Executor: registry.Inline, PermitDuration: time.Minute, PermitGreatest: time.Hour,
			MaxAttempts: 3, PendingMaxAge: 24 * time.Hour, RetryMaxAge: 24 * time.Hour, HumanAfter: time.Hour,
		},
		Forms:        []ledger.Form{{ToolVersion: 1, Key: "mail:1", Canonical: []byte(`{}`), Fingerprint: "sha256:0"}},
		Arguments:    []byte(`{}`),
		NewOperation: "op_1", NewAttempt: "att_1", NewDecision: "dec_1",
	})
	if err != nil {
		t.Fatal(err)
	}
	operation := reply.(*ledger.Answer).Operation
	p.scrape(t,
		`opledger_operations_open{class="EXTERNAL_NON_IDEMPOTENT_WRITE",namespace="shop",state="dispatched",tool="mail.send"} 1`,
		`opledger_transactions_total{outcome="committed"} 1`,
		`opledger_due_work_overdue 0`,
		`opledger_due_work_lag_seconds 0`,
	)

	// The permit ends without a report, nobody looks for half an hour, and then for two hours more.
	wake := func(by time.Duration) {
		t.Helper()
		p.offset.Add(int64(by))
		due, err := p.engine.ClaimDue(t.Context(), "test", 10, time.Second)
		if err != nil || len(due) != 1 {
			t.Fatalf("due work %v, %v", due, err)
		}
		if _, err := p.ledger.Do(t.Context(), &ledger.Wake{Due: due[0]}); err != nil {
			t.Fatal(err)
		}
	}
	p.offset.Add(int64(30 * time.Minute))
	late := value(t, p.scrape(t, `opledger_due_work_overdue 1`), "opledger_due_work_lag_seconds")
	if !strings.HasPrefix(late, "1740") { // 29 minutes and what the test itself took
		t.Errorf("due work is late by %s", late)
	}
	wake(0)
	p.scrape(t,
		`opledger_operations_open{class="EXTERNAL_NON_IDEMPOTENT_WRITE",namespace="shop",state="unknown_outcome",tool="mail.send"} 1`,
		`opledger_unknown_outcome_operations 1`, `opledger_unknown_outcome_tool_operations{namespace="shop",tool="mail.send"} 1`, `opledger_needs_human_operations 0`, `opledger_due_work_overdue 0`,
	)
	wake(2 * time.Hour)
	age := value(t, p.scrape(t, `opledger_needs_human_operations 1`), "opledger_unknown_outcome_oldest_age_seconds")
	if !strings.HasPrefix(age, "720") {
		t.Errorf("%s has been unknown for %s", operation.ID, age)
	}
}

func value(t *testing.T, body, name string) string {
	t.Helper()
	for line := range strings.Lines(body) {
		if v, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(v)
		}
	}
	t.Fatalf("/metrics lacks %s", name)
	return ""
}

func TestADatabaseThatIsAwayLeavesFiguresOut(t *testing.T) {
	p := open(t, false)
	p.engine.away.Store(true)
	body := p.scrape(t, `opledger_stats_available 0`)
	if strings.Contains(body, "\nopledger_unknown_outcome_operations") {
		t.Error("figures were given that nobody knows")
	}
}

func TestHealthAndReadiness(t *testing.T) {
	p := open(t, false)
	for path, want := range map[string]int{"/": 200, "/healthz": 200, "/readyz": 200, "/debug/pprof/": 404, "/elsewhere": 404} {
		if code, body := p.get(t, path, ""); code != want {
			t.Errorf("%s answers %d: %s", path, code, body)
		}
	}
	p.engine.away.Store(true)
	code, body := p.get(t, "/readyz", "")
	if code != http.StatusServiceUnavailable || strings.Contains(body, "192.0.2.1") {
		t.Errorf("/readyz without a database answers %d: %s", code, body)
	}
	if code, _ := p.get(t, "/healthz", ""); code != http.StatusOK {
		t.Errorf("/healthz without a database answers %d", code)
	}
	p.engine.away.Store(false)
	p.Drain()
	if code, _ := p.get(t, "/readyz", ""); code != http.StatusServiceUnavailable {
		t.Errorf("/readyz of a stopping server answers %d", code)
	}
	p.scrape(t, `opledger_stats_available 1`)
}

func TestProfilesAreOpenedByASettingOnly(t *testing.T) {
	if code, _ := open(t, true).get(t, "/debug/pprof/goroutine?debug=1", ""); code != http.StatusOK {
		t.Errorf("answers %d", code)
	}
}

func TestALoopbackPortIsAskedUnderItsOwnNamesOnly(t *testing.T) {
	p := open(t, false)
	for host, want := range map[string]int{
		"localhost:7118": 200, "localhost": 200, "127.0.0.1": 200, "[::1]:7118": 200, "[::1]": 200,
		"attacker.example": 421, "attacker.example:7118": 421, "192.0.2.1": 421,
	} {
		if code, _ := p.get(t, "/metrics", host); code != want {
			t.Errorf("asked as %s it answers %d", host, code)
		}
	}
}
