package storetest

import (
	"slices"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// small are the tables that are so small, or so seldom listed, that they are listed by time without an index for it.
var small = []ledger.RecordKind{
	ledger.RecordHistory, ledger.RecordStanding, ledger.RecordRule, ledger.RecordRuleVersion, ledger.RecordSwitch, ledger.RecordSubscription,
	ledger.RecordCredential, ledger.RecordSourceEvent, ledger.RecordCorrelation, ledger.RecordAwaited, ledger.RecordCachedRead,
}

// subjects and entities name what a kind's index calls its subject or its entity, where it is no entity.
var (
	subjects = map[ledger.RecordKind]string{
		ledger.RecordLease: "workflow", ledger.RecordApproval: "operation", ledger.RecordNotice: "operation", ledger.RecordRuleVersion: "rule",
		ledger.RecordWorkflow: "correlation", ledger.RecordInbound: "operation", ledger.RecordStep: "operation",
	}
	entities = map[ledger.RecordKind]string{ledger.RecordWorkflow: "requester"}
)

// IndexOf names the index of both engines that leads a list of records; empty where a small table is listed whole. It is
// what the engines' tests of plans expect.
func IndexOf(t rows.Table, lead rows.Lead) string {
	switch lead {
	case rows.LeadStatus:
		return t.Name + "_by_status"
	case rows.LeadSubject:
		return t.Name + "_by_" + subjects[t.Kind]
	case rows.LeadTool:
		return t.Name + "_by_tool"
	case rows.LeadEntity:
		if name, named := entities[t.Kind]; named {
			return t.Name + "_by_" + name
		}
		return t.Name + "_by_entity"
	}
	if slices.Contains(small, t.Kind) {
		return ""
	}
	return t.Name + "_by_time"
}
