package ledgertest

import (
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// Tool is a tool's contract as the core sees it.
type Tool struct {
	Name    string
	Version int64
	Terms   ledger.Terms
}

// With makes a variant of the tool's terms.
func (t Tool) With(change func(*ledger.Terms)) Tool {
	change(&t.Terms)
	return t
}

// The tools of the field cases. Propagation is half flight, half the time until a commit shows.
var (
	// OrderGet reads: nothing that it does can double.
	OrderGet = tool("order.get", registry.PureRead, func(t *ledger.Terms) {
		t.PermitDuration, t.MaxAttempts = 15*time.Second, 3
	})
	// ContactUpsert writes to one's own database, keyed there by the operation id.
	ContactUpsert = tool("contact.upsert", registry.InternalDeterministicWrite, func(t *ledger.Terms) {
		t.PermitDuration, t.MaxAttempts, t.Provider = 30*time.Second, 5, "crm"
	})
	// PaymentCapture has a provider that keeps a vendor key for 24 hours and can be asked by it.
	PaymentCapture = tool("payment.capture", registry.ExternalIdempotentWrite, func(t *ledger.Terms) {
		t.MaxAttempts, t.StallAllowance, t.Provider = 5, 10*time.Minute, "psp"
		t.VendorKeyed, t.KeyLength, t.Retention = true, 64, 24*time.Hour
		t.Lookups = []registry.Lookup{{By: registry.ByVendorKey}, {By: registry.ByClientReference}}
		t.Flight, t.Propagation, t.LookupWait = 15*time.Second, 15*time.Second, 30*time.Second
	})
	// EmailSend has a provider without a key, which can be asked by client reference.
	EmailSend = tool("email.send", registry.ExternalNonIdempotentWrite, func(t *ledger.Terms) {
		t.BeginRequired, t.StallAllowance, t.Provider, t.Group = true, 10*time.Minute, "mailer", "email.send"
		t.Lookups = []registry.Lookup{{By: registry.ByClientReference}}
		t.Flight, t.Propagation = 30*time.Second, 30*time.Second
	})
	// AccessRevoke cannot be taken back.
	AccessRevoke = tool("access.revoke", registry.Irreversible, func(t *ledger.Terms) {
		t.BeginRequired, t.MaxAttempts, t.Provider, t.Group = true, 2, "idp", "access.revoke"
		t.Lookups = []registry.Lookup{{By: registry.ByClientReference}, {By: registry.ByObjectID}}
		t.Flight, t.Propagation = 30*time.Second, 30*time.Second
	})
	// Tools lists one tool of each class, in the order of the class table.
	Tools = []Tool{OrderGet, ContactUpsert, PaymentCapture, EmailSend, AccessRevoke}
)

func tool(name string, class registry.Class, change func(*ledger.Terms)) Tool {
	t := Tool{Name: name, Version: 1, Terms: ledger.Terms{
		Class: class, Executor: registry.Inline, PermitDuration: time.Minute, PermitGreatest: 15 * time.Minute, MaxAttempts: 3,
		MaxElapsed: 48 * time.Hour, InitialBackoff: 2 * time.Second, MaxBackoff: time.Minute, Multiplier: 2,
		PendingMaxAge: 24 * time.Hour, RetryMaxAge: 24 * time.Hour, HumanAfter: 30 * time.Hour,
		HumanOwner: "payments", HumanDue: time.Hour, HumanEscalate: "on-call", TimeToFinish: 5 * time.Minute,
	}}
	return t.With(change)
}
