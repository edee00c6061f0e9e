package admin

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/opledger/opledger/ledger"
)

// Metrics counts what happens in one process. Its methods are the observers of the server, the ledger, the engines and
// the dispatcher; none of them blocks. Each Metrics has a registry of its own, so that two servers can live in one process.
type Metrics struct {
	registry      *prometheus.Registry
	decisions     *prometheus.CounterVec
	duplicates    *prometheus.CounterVec
	incidents     *prometheus.CounterVec
	rpcs          *prometheus.HistogramVec
	retries       *prometheus.CounterVec
	transactions  *prometheus.CounterVec
	commands      prometheus.Histogram
	defects       prometheus.Counter
	dueWork       *prometheus.CounterVec
	claimFailures prometheus.Counter
	work          workMetrics
}

// suppressed are the decisions by which a proposal that would have been a second dispatch was answered from the record.
var suppressed = map[ledger.DecisionKind]bool{
	ledger.DecisionReplayed: true, ledger.DecisionInFlight: true, ledger.DecisionReconciling: true,
}

// rpcBuckets reach from an answer out of memory to the longest wait that a request can ask for.
var rpcBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120}

// commandBuckets reach to the greatest batch.
var commandBuckets = []float64{1, 2, 4, 8, 16, 32}

// NewMetrics makes the metrics of a server of the stated version. The engine is asked for the gauges at each scrape.
func NewMetrics(version string, engine Engine) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &Metrics{
		registry:  prometheus.NewRegistry(),
		decisions: counter("opledger_decisions_total", "Answers to proposals.", "tool", "class", "decision"),
		duplicates: counter("opledger_suppressed_duplicates_total",
			"Proposals that would have been a second dispatch and were answered from the record.", "tool", "class", "decision"),
		incidents: counter("opledger_incidents_total", "What must not happen and did: contradictions, detected duplicates.", "kind"),
		rpcs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "opledger_rpc_duration_seconds", Help: "Calls by method and gRPC code, waits that the caller asked for included.", Buckets: rpcBuckets,
		}, []string{"method", "code"}),
		retries:      counter("opledger_transaction_retries_total", "Transactions that the database asked to try again.", "reason"),
		transactions: counter("opledger_transactions_total", "Transactions with all their tries, by outcome.", "outcome"),
		commands: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "opledger_transaction_commands", Help: "Commands that shared one transaction.", Buckets: commandBuckets,
		}),
		defects: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "opledger_defects_total", Help: "Commands that failed by a defect of the server and changed nothing.",
		}),
		dueWork: counter("opledger_due_work_total", "Items of due work, by kind and what became of them.", "kind", "outcome"),
		claimFailures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "opledger_due_work_claim_failures_total", Help: "Times that the database could not be asked for due work.",
		}),
	}
	m.work = newWorkMetrics()
	for _, outcome := range []string{committed, failed} {
		m.transactions.WithLabelValues(outcome) // so that a rate is zero and not absent
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "opledger_build_info", Help: "Always 1; says which program runs on which engine.",
		ConstLabels: prometheus.Labels{"version": version, "engine": engine.Name()},
	})
	build.Set(1)
	m.registry.MustRegister(m.decisions, m.duplicates, m.incidents, m.rpcs, m.retries, m.transactions, m.commands, m.defects,
		m.dueWork, m.claimFailures, build, newGauges(engine), newWorkGauges(engine), m.work.exchanges, m.work.breakers, m.work.changes,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Decision counts an answer to a proposal.
func (m *Metrics) Decision(tool, class, decision string) {
	m.decisions.WithLabelValues(tool, class, decision).Inc()
	if suppressed[ledger.DecisionKind(decision)] {
		m.duplicates.WithLabelValues(tool, class, decision).Inc()
	}
}

// Incident counts what must not happen and did.
func (m *Metrics) Incident(kind string) { m.incidents.WithLabelValues(kind).Inc() }

// RPC measures a call. The method is the whole name, "/opledger.v1.OperationService/ProposeOperation".
func (m *Metrics) RPC(method, code string, took time.Duration) {
	m.rpcs.WithLabelValues(strings.TrimPrefix(method, "/"), code).Observe(took.Seconds())
}

// TransactionRetry counts another try of a transaction.
func (m *Metrics) TransactionRetry(reason string) { m.retries.WithLabelValues(reason).Inc() }

// The outcomes of a transaction.
const (
	committed = "committed"
	failed    = "failed"
)

// Batch counts a transaction that carried so many commands.
func (m *Metrics) Batch(commands int, err error) {
	outcome := committed
	if err != nil {
		outcome = failed
	}
	m.transactions.WithLabelValues(outcome).Inc()
	m.commands.Observe(float64(commands))
}

// Defect counts a command that panicked.
func (m *Metrics) Defect(error) { m.defects.Inc() }

// DueWork counts an item of due work.
func (m *Metrics) DueWork(kind, outcome string) { m.dueWork.WithLabelValues(kind, outcome).Inc() }

// DueClaimFailed counts a look for due work that failed.
func (m *Metrics) DueClaimFailed() { m.claimFailures.Inc() }
