package provider

import (
	"fmt"
	"sync"
	"time"
)

// The accounts of the payment provider.
const (
	// KeyedAccount honours idempotency keys: the same key gives the same charge.
	KeyedAccount = "acct_keyed"
	// PlainAccount does not look at them: every request is a charge.
	PlainAccount = "acct_plain"
)

// Kind is the kind of an effect.
type Kind string

// The kinds of effects. Those of collections move money.
const (
	KindCharge    Kind = "charge" // money taken from a card
	KindRefund    Kind = "refund" // money paid back to it
	KindCredit    Kind = "credit" // money put on the customer's account with the shop
	KindEmail     Kind = "email"
	KindContact   Kind = "contact"
	KindArchiving Kind = "archiving" // of a contact
)

// idPrefixes begin the ids of transfers.
var idPrefixes = map[Kind]string{KindCharge: "ch", KindRefund: "re", KindCredit: "cr"}

// Transfer is money that was moved.
type Transfer struct {
	ID              string    `json:"id"`
	Kind            Kind      `json:"kind"`
	Account         string    `json:"account"`
	Amount          int64     `json:"amount"` // in minor units
	Currency        string    `json:"currency"`
	Order           string    `json:"order"`
	ClientReference string    `json:"client_reference,omitempty"`
	IdempotencyKey  string    `json:"idempotency_key,omitempty"`
	CreatedAt       time.Time `json:"created_at"`
}

// Email is a message that has left for a customer.
type Email struct {
	ID              string    `json:"id"`
	To              string    `json:"to"`
	Subject         string    `json:"subject"`
	Corrects        string    `json:"corrects,omitempty"` // the id of the message that it corrects
	ClientReference string    `json:"client_reference,omitempty"`
	CreatedAt       time.Time `json:"created_at"`
}

// books are what the provider has done. They are the truth that everything else is measured by.
type books struct {
	mu         sync.Mutex
	now        func() time.Time
	transfers  []Transfer
	emails     []Email
	contacts   []Contact
	archivings []Archiving
	changed    chan struct{} // closed and replaced with each effect
}

func newBooks(now func() time.Time) *books { return &books{now: now, changed: make(chan struct{})} }

// conflictError is a key that came with another request before.
type conflictError struct{ key string }

func (e *conflictError) Error() string {
	return "the idempotency key " + e.key + " came with other parameters before"
}

// transfer moves money, or finds the transfer that the same key has made in an account that honours keys.
func (b *books) transfer(t Transfer) (made Transfer, replayed bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	number := 1
	for _, old := range b.transfers {
		if old.Kind == t.Kind {
			number++
		}
		if t.Account != KeyedAccount || t.IdempotencyKey == "" || old.Account != t.Account || old.IdempotencyKey != t.IdempotencyKey {
			continue
		}
		if old.Kind != t.Kind || old.Amount != t.Amount || old.Currency != t.Currency || old.Order != t.Order {
			return Transfer{}, false, &conflictError{t.IdempotencyKey}
		}
		return old, true, nil
	}
	t.ID, t.CreatedAt = fmt.Sprintf("%s_%04d", idPrefixes[t.Kind], number), b.now()
	b.transfers = append(b.transfers, t)
	b.tell()
	return t, false, nil
}

// send sends a message. The mail provider deduplicates nothing.
func (b *books) send(m Email) Email {
	b.mu.Lock()
	defer b.mu.Unlock()
	m.ID, m.CreatedAt = fmt.Sprintf("msg_%04d", len(b.emails)+1), b.now()
	b.emails = append(b.emails, m)
	b.tell()
	return m
}

func (b *books) tell() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// count is the number of effects of a kind, and a channel that is closed at the next effect of any kind.
func (b *books) count(kind Kind) (int, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch kind {
	case KindEmail:
		return len(b.emails), b.changed
	case KindContact:
		return len(b.contacts), b.changed
	case KindArchiving:
		return len(b.archivings), b.changed
	}
	return len(filter(b.transfers, func(t Transfer) bool { return t.Kind == kind })), b.changed
}

func (b *books) listTransfers(keep func(Transfer) bool) []Transfer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return filter(b.transfers, keep)
}

func (b *books) listEmails(keep func(Email) bool) []Email {
	b.mu.Lock()
	defer b.mu.Unlock()
	return filter(b.emails, keep)
}

// filter never answers nil, so that an empty list is [] in JSON.
func filter[T any](list []T, keep func(T) bool) []T {
	kept := []T{}
	for _, item := range list {
		if keep(item) {
			kept = append(kept, item)
		}
	}
	return kept
}
