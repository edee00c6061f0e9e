package provider

import "time"

// Profile is what the provider states of itself. Whatever it does under a fault of eval.ProviderFaults stays within it, up
// to the very limit; faults of eval.BrokenPromises go beyond it.
type Profile struct {
	// Keyed: idempotency keys are heeded.
	Keyed bool `json:"keyed"`
	// InFlight is the longest time from the first byte of a request to its commit.
	InFlight time.Duration `json:"in_flight_ns"`
	// Lag is the longest time from a commit until lookups show it.
	Lag time.Duration `json:"lag_ns"`
	// Retention is how long a key is kept, counted from the first request under it. Zero: for ever.
	Retention time.Duration `json:"retention_ns"`
	// Finish is the time from "accepted" until the effect is finished.
	Finish time.Duration `json:"finish_ns"`
	// RetryAfter is what a 429 says, in whole seconds, rounded up.
	RetryAfter time.Duration `json:"retry_after_ns"`
	// WebhookAfter is the usual time from a fact until its webhook, and from there to a repetition of it.
	WebhookAfter time.Duration `json:"webhook_after_ns"`
	// WebhookLate is how late a late webhook comes. Zero: defaultWebhookLate.
	WebhookLate time.Duration `json:"webhook_late_ns"`
	// Outage is how long lookups are down under that fault. Zero: defaultOutage.
	Outage time.Duration `json:"outage_ns"`
	// Overrun is by how much a broken promise exceeds what is stated. Zero: defaultOverrun.
	Overrun time.Duration `json:"overrun_ns"`
}

// What no profile states, where nothing else is said. An hour is longer than any allowance that a tool has by default.
const (
	defaultWebhookLate = 15 * time.Minute
	defaultOutage      = 5 * time.Minute
	defaultOverrun     = time.Hour
)

// Stated is a profile with the times of the tools that evaluations bring.
func Stated(keyed bool) Profile {
	return Profile{
		Keyed: keyed, InFlight: 30 * time.Second, Lag: 30 * time.Second, Retention: 20 * time.Minute, Finish: 5 * time.Minute,
		RetryAfter: 10 * time.Second, WebhookAfter: 10 * time.Second,
	}.whole()
}

// whole fills in what is not said.
func (p Profile) whole() Profile {
	for field, otherwise := range map[*time.Duration]time.Duration{
		&p.WebhookLate: defaultWebhookLate, &p.Outage: defaultOutage, &p.Overrun: defaultOverrun,
	} {
		if *field == 0 {
			*field = otherwise
		}
	}
	return p
}
