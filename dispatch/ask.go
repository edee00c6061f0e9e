package dispatch

import (
	"context"
	"strings"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// ask puts the question that was handed out, and hands in what the provider answered under its ticket: a lookup is as
// fresh as its question. It answers whether the provider's breaker has learned something.
func (e *Executor) ask(ctx context.Context, item errand, handed *ledger.Handed, config *Configuration) bool {
	o, lookup := handed.Operation, handed.Lookup
	began := e.config.Clocks.now()
	tool := e.definition(ctx, config, o)
	by, value, can := question(tool, lookup)
	s := ledger.Statement{Source: ledger.SourceLookup, Says: ledger.SaysUnknown, By: by, Note: "this server has no way to ask by any reference that the operation has"}
	if can {
		s = e.config.Adapter.Ask(e.cut, tool, Question{
			Namespace: o.Namespace, OperationID: o.ID, By: by, Value: value, Arguments: o.Arguments,
			VendorKey: lookup.VendorKey, ClientReference: lookup.ClientReference,
		})
	}
	took := e.config.Clocks.since(began)
	s.ID, s.Ticket = ledger.EvidenceID(e.config.NewUUID()), lookup.Ticket
	e.config.Observer.Exchange(o.Tool, string(ledger.WorkLookup), string(s.Says), took)
	learned := e.learn(item.key, answered(&s), can)
	command := &ledger.Reconcile{Namespace: o.Namespace, Principal: ServerPrincipal, OperationID: o.ID, Statement: &s, Jitter: e.config.Jitter()}
	if _, err := e.durable(ctx, "what a provider answered", o, command); err != nil && refused(err) {
		e.config.Logger.Warn("what a provider answered was refused", "error", err, "namespace", o.Namespace, "operation_id", o.ID)
	}
	return learned
}

// question is the first of the lookup's ways that the tool has a request for and the operation a reference.
func question(tool *registry.Definition, l *ledger.Lookup) (by registry.LookupBy, value string, can bool) {
	for _, way := range l.Ways {
		if by == "" {
			by = way.By
		}
		if value := reference(l, way.By); value != "" && hasLookup(tool, way.By) {
			return way.By, value, true
		}
	}
	return by, "", false
}

func hasLookup(tool *registry.Definition, by registry.LookupBy) bool {
	if tool == nil || tool.HTTP == nil {
		return false
	}
	for _, l := range tool.HTTP.Lookups {
		if l.By == by {
			return true
		}
	}
	return false
}

// reference is what the operation has of that kind.
func reference(l *ledger.Lookup, by registry.LookupBy) string {
	switch by {
	case registry.ByVendorKey:
		return l.VendorKey
	case registry.ByClientReference:
		return l.ClientReference
	case registry.ByProviderRequestID:
		return l.ProviderRequestID
	case registry.ByObjectID:
		return l.ProviderObjectID
	}
	return ""
}

// answered reports whether the provider gave an answer at all. One that says nothing of the operation, or refuses the
// question, is an answer.
func answered(s *ledger.Statement) bool {
	return s.Says != ledger.SaysUnknown || s.RawStatus != "" && !strings.HasPrefix(s.RawStatus, "5")
}
