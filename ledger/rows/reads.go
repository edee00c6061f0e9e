package rows

import (
	"fmt"
	"slices"

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
	Records    []RecordReads
}

// RecordReads are the rows of one table of records that a command asked for, by key alone and in the order of the key.
type RecordReads struct {
	Table Table
	Rows  []Record
}

// ClaimsRead asks for every claim under one value.
type ClaimsRead struct {
	Namespace ledger.Namespace
	Kind      ledger.ClaimKind
	Value     string
}

// claimKinds names the claims that a kind of read finds.
var claimKinds = map[ledger.ReadKind]ledger.ClaimKind{
	ledger.ReadKey: ledger.ClaimKey, ledger.ReadRequest: ledger.ClaimRequest, ledger.ReadEffect: ledger.ClaimEffect, ledger.ReadReference: ledger.ClaimReference,
}

// SplitReads sorts reads by table. A kind that this release keeps no rows of is an error: an answer of "nothing there"
// could let a decision pass that must not.
func SplitReads(reads []ledger.Read) (Reads, error) {
	var s Reads
	for _, r := range reads {
		switch r.Kind {
		case ledger.ReadOperation:
			s.Operations = append(s.Operations, r)
		case ledger.ReadKey, ledger.ReadRequest, ledger.ReadEffect, ledger.ReadReference:
			s.Claims = append(s.Claims, ClaimsRead{Namespace: r.Namespace, Kind: claimKinds[r.Kind], Value: r.ID})
		case ledger.ReadScope:
			s.Scopes = append(s.Scopes, r.ScopeRef())
		case ledger.ReadTool:
			s.Tools = append(s.Tools, r)
		case ledger.ReadEpoch:
			s.Epochs = append(s.Epochs, r.Namespace)
		default:
			if err := s.record(r); err != nil {
				return s, err
			}
		}
	}
	for _, r := range s.Records {
		SortRecords(r.Rows)
	}
	slices.SortFunc(s.Records, func(a, b RecordReads) int { return a.Table.place() - b.Table.place() })
	return s, nil
}

// record adds a read of a record. One whose key could not be kept is an error: its empty row could not be made.
func (s *Reads) record(r ledger.Read) error {
	table, known := TableOf(ledger.RecordKind(r.Kind))
	if !known {
		return fmt.Errorf("this release keeps no rows of kind %q, so %q cannot be read", r.Kind, r.ID)
	}
	var c check
	c.name("namespace", string(r.Namespace))
	c.name("id", r.ID)
	i := slices.IndexFunc(s.Records, func(have RecordReads) bool { return have.Table.Kind == table.Kind })
	if i < 0 {
		i = len(s.Records)
		s.Records = append(s.Records, RecordReads{Table: table})
	}
	s.Records[i].Rows = append(s.Records[i].Rows, Record{Namespace: string(r.Namespace), ID: r.ID})
	return c.err
}
