package bench

import "time"

// Report is what a benchmark came to.
type Report struct {
	Machine  Machine        `json:"machine"`
	Duration string         `json:"duration"` // of one measurement
	Rounds   int            `json:"rounds"`
	Engines  []EngineReport `json:"engines"`
	Seconds  float64        `json:"seconds"`
}

// EngineReport is what was measured on one engine.
type EngineReport struct {
	Engine   string            `json:"engine"`
	Settings map[string]string `json:"settings"`
	Rows     []Row             `json:"rows"`
}

// Row is one kind of unit at one concurrency. Rates, latencies and ratios are medians over the rounds.
type Row struct {
	Concurrency int     `json:"concurrency"`
	Unit        string  `json:"unit"`
	Rate        float64 `json:"units_per_second"`
	Slowest     float64 `json:"slowest_round_units_per_second"`
	Fastest     float64 `json:"fastest_round_units_per_second"`
	P50         float64 `json:"p50_ms"`
	P99         float64 `json:"p99_ms"`
	// Ratio is the rate over the table's rate of the same round.
	Ratio float64 `json:"ratio_to_table"`
	// What the server's metrics say; absent for the table, which has no server.
	RetriesPerUnit         *float64 `json:"transaction_retries_per_unit,omitempty"`
	CommandsPerTransaction *float64 `json:"commands_per_transaction,omitempty"`
}

// series gathers the rounds of one row.
type series struct {
	rates, ratios   []float64
	p50s, p99s      []time.Duration
	units           int
	served          counters
	measuredAServer bool
}

func (s *series) add(m sample, table float64) {
	s.rates = append(s.rates, m.rate())
	s.ratios = append(s.ratios, ratio(m.rate(), table))
	s.p50s, s.p99s = append(s.p50s, m.p50), append(s.p99s, m.p99)
	s.units += m.units
}

func (s *series) addServed(c counters) {
	s.measuredAServer = true
	s.served = counters{s.served.retries + c.retries, s.served.transactions + c.transactions, s.served.commands + c.commands}
}

func (s *series) row(concurrency int, unit string) Row {
	r := Row{
		Concurrency: concurrency, Unit: unit, Rate: median(s.rates), P50: milliseconds(median(s.p50s)), P99: milliseconds(median(s.p99s)),
		Ratio: median(s.ratios),
	}
	for i, rate := range s.rates {
		if i == 0 || rate < r.Slowest {
			r.Slowest = rate
		}
		r.Fastest = max(r.Fastest, rate)
	}
	if s.measuredAServer {
		retries, commands := ratio(s.served.retries, float64(s.units)), ratio(s.served.commands, s.served.transactions)
		r.RetriesPerUnit, r.CommandsPerTransaction = &retries, &commands
	}
	return r
}

// ratio is a/b, and zero where there is nothing to compare with.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
