package notify

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/opledger/opledger/ledger"
)

// Terms say what is sent where. They are a subscription's definition.
type Terms struct {
	Kinds     []ledger.NoticeKind `json:"kinds"`
	Tools     []string            `json:"tools,omitempty"`      // none: any
	EndStates []ledger.State      `json:"end_states,omitempty"` // of operations that have ended; none: any
	Owner     string              `json:"owner,omitempty"`      // of what waits for a person; empty: any
	URL       string              `json:"url"`
	Secret    SecretRef           `json:"secret"`
	// Previous signs as well while secrets are rotated; nil: none.
	Previous    *SecretRef `json:"previous,omitempty"`
	Description string     `json:"description,omitempty"`
	Paused      bool       `json:"paused,omitempty"`
}

// told are the kinds of notices that this release writes.
var told = []ledger.NoticeKind{
	ledger.NoticeUnknown, ledger.NoticeEnded,
	ledger.NoticeNeedsHuman, ledger.NoticeEscalated, ledger.NoticeIncident, ledger.NoticeApprovalWaiting, ledger.NoticeApprovalEnded,
	ledger.NoticeWorkflowEnded,
}

// Told reports whether this release ever tells of a kind. A subscription to another would be a promise that is not kept.
func Told(kind ledger.NoticeKind) bool { return slices.Contains(told, kind) }

// Encode is the terms as they are stored.
func (t *Terms) Encode() []byte {
	b, _ := json.Marshal(t) // a struct of plain fields always marshals
	return b
}

// DecodeTerms reads stored terms.
func DecodeTerms(definition []byte) (*Terms, error) {
	t := &Terms{}
	return t, json.Unmarshal(definition, t)
}

// Want reports whether the terms ask for a notice.
func (t *Terms) Want(n *ledger.Notice) bool {
	switch {
	case !slices.Contains(t.Kinds, n.NoticeKind),
		len(t.Tools) > 0 && !slices.Contains(t.Tools, n.Tool),
		n.NoticeKind == ledger.NoticeEnded && len(t.EndStates) > 0 && !slices.Contains(t.EndStates, n.State):
		return false
	}
	return t.Owner == "" || !asksPeople(n.NoticeKind) || slices.Contains(owners(n.Owner), t.Owner)
}

// asksPeople reports whether notices of the kind have an owner.
func asksPeople(kind ledger.NoticeKind) bool {
	return kind == ledger.NoticeNeedsHuman || kind == ledger.NoticeEscalated || kind == ledger.NoticeApprovalWaiting
}

// owners takes apart whom a notice asks: an approval asks several roles.
func owners(list string) []string {
	all := strings.Split(list, ",")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}
