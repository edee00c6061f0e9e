// Package provider is the other side of an evaluation: a provider that does to each request what its fault says, and keeps
// the only true count of effects.
//
// The core is a function of what it is told and when: no goroutine, no chance, no clock but the one that it is given. What
// happens by itself (a late commit, the arrival of a request that was long on the road, a webhook) happens at its own time,
// made up for when the next call comes.
//
// Under every fault of eval.ProviderFaults the provider keeps what its Profile states, up to the very limit: a late commit
// comes at the end of the longest flight, not before. Under those of eval.BrokenPromises it does not.
//
// Each behaviour was seen with real providers, or is promised by one:
//
//   - A key is answered from its record, and the answer says so ("Idempotent-Replayed: true"); the same key with other
//     parameters is an error (400), and a repeat while the first is still at work is one too (409); after its retention a
//     key is as good as new: https://docs.stripe.com/api/idempotent_requests and https://docs.stripe.com/error-low-level.
//     A rate limit is met before the key is looked at, and is not recorded under it. Nor is a 5xx: the repeat gets the object,
//     as Stripe's API v2 has it (the first of these pages).
//   - rate_limited, rate_limited_bare: 429 with and without Retry-After, which is a matter of choice: RFC 6585, section 4, and
//     RFC 9110, section 10.2.3.
//   - timeout_before_commit, timeout_after_commit, reset_before_commit, reset_after_commit: a lost connection says nothing
//     about the request that was on it: RFC 9110, section 9.2.2.
//   - late_commit, delay_longer_than_stated: a request that its sender has given up is still carried out. The first is at
//     work at the provider, where its key answers 409; the second is still on the road, and no key knows of it.
//   - error_committed, error_clean: after a 5xx the result must be taken as indeterminate:
//     https://docs.stripe.com/error-low-level#server-errors
//   - long_propagation, lookup_lies: a search reads an index that lags behind, most of the time under a minute, and an hour
//     or more in an outage: https://docs.stripe.com/search#data-freshness
//   - eventual_consistency: which replica answers decides what is seen, and what was seen once is gone again:
//     https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html
//   - malformed: a proxy's page under the provider's status. truncated: less than Content-Length says, which makes a message
//     incomplete: RFC 9112, section 8. slow_body: the head comes, and the rest later than anybody waits.
//   - lookup_down: the write comes through and the read does not.
//   - key_forgotten: an outage that lasts as long as the retention; who comes back after it, as Retry-After tells him, is not
//     known any more. key_forgotten_early: the key is gone at once. Where no key counts, both are a timeout after the commit.
//   - duplicate_webhook, unordered_webhook, late_webhook: a webhook comes more than once, in any order, and is tried again for
//     days: https://docs.stripe.com/webhooks#event-ordering and the sections around it. Out of order comes, last, the failure
//     of a try before the one that succeeded (payment_intent.payment_failed of one that went well in the end).
//   - accepted: 202, and an end that a webhook tells: RFC 9110, section 15.3.3, and https://docs.adyen.com/online-payments/refund
//   - refused: a definite no (422, RFC 9110, section 15.5.21), to each further request for the same thing as well.
package provider
