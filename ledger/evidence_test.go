package ledger_test

import (
	"testing"

	"github.com/opledger/opledger/ledger"
)

// TestGradesAreKeptAsTheseNumbers in the rows of operations, for as long as a ledger is kept.
func TestGradesAreKeptAsTheseNumbers(t *testing.T) {
	for i, g := range []ledger.Grade{
		ledger.GradeClaim, ledger.GradePerson, ledger.GradeSearch, ledger.GradeWebhook, ledger.GradeLookup, ledger.GradeReceipt,
		ledger.GradePersonDecree,
	} {
		if int(g) != i+1 {
			t.Errorf("grade %d of the weakest first is kept as %d", i+1, g)
		}
	}
}
