package adapter

import (
	"fmt"
	"strconv"

	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// read reads the answer to a question into a statement. What meets no condition says nothing: an error is no verdict, nor
// is an answer that cannot be read.
func read(s *ledger.Statement, tool *registry.Definition, l *registry.HTTPLookup, q *dispatch.Question, a *answer) {
	s.RawStatus = strconv.Itoa(a.status)
	found, none := a.holds(&l.Found, a.body), a.holds(&l.NotFound, a.body)
	object, known := a.body, found
	if l.Items != nil && found {
		object, known = ours(a, l, q)
		none = none || !known && l.Complete != nil && a.holds(l.Complete, a.body)
	}
	switch {
	case known && none && l.Items == nil:
		s.Note = "the answer means found and not found at once"
	case l.InProgress != nil && (known || l.Items == nil) && a.holds(l.InProgress, object):
		s.Says = ledger.SaysInProgress
		take(s, tool, l, q, a, object)
	case known && l.DidNotHappen != nil && a.holds(l.DidNotHappen, object):
		if !owns(l, q, object) {
			s.Note = "an object that came to nothing was found, and it is not known to be this operation's"
			return
		}
		s.Says, s.Note = ledger.SaysNot, "the object that was found came to nothing"
		s.VendorKey, s.ClientReference = echoes(l, q, object)
	case known:
		s.Says = ledger.SaysHappened
		take(s, tool, l, q, a, object)
	case none:
		s.Says = ledger.SaysNot
	case found:
		s.Note = "none of the listed objects is this operation's, and the list is not known to be whole"
	default:
		s.Note = fmt.Sprintf("the provider answered %d, which is neither found nor not found", a.status)
	}
}

// ours finds the item of a list that is this operation's. Of several, one that came to something goes first.
func ours(a *answer, l *registry.HTTPLookup, q *dispatch.Question) (item any, known bool) {
	list, _ := at(a.body, *l.Items)
	items, _ := list.([]any)
	for _, candidate := range items {
		if !owns(l, q, candidate) {
			continue
		}
		if l.DidNotHappen == nil || !a.holds(l.DidNotHappen, candidate) {
			return candidate, true
		}
		if !known {
			item, known = candidate, true
		}
	}
	return item, known
}

// owns reports whether an object is this operation's: it echoes its vendor key or client reference, or is the very object
// that was asked for.
func owns(l *registry.HTTPLookup, q *dispatch.Question, object any) bool {
	key, reference := echoes(l, q, object)
	return key != "" && key == q.VendorKey || reference != "" && reference == q.ClientReference ||
		l.By == registry.ByObjectID && q.Value != "" && textAt(object, l.Extract.ProviderObjectID) == q.Value
}

func echoes(l *registry.HTTPLookup, q *dispatch.Question, object any) (key, reference string) {
	return echoAt(object, l.Extract.VendorKey, q.VendorKey), echoAt(object, l.Extract.ClientReference, q.ClientReference)
}

// take reads what a found object carries.
func take(s *ledger.Statement, tool *registry.Definition, l *registry.HTTPLookup, q *dispatch.Question, a *answer, object any) {
	s.VendorKey, s.ClientReference = echoes(l, q, object)
	s.ObjectID = textAt(object, l.Extract.ProviderObjectID)
	s.EffectID = textAt(object, l.Extract.EffectID)
	if s.EffectID == "" && tool.Effect != registry.EffectChange && tool.Effect != registry.EffectNone {
		s.EffectID = s.ObjectID
	}
	s.ProviderRequestID = headerText(a.header, l.Extract.ProviderRequestIDHeader)
	part := *a
	part.body = object
	if l.Items != nil && l.Extract.Result == "" {
		s.ResultJSON = encoded(object)
		return
	}
	s.ResultJSON = part.result(l.Extract.Result)
}
