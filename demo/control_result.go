package demo

import (
	"fmt"
	"strings"

	"github.com/opledger/opledger/demo/provider"
)

// Control is what the second story came to.
type Control struct {
	Naive      Given       `json:"naive"`
	Opledger   Given       `json:"opledger"`
	Answers    []Answer    `json:"answers"`    // to what the agents proposed through Opledger, in order
	Words      []Word      `json:"words"`      // of those who said yes to the large refund, in order
	Approval   *Approval   `json:"approval"`   // of the large refund, at the end
	Operations []Operation `json:"operations"` // as the ledger knows them at the end
}

// Given is what the provider counted, by order: refunds and credits.
type Given struct {
	BrokenOrder Remedies `json:"order_812"`
	LargeOrder  Remedies `json:"order_977"`
	// Elsewhere is what was given for any other order.
	Elsewhere Remedies `json:"elsewhere"`
}

// Remedies is how often money was given, and how much of it.
type Remedies struct {
	Refunds int   `json:"refunds"`
	Credits int   `json:"credits"`
	Cents   int64 `json:"amount_minor"` // of EUR
}

func (r Remedies) String() string {
	if r.Refunds+r.Credits == 0 {
		return "nothing"
	}
	var counts []string
	if r.Refunds > 0 {
		counts = append(counts, plural(r.Refunds, "refund"))
	}
	if r.Credits > 0 {
		counts = append(counts, plural(r.Credits, "credit"))
	}
	return strings.Join(counts, ", ") + ", " + euros(r.Cents)
}

// givenAt counts at the provider.
func givenAt(p *provider.Provider) Given {
	var g Given
	for _, kind := range []provider.Kind{provider.KindRefund, provider.KindCredit} {
		for _, t := range p.Transfers(kind) {
			r := &g.Elsewhere
			switch t.Order {
			case brokenOrder:
				r = &g.BrokenOrder
			case largeOrder:
				r = &g.LargeOrder
			}
			if r.Cents += t.Amount; kind == provider.KindRefund {
				r.Refunds++
			} else {
				r.Credits++
			}
		}
	}
	return g
}

// Answer is what the ledger said to one proposal.
type Answer struct {
	Call        string `json:"call"`
	Tool        string `json:"tool"`
	Decision    string `json:"decision"`
	Rule        string `json:"rule"`         // that decided; empty: the record did
	OperationID string `json:"operation_id"` // that answers; empty: none was made
	Names       string `json:"names"`        // the other operation that stands in the way; empty: none
}

// Word is what became of one credential's yes.
type Word struct {
	By       string `json:"by"`       // the principal
	Approved int    `json:"approved"` // how many persons had approved after it; zero where it was refused
	Refused  string `json:"refused"`  // the stable reason; empty: it counts
}

// Approval is the approval of the large refund, as the ledger has it at the end.
type Approval struct {
	ApprovalID  string   `json:"approval_id"`
	OperationID string   `json:"operation_id"`
	State       string   `json:"state"`
	Required    int      `json:"required"`
	Persons     []string `json:"persons"` // who approved
}

func euros(cents int64) string { return fmt.Sprintf("%d.%02d EUR", cents/100, cents%100) }
