package admin

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/opledger/opledger/ledger"
)

// Engine is what the admin port asks of a database.
type Engine interface {
	Stats(ctx context.Context) (ledger.Stats, error)
	Time(ctx context.Context) (time.Time, error)
	WorkQueues(ctx context.Context, q ledger.WorkQuery) ([]ledger.QueueDepth, error)
	Name() string
}

// statsTimeout bounds the question that a scrape puts to the database, well below Prometheus's own ten seconds.
const statsTimeout = 3 * time.Second

// gauges asks the database for its figures when somebody looks. Each server of a database gives the same ones.
type gauges struct {
	engine Engine
	open, unknown, oldestUnknown, unknownOf, oldestOf, needsHuman,
	dueLag, dueCount, approvals, leases, oldestLease, unusedLeases, available *prometheus.Desc
}

func newGauges(engine Engine) *gauges {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &gauges{
		engine:        engine,
		open:          desc("opledger_operations_open", "Operations that have not ended.", "namespace", "tool", "class", "state"),
		unknown:       desc("opledger_unknown_outcome_operations", "Operations whose outcome is not known."),
		oldestUnknown: desc("opledger_unknown_outcome_oldest_age_seconds", "Age of the oldest unknown outcome; zero where there is none."),
		unknownOf:     desc("opledger_unknown_outcome_tool_operations", "Operations whose outcome is not known, by tool.", "namespace", "tool"),
		oldestOf:      desc("opledger_unknown_outcome_tool_oldest_age_seconds", "Age of the oldest unknown outcome of each tool that has some.", "namespace", "tool"),
		needsHuman:    desc("opledger_needs_human_operations", "Operations that wait for a person."),
		dueLag:        desc("opledger_due_work_lag_seconds", "By how much the most overdue item of due work is late; zero where none is."),
		dueCount:      desc("opledger_due_work_overdue", "Items of due work that are due and not done."),
		approvals:     desc("opledger_approvals_open", "Approvals that persons are asked for."),
		leases:        desc("opledger_leases_held", "Entity leases that hold now."),
		oldestLease:   desc("opledger_lease_oldest_age_seconds", "Age of the oldest lease that holds; zero where there is none."),
		unusedLeases:  desc("opledger_leases_unused", "Leases that are renewed and have proved no proposal for ten minutes: a timer lives, and perhaps no work does."),
		available:     desc("opledger_stats_available", "Whether the database gave its figures for this scrape; where not, they are left out."),
	}
}

// Describe lists the gauges.
func (g *gauges) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{g.open, g.unknown, g.oldestUnknown, g.unknownOf, g.oldestOf, g.needsHuman, g.dueLag, g.dueCount,
		g.approvals, g.leases, g.oldestLease, g.unusedLeases, g.available} {
		to <- d
	}
}

// Collect asks once, for a bounded time. A database that does not answer leaves the figures out rather than at zero, so
// that no alert falls silent because nothing is known.
func (g *gauges) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), statsTimeout)
	defer cancel()
	stats, err := g.engine.Stats(ctx)
	if err != nil {
		gauge(g.available, 0)
		return
	}
	var unknown int64
	for _, c := range stats.Open {
		gauge(g.open, float64(c.Count), string(c.Namespace), c.Tool, c.Class, string(c.State))
		if c.State == ledger.UnknownOutcome {
			unknown += c.Count
		}
	}
	gauge(g.unknown, float64(unknown))
	gauge(g.oldestUnknown, stats.OldestUnknown.Seconds())
	for _, u := range stats.Unknown {
		gauge(g.unknownOf, float64(u.Count), string(u.Namespace), u.Tool)
		gauge(g.oldestOf, u.Oldest.Seconds(), string(u.Namespace), u.Tool)
	}
	gauge(g.needsHuman, float64(stats.NeedsHuman))
	gauge(g.dueLag, stats.DueLag.Seconds())
	gauge(g.dueCount, float64(stats.DueCount))
	gauge(g.approvals, float64(stats.ApprovalsOpen))
	gauge(g.leases, float64(stats.Leases.Held))
	gauge(g.oldestLease, stats.Leases.Oldest.Seconds())
	gauge(g.unusedLeases, float64(stats.Leases.Unused))
	gauge(g.available, 1)
}
