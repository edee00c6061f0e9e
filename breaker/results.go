package breaker

import "github.com/opledger/opledger/ledger"

// Tells reports whether a report says anything about its provider, and whether the provider worked. A refusal is an
// answer: what is wrong is then the request. What was not sent for a reason of one's own says nothing.
func Tells(r *ledger.Report) (good, tells bool) {
	switch r.Outcome {
	case ledger.OutcomeAmbiguous, ledger.OutcomeDeclined:
		return false, true
	case ledger.OutcomeNotSent:
		return false, unreached[r.Code]
	}
	return true, true
}

// unreached are the codes of a request that was not sent because its provider could not be reached (package adapter has
// them all). Other senders may use the same.
var unreached = map[string]bool{"dns": true, "connection_refused": true, "connect_timeout": true, "connect": true, "tls": true}
