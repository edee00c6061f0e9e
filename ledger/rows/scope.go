package rows

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/opledger/opledger/locks"
)

// Scope is a scope's row.
type Scope struct {
	Namespace  string
	EntityType string
	EntityID   string
	Name       string
	Fence      int64
	Holders    string // JSON
	Document   string // JSON of what else the scope has; empty: nothing
}

// scopeDocument is what no column holds.
type scopeDocument struct {
	Lease   *locks.LeaseRef   `json:"lease,omitempty"`
	Waiting []locks.Waiter    `json:"waiting,omitempty"`
	No      *locks.StandingNo `json:"no,omitempty"`
}

func (d scopeDocument) isEmpty() bool { return d.Lease == nil && len(d.Waiting) == 0 && d.No == nil }

// NoHolders is how a scope without holders is kept.
const NoHolders = "[]"

// FromScope makes a scope's row.
func FromScope(s locks.Scope) (Scope, error) {
	holders := NoHolders
	if len(s.Holders) > 0 {
		b, err := json.Marshal(s.Holders)
		if err != nil {
			return Scope{}, err
		}
		holders = string(b)
	}
	row := FromRef(s.Ref)
	row.Fence, row.Holders = s.Fence, holders
	if rest := (scopeDocument{Lease: s.Lease, Waiting: s.Waiting, No: s.No}); !rest.isEmpty() {
		b, err := json.Marshal(rest)
		if err != nil {
			return Scope{}, err
		}
		row.Document = string(b)
	}
	var c check
	c.ref(s.Ref)
	c.that(row.Fence >= 0, "a scope of %s has fence %d", s.Ref.Entity, row.Fence)
	size := len(row.Holders) + len(row.Document)
	c.that(size <= MaxDocument, "a scope of %s has holders and waiters of %d bytes, at most %d are kept", s.Ref.Entity, size, MaxDocument)
	return row, c.err
}

// FromRef makes the row of a scope that was never used.
func FromRef(ref locks.Ref) Scope {
	return Scope{Namespace: ref.Namespace, EntityType: ref.Entity.Type, EntityID: ref.Entity.ID, Name: ref.Name, Holders: NoHolders}
}

func (c *check) ref(ref locks.Ref) {
	c.name("namespace", ref.Namespace)
	c.name("scope", ref.Name)
	c.text("entity", ref.Entity.String(), MaxName)
}

// Ledger gives the scope back.
func (r Scope) Ledger() (locks.Scope, error) {
	s := locks.Scope{
		Ref:   locks.Ref{Namespace: r.Namespace, Entity: locks.Entity{Type: r.EntityType, ID: r.EntityID}, Name: r.Name},
		Fence: r.Fence,
	}
	if r.Holders != NoHolders {
		if err := json.Unmarshal([]byte(r.Holders), &s.Holders); err != nil {
			return s, fmt.Errorf("the holders of scope %s of %s cannot be read: %w", r.Name, s.Ref.Entity, err)
		}
	}
	if r.Document != "" {
		var rest scopeDocument
		if err := json.Unmarshal([]byte(r.Document), &rest); err != nil {
			return s, fmt.Errorf("scope %s of %s cannot be read: %w", r.Name, s.Ref.Entity, err)
		}
		s.Lease, s.Waiting, s.No = rest.Lease, rest.Waiting, rest.No
	}
	return s, nil
}

// SortScopes puts scopes in the order in which every transaction takes them.
func SortScopes(scopes []Scope) []Scope {
	slices.SortFunc(scopes, compareScopes)
	return scopes
}

func compareScopes(a, b Scope) int {
	return cmp.Or(byKey(a.Namespace, b.Namespace, a.EntityType, b.EntityType), byKey(a.EntityID, b.EntityID, a.Name, b.Name))
}
