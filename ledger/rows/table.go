package rows

import (
	"slices"

	"github.com/opledger/opledger/ledger"
)

// Lead is the filter whose index leads a list of records.
type Lead int

// The leads.
const (
	LeadTime   Lead = iota // no filter: the order itself
	LeadStatus             // exactly one status
	LeadSubject
	LeadTool
	LeadEntity
)

// Table is the table that keeps one kind of record. All have the same columns; one whose rows may be due has those of
// due work as well.
type Table struct {
	Kind ledger.RecordKind
	Name string
	Due  bool
	// Leads are the filters that the table has an index for, beside LeadTime, by which every table can be listed: a small
	// one without an index.
	Leads []Lead
}

// Tables are the tables of records, in the order in which every transaction reads and writes them.
var Tables = []Table{
	{Kind: ledger.RecordLease, Name: "leases", Leads: []Lead{LeadSubject, LeadStatus}},
	{Kind: ledger.RecordEntity, Name: "entity_states", Leads: []Lead{LeadStatus}},
	{Kind: ledger.RecordHistory, Name: "histories"},
	{Kind: ledger.RecordApproval, Name: "approvals", Leads: []Lead{LeadSubject, LeadEntity, LeadTool, LeadStatus}},
	{Kind: ledger.RecordGrant, Name: "grants", Leads: []Lead{LeadTool, LeadStatus}},
	{Kind: ledger.RecordStanding, Name: "standing_approvals", Leads: []Lead{LeadTool, LeadStatus}},
	{Kind: ledger.RecordRule, Name: "rules"},
	{Kind: ledger.RecordRuleVersion, Name: "rule_versions", Leads: []Lead{LeadSubject}},
	{Kind: ledger.RecordSwitch, Name: "switches"},
	{Kind: ledger.RecordSubscription, Name: "subscriptions"},
	{Kind: ledger.RecordNotice, Name: "notices", Due: true, Leads: []Lead{LeadSubject, LeadStatus}},
	{Kind: ledger.RecordCredential, Name: "credentials"},
	{Kind: ledger.RecordWorkflow, Name: "workflows", Due: true, Leads: []Lead{LeadSubject, LeadEntity, LeadStatus}},
	{Kind: ledger.RecordSourceEvent, Name: "source_events"},
	{Kind: ledger.RecordCorrelation, Name: "correlations"},
	{Kind: ledger.RecordInbound, Name: "inbound_events", Leads: []Lead{LeadSubject, LeadStatus}},
	{Kind: ledger.RecordAwaited, Name: "awaited_references"},
	{Kind: ledger.RecordStep, Name: "compensation_steps", Due: true, Leads: []Lead{LeadSubject, LeadStatus}},
	{Kind: ledger.RecordReading, Name: "readings"},
	{Kind: ledger.RecordCachedRead, Name: "cached_reads"},
}

// TableOf finds the table of a kind.
func TableOf(kind ledger.RecordKind) (Table, bool) {
	i := slices.IndexFunc(Tables, func(t Table) bool { return t.Kind == kind })
	if i < 0 {
		return Table{}, false
	}
	return Tables[i], true
}

// place is the table's place in Tables.
func (t Table) place() int {
	return slices.IndexFunc(Tables, func(other Table) bool { return other.Kind == t.Kind })
}

// lead is the table's narrowest index that fits a query: its leads are listed in the order of how little each leaves.
func (t Table) lead(q ledger.RecordQuery) Lead {
	for _, l := range t.Leads {
		switch {
		case l == LeadSubject && q.Subject != "", l == LeadEntity && q.Entity != "", l == LeadTool && q.Tool != "",
			l == LeadStatus && len(q.Statuses) == 1:
			return l
		}
	}
	return LeadTime
}
