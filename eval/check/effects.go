package check

import (
	"strings"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

// Effects holds the provider's own count against what was wanted and against what the ledger says of each operation:
//
//   - no more effects stand than were wanted, and one operation never has two, undone ones included;
//   - where the ledger says that it happened, it did; where it says that it did not, it did not; where it says that it
//     was undone, it is;
//   - an effect that was wanted and is not there is known as failed, or a person has been asked;
//   - an effect too many of which the ledger has heard is an incident.
//
// Where a fault broke what a profile says, only the last one is asked for: nothing else can be promised then. Reads have
// no effects.
func Effects(r eval.Record) []eval.Finding {
	if !judged(&r) || r.Class == registry.PureRead {
		return nil
	}
	f := &findings{checker: checkerEffects, record: &r}
	c := Count(r)
	if c.Unflagged > 0 {
		f.add(pressed(&r), "the ledger has heard of effects too many and raised no incident: %d stand, %d were wanted", c.Standing, r.Wanted)
	}
	if brokenPromise(&r) {
		return f.found
	}
	if c.Duplicates > 0 {
		f.add(pressed(&r), "%d effects stand at the provider, %d were wanted", c.Standing, r.Wanted)
	}
	switch {
	case c.Swallowed > 0:
		f.add(eval.IntentToOperation, "%d of %d wanted repetitions were swallowed: the ledger neither says that they failed nor has asked a person", c.Swallowed, r.Wanted)
	case c.Lost > 0:
		f.add(pressed(&r), "%d effects were wanted and are not there, and the ledger neither says so nor has asked a person", c.Lost)
	}
	f.onceEach()
	f.asTheLedgerSays()
	return f.found
}

// onceEach: one operation has one effect.
func (f *findings) onceEach() {
	for _, o := range f.record.Operations {
		if n := len(effectsOf(f.record, o)); n > 1 && alone(f.record, o) {
			f.add(pressed(f.record), "operation %s has %d effects at the provider", o.OperationId, n)
		}
	}
}

// alone reports whether no other operation of the record carries the same references: a revision may keep them, and then
// an effect that was undone and made afresh has two.
func alone(r *eval.Record, o *pb.Operation) bool {
	for _, other := range r.Operations {
		if other.OperationId != o.OperationId && (same(other.ClientReference, o.ClientReference) || same(other.VendorIdempotencyKey, o.VendorIdempotencyKey)) {
			return false
		}
	}
	return true
}

// asTheLedgerSays compares each operation's state with its effects. Where the provider's effects carry no reference, the
// operations of the key are compared as a whole.
func (f *findings) asTheLedgerSays() {
	r := f.record
	matched := false
	for _, o := range r.Operations {
		matched = matched || len(effectsOf(r, o)) > 0
	}
	if !matched && len(r.Effects) > 0 {
		f.asAWhole()
		return
	}
	for _, o := range r.Operations {
		if o.CompensatesOperationId != "" {
			continue // what it did is that another's effect is undone
		}
		own := effectsOf(r, o)
		standing := count(own)
		switch s := o.State; {
		case saysDone(s) && len(own) == 0 && r.Agent != liar:
			f.add(pressed(r), "operation %s is %s, and the provider has no effect of it", o.OperationId, word(s))
		case s == success && standing == 0 && len(own) > 0:
			f.add(eval.Compensation, "operation %s is %s, and its effect was undone", o.OperationId, word(s))
		case s == compensated && standing > 0:
			f.add(eval.Compensation, "operation %s is %s, and an effect of it stands", o.OperationId, word(s))
		case saysNot(s) && standing > 0 && alone(r, o):
			f.add(pressed(r), "operation %s is %s, and the provider has its effect", o.OperationId, word(s))
		}
	}
}

// asAWhole compares counts, where nothing tells whose an effect is.
func (f *findings) asAWhole() {
	r := f.record
	says, open := 0, 0
	for _, o := range r.Operations {
		switch {
		case o.CompensatesOperationId != "":
		case saysDone(o.State):
			says++
		case mayHave(o.State):
			open++
		}
	}
	if says > len(r.Effects) && r.Agent != liar {
		f.add(pressed(r), "%d operations say that they happened, and the provider has %d effects", says, len(r.Effects))
	}
	if len(r.Effects) > says+open {
		f.add(pressed(r), "the provider has %d effects, and no more than %d operations say that they happened or may have", len(r.Effects), says+open)
	}
}

// liar is the agent that claims success where there is none. An executor's claim is believed until better is known, so that
// its operations say what it said.
const liar = "liar"

// effectsOf are the provider's effects of one operation, undone ones included: those that carry its reference or its vendor
// key, or that it names itself.
func effectsOf(r *eval.Record, o *pb.Operation) []eval.Effect {
	var own []eval.Effect
	for _, e := range r.Effects {
		mine := same(e.Reference, o.ClientReference) || same(e.VendorKey, o.VendorIdempotencyKey)
		for _, named := range o.Effects {
			mine = mine || same(e.ID, named.EffectId)
		}
		if mine {
			own = append(own, e)
		}
	}
	return own
}

// count counts the effects that stand.
func count(effects []eval.Effect) int {
	n := 0
	for _, e := range effects {
		if !e.Undone {
			n++
		}
	}
	return n
}

// same reports whether two names are set and equal.
func same(a, b string) bool { return a != "" && a == b }

// lower is an enum's name as the design writes it.
func lower(name, prefix string) string { return strings.ToLower(strings.TrimPrefix(name, prefix)) }
