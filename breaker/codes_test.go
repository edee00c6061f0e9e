package breaker_test

import (
	"testing"

	"github.com/opledger/opledger/adapter"
	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
)

// TestTheAdaptersCodesAreKnown: what the adapter says of a request that never left tells whether its provider was reached.
func TestTheAdaptersCodesAreKnown(t *testing.T) {
	for code, provider := range map[string]bool{
		adapter.CodeDNS: true, adapter.CodeConnectionRefused: true, adapter.CodeConnectTimeout: true, adapter.CodeConnect: true, adapter.CodeTLS: true,
		adapter.CodeTemplate: false, adapter.CodeSecretMissing: false, adapter.CodePlainHTTP: false, adapter.CodeHostNotAllowed: false,
		adapter.CodeAddressRefused: false, adapter.CodePermit: false,
	} {
		_, tells := breaker.Tells(&ledger.Report{Outcome: ledger.OutcomeNotSent, Code: code})
		if tells != provider {
			t.Errorf("%s counts against the provider: %v", code, tells)
		}
	}
}
