package ledger_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/opledger/opledger/ledger"
)

// TestClaimsThatAreHeldAreALostWrite, and nothing else: stores try again what they lost, and hand on what is final.
func TestClaimsThatAreHeldAreALostWrite(t *testing.T) {
	err := fmt.Errorf("save: %w", &ledger.ClaimConflictError{IDs: []ledger.ClaimID{{Kind: ledger.ClaimKey, Value: "k"}}})
	if !errors.Is(err, ledger.ErrLostWrite) {
		t.Errorf("%v is no lost write", err)
	}
	for _, other := range []error{ledger.ErrGivenUp, ledger.ErrUnknownCommit, ledger.ErrNotFound} {
		if errors.Is(err, other) {
			t.Errorf("%v is also %q", err, other)
		}
	}
}
