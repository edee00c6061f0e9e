package breaker

import "github.com/opledger/opledger/ledger"

// Tells reports whether a report says anything about its provider, and whether the provider worked. A refusal is an
// answer: what is wrong is then the request. What was not sent for a reason of one's own says nothing.
func Tells(r *ledger.Report) (good, tells bool) {
	switch r.Outcome {
	case ledger.OutcomeAmbiguous, ledger.OutcomeDeclined:
		return false, true
	case ledger.OutcomeNotSent:
		return false, r.Category == ledger.CategoryConnectionLost || r.Category == ledger.CategoryTimeout
	}
	return true, true
}
