package ledger

import (
	"strconv"
	"time"
)

// NoticeKind is what subscribers are told. The words are those of the API's NotificationKind.
type NoticeKind string

// The kinds of notices.
const (
	NoticeUnknown         NoticeKind = "outcome_unknown"
	NoticeNeedsHuman      NoticeKind = "needs_human"
	NoticeEscalated       NoticeKind = "escalated"
	NoticeEnded           NoticeKind = "operation_ended"
	NoticeIncident        NoticeKind = "incident"
	NoticeApprovalWaiting NoticeKind = "approval_waiting"
	NoticeApprovalEnded   NoticeKind = "approval_ended"
	NoticeWorkflowEnded   NoticeKind = "workflow_ended" // Detail names the workflow; it is about no operation
)

// Notice is one thing that happened and that subscribers are to be told, stored in the transaction that makes it true
// and delivered as due work. It names what it is about; who is told reads the rest with a right of their own.
type Notice struct {
	row
	NoticeKind  NoticeKind  `json:"notice_kind"`
	OperationID OperationID `json:"operation_id,omitempty"`
	// OperationVersion is the operation's version that made it true.
	OperationVersion int64             `json:"operation_version,omitempty"`
	ApprovalID       string            `json:"approval_id,omitempty"`
	Tool             string            `json:"tool,omitempty"`
	State            State             `json:"state,omitempty"` // of the operation
	Owner            string            `json:"owner,omitempty"`
	Because          string            `json:"because,omitempty"`
	At               time.Time         `json:"at"`
	NextAt           time.Time         `json:"next_at,omitzero"` // of the next try of a delivery; zero: all is delivered or given up
	Tries            map[string]Tried  `json:"tries,omitempty"`  // by subscription id
	Detail           map[string]string `json:"detail,omitempty"`
}

// Tried says how the delivery to one subscription stands.
type Tried struct {
	Count     int       `json:"count"`
	LastAt    time.Time `json:"last_at,omitzero"`
	NextAt    time.Time `json:"next_at,omitzero"` // of the next try; zero: none
	Status    int       `json:"status,omitempty"` // the last HTTP status; zero: none was received
	Fault     string    `json:"fault,omitempty"`
	Delivered bool      `json:"delivered,omitempty"`
	GivenUp   bool      `json:"given_up,omitempty"`
}

// Key names it.
func (n *Notice) Key() RecordKey { return n.key(RecordNotice) }

// Index lists notices by time, and those that are still to be delivered by their due time.
func (n *Notice) Index() RecordIndex {
	status := "waiting"
	if n.NextAt.IsZero() {
		status = "done"
	}
	return RecordIndex{Status: status, Subject: string(n.OperationID), Tool: n.Tool, At: n.At, DueAt: n.NextAt}
}

// notice tells subscribers of something about the operation. Its id is a function of the operation's event, so that a
// retry of the transaction makes the same one.
func (d *draft) notice(kind NoticeKind, because, approvalID, owner string) {
	o := d.op
	n := &Notice{
		row:        row{Namespace: o.Namespace, ID: "ntc_" + string(o.ID)[min(3, len(o.ID)):] + "_" + strconv.FormatInt(o.Sequence, 10) + "_" + strconv.Itoa(len(d.records)), Version: 1},
		NoticeKind: kind, OperationID: o.ID, OperationVersion: o.Version + 1, ApprovalID: approvalID, Tool: o.Tool, State: o.State, Owner: owner, Because: because, At: d.now, NextAt: d.now,
	}
	d.put(n)
}
