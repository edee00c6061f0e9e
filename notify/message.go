package notify

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/opledger/opledger/ledger"
)

// Message is what a receiver is sent, the same in every try. It names what it is about: who wants to know more asks the
// server, with a right to. No argument of an operation and no secret is ever in it.
type Message struct {
	ID               string            `json:"id"` // of the delivery, the same in each try
	Kind             ledger.NoticeKind `json:"kind"`
	Time             string            `json:"time"` // when it happened
	Namespace        ledger.Namespace  `json:"namespace"`
	OperationID      string            `json:"operation_id,omitempty"`
	OperationVersion int64             `json:"operation_version,omitempty"`
	ApprovalID       string            `json:"approval_id,omitempty"`
	WorkflowID       string            `json:"workflow_id,omitempty"`
	Tool             string            `json:"tool,omitempty"`
	State            ledger.State      `json:"state,omitempty"` // of the operation, then
	Owner            string            `json:"owner,omitempty"` // who is asked
	Reason           string            `json:"reason,omitempty"`
	Text             string            `json:"text"` // one sentence for people, without links
}

// maxReason bounds a reason, in characters.
const maxReason = 300

// MessageOf is what a subscription is told of a notice.
func MessageOf(n *ledger.Notice, subscriptionID string) *Message {
	return &Message{
		ID: DeliveryID(n.Namespace, n.ID, subscriptionID), Kind: n.NoticeKind, Time: n.At.UTC().Format(time.RFC3339Nano), Namespace: n.Namespace,
		OperationID: string(n.OperationID), OperationVersion: n.OperationVersion, ApprovalID: n.ApprovalID, WorkflowID: n.Detail["workflow_id"], Tool: n.Tool, State: n.State,
		Owner: n.Owner, Reason: cut(n.Because, maxReason), Text: sentence(n),
	}
}

// Body is the message as it is sent.
func (m *Message) Body() []byte {
	b, _ := json.Marshal(m) // a struct of plain fields always marshals
	return b
}

// DeliveryID is the id of telling one subscription of one notice: a function of both, so that each try, of whichever
// server, has the same.
func DeliveryID(ns ledger.Namespace, notice, subscription string) string {
	h := sha256.New()
	for _, part := range []string{"opledger-delivery/1", string(ns), notice, subscription} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return "dlv_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(h.Sum(nil)[:16]))
}

// sentence says what happened. It is made of names alone, none of which a model or a provider has written.
func sentence(n *ledger.Notice) string {
	about := "Operation " + string(n.OperationID)
	if n.Tool != "" {
		about += " (" + n.Tool + ")"
	}
	by := ""
	if n.Owner != "" {
		by = " by " + n.Owner
	}
	switch n.NoticeKind {
	case ledger.NoticeApprovalWaiting:
		return about + " waits for approval" + by + ": " + n.ApprovalID + "."
	case ledger.NoticeApprovalEnded:
		return about + " does not wait for the approval " + n.ApprovalID + " any more."
	case ledger.NoticeNeedsHuman:
		return about + " waits for a decision" + by + "."
	case ledger.NoticeEscalated:
		return about + " was not decided in time and waits for a decision" + by + " now."
	case ledger.NoticeIncident:
		return about + " has an incident that somebody must look at."
	case ledger.NoticeUnknown:
		return about + " has an unknown outcome."
	case ledger.NoticeWorkflowEnded:
		return "Workflow " + n.Detail["workflow_id"] + " has ended."
	case ledger.NoticeEnded:
		return about + " has ended: " + string(n.State) + "."
	}
	return about + ": " + string(n.NoticeKind) + "."
}

// cut shortens a text to so many characters.
func cut(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit-1]) + "…"
}
