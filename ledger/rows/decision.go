package rows

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// Decision is a recorded decision's row: the columns by which decisions are found, and the document that is read back.
type Decision struct {
	Namespace   string
	DecisionID  string
	At          time.Time
	Kind        string
	Tool        string
	Rule        string // that decided
	OperationID string // empty: none
	WorkflowID  string // empty: none
	Entity      string // "order/order_123", empty: none
	Document    string
}

// decisionDocument is what is read back; of the columns it repeats those that a name's bounds could keep out.
type decisionDocument struct {
	Principal   ledger.Principal      `json:"principal,omitempty"`
	Tool        string                `json:"tool,omitempty"`
	ToolVersion int64                 `json:"tool_version,omitempty"`
	Key         ledger.IdempotencyKey `json:"key,omitempty"`
	OperationID ledger.OperationID    `json:"operation_id,omitempty"`
	Rule        string                `json:"rule,omitempty"`
	Inputs      map[string]string     `json:"inputs,omitempty"`
	Explanation string                `json:"explanation,omitempty"`
	Entity      locks.Entity          `json:"entity,omitzero"`
	WorkflowID  string                `json:"workflow_id,omitempty"`
	Fingerprint ledger.Fingerprint    `json:"fingerprint,omitempty"`
	Verdicts    []policy.Verdict      `json:"verdicts,omitempty"`
}

// FromDecision makes a recorded decision's row.
func FromDecision(d ledger.Decision) (Decision, error) {
	document, err := json.Marshal(decisionDocument{
		Principal: d.Principal, Tool: d.Tool, ToolVersion: d.ToolVersion, Key: d.Key, OperationID: d.OperationID,
		Rule: d.Rule, Inputs: d.Inputs, Explanation: d.Explanation, Entity: d.Entity, WorkflowID: d.WorkflowID,
		Fingerprint: d.Fingerprint, Verdicts: d.Verdicts,
	})
	if err != nil {
		return Decision{}, err
	}
	row := Decision{
		Namespace: string(d.Namespace), DecisionID: string(d.ID), At: d.At, Kind: string(d.Kind), Document: string(document),
		Tool: d.Tool, Rule: d.Rule, OperationID: string(d.OperationID), WorkflowID: d.WorkflowID,
	}
	if !d.Entity.IsZero() {
		row.Entity = d.Entity.String()
	}
	var c check
	c.name("namespace", row.Namespace)
	c.name("decision id", row.DecisionID)
	c.name("decision kind", row.Kind)
	c.text("tool", row.Tool, MaxName)
	c.text("rule", row.Rule, MaxName)
	c.text("operation id", row.OperationID, MaxName)
	c.text("workflow id", row.WorkflowID, MaxName)
	c.text("entity", row.Entity, MaxName)
	c.that(!row.At.IsZero(), "decision %s lacks its time", d.ID)
	c.that(len(document) <= MaxDocument, "decision %s has %d bytes, at most %d are kept", d.ID, len(document), MaxDocument)
	return row, c.err
}

// Ledger gives the decision back.
func (r Decision) Ledger() (ledger.Decision, error) {
	var d decisionDocument
	if err := json.Unmarshal([]byte(r.Document), &d); err != nil {
		return ledger.Decision{}, fmt.Errorf("decision %s cannot be read: %w", r.DecisionID, err)
	}
	return ledger.Decision{
		Namespace: ledger.Namespace(r.Namespace), ID: ledger.DecisionID(r.DecisionID), At: r.At,
		Kind: ledger.DecisionKind(r.Kind), Principal: d.Principal, Tool: d.Tool, ToolVersion: d.ToolVersion, Key: d.Key,
		OperationID: d.OperationID, Rule: d.Rule, Inputs: d.Inputs, Explanation: d.Explanation, Entity: d.Entity,
		WorkflowID: d.WorkflowID, Fingerprint: d.Fingerprint, Verdicts: d.Verdicts,
	}, nil
}
