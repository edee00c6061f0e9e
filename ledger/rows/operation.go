package rows

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/ledger"
)

// Operation is an operation's row: the columns by which operations are found and guarded, and the document that holds
// everything. The columns repeat what the document says; the document is what is read back. Version, state, the two flags
// and the document change; the other columns stay as they were when the operation was made.
type Operation struct {
	Namespace   string
	OperationID string
	Version     int64
	State       string
	Class       string
	Tool        string
	WorkflowID  string // empty: none
	RunID       string // of the proposal, empty: none
	ToolCallID  string // empty: none, or one that no column can hold
	Entity      string // "order/order_123", empty: none
	Key         string
	Revision    int64
	NeedsHuman  bool
	HasIncident bool
	CreatedAt   time.Time
	// Document is kept as text, not as JSONB: it is read and written whole, and JSONB refuses the escaped zero byte that
	// a caller's text may lawfully hold.
	Document string
}

// toolCallID names the tool call in an operation's correlation.
const toolCallID = "tool_call_id"

// FromOperation makes an operation's row.
func FromOperation(o *ledger.Operation) (Operation, error) {
	document, err := json.Marshal(o)
	if err != nil {
		return Operation{}, fmt.Errorf("operation %s: %w", o.ID, err)
	}
	row := Operation{
		Namespace: string(o.Namespace), OperationID: string(o.ID), Version: o.Version, State: string(o.State),
		Class: string(o.Terms.Class), Tool: o.Tool, WorkflowID: o.WorkflowID, RunID: o.RunID, Key: string(o.Key), Revision: o.Revision,
		NeedsHuman: o.Human != nil, HasIncident: len(o.Incidents) > 0,
		CreatedAt: o.CreatedAt,
		Document:  string(document),
	}
	// Correlation is whatever a caller wrote down. What cannot be kept as a name is not found by it, and no fault.
	if id := o.Correlation[toolCallID]; isName(id) {
		row.ToolCallID = id
	}
	if !o.Entity.IsZero() {
		row.Entity = o.Entity.String()
	}
	var c check
	c.name("namespace", row.Namespace)
	c.name("operation id", row.OperationID)
	c.name("tool", row.Tool)
	c.name("class", row.Class)
	c.text("workflow id", row.WorkflowID, MaxName)
	c.text("run id", row.RunID, MaxName)
	c.text("entity", row.Entity, MaxName)
	c.text("idempotency key", row.Key, MaxClaimValue)
	c.that(row.Version > 0, "operation %s has version %d", o.ID, row.Version)
	c.that(row.Revision > 0, "operation %s has revision %d", o.ID, row.Revision)
	c.that(slices.Contains(ledger.States, o.State), "operation %s has the state %q", o.ID, o.State)
	c.that(!o.CreatedAt.IsZero() && !o.UpdatedAt.IsZero() && !o.StateSince.IsZero(), "operation %s lacks a time", o.ID)
	c.that(len(document) <= MaxDocument, "operation %s has a document of %d bytes, at most %d are kept", o.ID, len(document), MaxDocument)
	return row, c.err
}

// Ledger gives the operation back that the row was made from.
func (r Operation) Ledger() (*ledger.Operation, error) {
	o := &ledger.Operation{}
	if err := json.Unmarshal([]byte(r.Document), o); err != nil {
		return nil, fmt.Errorf("the document of operation %s cannot be read: %w", r.OperationID, err)
	}
	o.Namespace, o.ID = ledger.Namespace(r.Namespace), ledger.OperationID(r.OperationID)
	o.Version, o.State = r.Version, ledger.State(r.State)
	return o, nil
}
