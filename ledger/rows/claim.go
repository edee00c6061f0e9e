package rows

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/opledger/opledger/ledger"
)

// SortClaims checks claims and answers them in the order in which every transaction takes them: two transactions that
// claim the same identities then wait for each other and never in a circle.
func SortClaims(claims []ledger.Claim) ([]ledger.Claim, error) {
	sorted := slices.Clone(claims)
	slices.SortFunc(sorted, func(a, b ledger.Claim) int { return compareClaims(a.ClaimID, b.ClaimID) })
	for i, cl := range sorted {
		if err := checkClaim(cl); err != nil {
			return nil, err
		}
		if i > 0 && sorted[i-1].ClaimID == cl.ClaimID {
			return nil, fmt.Errorf("%w: the %s claim %q is listed twice", ErrImpossible, cl.Kind, cl.Value)
		}
	}
	return sorted, nil
}

func checkClaim(cl ledger.Claim) error {
	var c check
	c.name("namespace", string(cl.Namespace))
	c.name("claim kind", string(cl.Kind))
	c.that(cl.Value != "", "a claim's value is empty")
	c.text("claim value", cl.Value, MaxClaimValue)
	c.text("operation id", string(cl.OperationID), MaxName)
	c.text("attempt id", string(cl.AttemptID), MaxName)
	c.text("fingerprint", cl.Fingerprint, MaxName)
	c.that(cl.Kind == ledger.ClaimRequest || cl.OperationID != "", "a %s claim names no operation", cl.Kind)
	return c.err
}

func compareClaims(a, b ledger.ClaimID) int {
	return cmp.Or(
		strings.Compare(string(a.Namespace), string(b.Namespace)), strings.Compare(string(a.Kind), string(b.Kind)),
		strings.Compare(a.Value, b.Value), cmp.Compare(a.Number, b.Number),
	)
}
