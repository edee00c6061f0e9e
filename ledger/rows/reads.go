package rows

import (
	"fmt"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// Reads are the rows that a command asked for, by table.
type Reads struct {
	Operations []ledger.Read
	Claims     []ClaimsRead
	Scopes     []locks.Ref
	Tools      []ledger.Read
	Epochs     []ledger.Namespace
}

// ClaimsRead asks for every claim under one value.
type ClaimsRead struct {
	Namespace ledger.Namespace
	Kind      ledger.ClaimKind
	Value     string
}

// claimKinds names the claims that a kind of read finds.
var claimKinds = map[ledger.ReadKind]ledger.ClaimKind{
	ledger.ReadKey: ledger.ClaimKey, ledger.ReadRequest: ledger.ClaimRequest, ledger.ReadEffect: ledger.ClaimEffect,
}

// SplitReads sorts reads by table. A kind that this release keeps no rows of is an error: an answer of "nothing there"
// could let a decision pass that must not.
func SplitReads(reads []ledger.Read) (Reads, error) {
	var s Reads
	for _, r := range reads {
		switch r.Kind {
		case ledger.ReadOperation:
			s.Operations = append(s.Operations, r)
		case ledger.ReadKey, ledger.ReadRequest, ledger.ReadEffect:
			s.Claims = append(s.Claims, ClaimsRead{Namespace: r.Namespace, Kind: claimKinds[r.Kind], Value: r.ID})
		case ledger.ReadScope:
			s.Scopes = append(s.Scopes, r.ScopeRef())
		case ledger.ReadTool:
			s.Tools = append(s.Tools, r)
		case ledger.ReadEpoch:
			s.Epochs = append(s.Epochs, r.Namespace)
		default:
			return s, fmt.Errorf("this release keeps no rows of kind %q, so %q cannot be read", r.Kind, r.ID)
		}
	}
	return s, nil
}
