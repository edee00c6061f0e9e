package admin

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
)

// workMetrics are what is counted of the requests to providers.
type workMetrics struct {
	exchanges *prometheus.HistogramVec
	breakers  *prometheus.GaugeVec
	changes   *prometheus.CounterVec
}

// exchangeBuckets reach to the longest request that a tool may state.
var exchangeBuckets = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300}

func newWorkMetrics() workMetrics {
	m := workMetrics{
		exchanges: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "opledger_exchange_duration_seconds",
			Help:    "Requests of this server to providers, by kind (dispatch, lookup) and what came of them: a report's outcome, or a statement's verdict.",
			Buckets: exchangeBuckets,
		}, []string{"tool", "kind", "outcome"}),
		breakers: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "opledger_breaker_state", Help: "What this server's circuit breakers let pass: 0 everything, 1 a probe, 2 nothing.",
		}, []string{"namespace", "provider", "kind"}),
		changes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "opledger_breaker_changes_total", Help: "Changes of circuit breakers, by the state that they came to.",
		}, []string{"state"}),
	}
	for _, s := range []breaker.State{breaker.Closed, breaker.HalfOpen, breaker.Open} {
		m.changes.WithLabelValues(s.String()) // so that a rate is zero and not absent
	}
	return m
}

// Exchange measures a request to a provider.
func (m *Metrics) Exchange(tool, kind, outcome string, took time.Duration) {
	m.work.exchanges.WithLabelValues(tool, kind, outcome).Observe(took.Seconds())
}

// Breaker says that a circuit breaker has changed.
func (m *Metrics) Breaker(key breaker.Key, state breaker.State) {
	lets := map[breaker.State]float64{breaker.Closed: 0, breaker.HalfOpen: 1, breaker.Open: 2}[state]
	m.work.breakers.WithLabelValues(string(key.Namespace), key.Provider, string(key.Kind)).Set(lets)
	m.work.changes.WithLabelValues(state.String()).Inc()
}

// workGauges ask the database for what waits to be taken up. Each server of a database gives the same ones.
type workGauges struct {
	engine                 Engine
	waiting, ready, oldest *prometheus.Desc
}

func newWorkGauges(engine Engine) *workGauges {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	of := []string{"namespace", "tool", "kind", "executor", "provider"}
	return &workGauges{
		engine:  engine,
		waiting: desc("opledger_work_waiting", "Work for workers and for the server: claimed items and those that are not due yet included.", of...),
		ready:   desc("opledger_work_ready", "Work that could be taken up now.", of...),
		oldest:  desc("opledger_work_oldest_ready_age_seconds", "For how long the work that is ready longest has been; zero where none is.", of...),
	}
}

// Describe lists the gauges.
func (g *workGauges) Describe(to chan<- *prometheus.Desc) {
	to <- g.waiting
	to <- g.ready
	to <- g.oldest
}

// Collect asks once, for a bounded time. A database that does not answer leaves the figures out rather than at zero.
func (g *workGauges) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), statsTimeout)
	defer cancel()
	depths, err := g.engine.WorkQueues(ctx, ledger.WorkQuery{})
	if err != nil {
		return
	}
	now, err := g.engine.Time(ctx)
	if err != nil {
		return
	}
	for _, d := range depths {
		of := []string{string(d.Namespace), d.Tool, string(d.Kind), string(d.Executor), d.Provider}
		age := 0.0
		if !d.Oldest.IsZero() {
			age = max(0, now.Sub(d.Oldest).Seconds())
		}
		to <- prometheus.MustNewConstMetric(g.waiting, prometheus.GaugeValue, float64(d.Waiting), of...)
		to <- prometheus.MustNewConstMetric(g.ready, prometheus.GaugeValue, float64(d.Ready), of...)
		to <- prometheus.MustNewConstMetric(g.oldest, prometheus.GaugeValue, age, of...)
	}
}
