// Package vendor is the other side, as tests need it: a provider in a process of its own, which keeps a true count of the
// effects that it has made and does, when it is told to, what real providers do at the worst moment.
//
// Each behaviour was seen with real providers, or is promised by one:
//
//   - A key is answered from its record, and the answer says so ("Idempotent-Replayed: true"); the same key with other
//     parameters is an error (400), and a repeat while the first is still at work is one too (409):
//     https://docs.stripe.com/api/idempotent_requests and https://docs.stripe.com/error-low-level
//   - A lookup by reference goes through an index that lags behind: https://docs.stripe.com/search#data-freshness
//   - 429 with Retry-After: RFC 6585, section 4, and RFC 9110, section 10.2.3.
//   - 202 and an end that is told by webhook: https://docs.adyen.com/online-payments/refund
//   - A webhook comes more than once, and in any order: https://docs.stripe.com/webhooks#best-practices
//   - 500 although the effect was made, a cut answer, a connection reset after the commit, and a commit that comes after
//     its client has gone: the field cases that this project's tests are named after.
package vendor
