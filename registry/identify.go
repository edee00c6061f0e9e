package registry

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/canon"
)

// Call is what a proposal says that takes part in its identity.
type Call struct {
	Arguments  *canon.Value
	Occurrence string // empty: none was named
	CallerKey  string // empty: the key is the tool's to make
	// RepeatGranted: the proposal names a repeat grant that holds, so that an occurrence is admitted where the tool asks
	// for one.
	RepeatGranted bool
	// EventTime is when the event was sent that brought the request; zero: not known. Keys may hold its day or hour.
	EventTime time.Time
}

// CallIdentity is one call's identity under one version of its tool.
type CallIdentity struct {
	ToolVersion int64
	Key         canon.Key
	Components  []canon.Component
	Canonical   []byte // RFC 8785 text of what takes part in identity
	Fingerprint string // of Canonical
	Intent      string
	Entity      canon.Entity // zero: the tool acts on none
	Touches     []canon.Entity
	Occurrence  string            // empty: the first, unnamed one
	Ignored     map[string]string // pointer to canonical JSON of what identity leaves out
	Money       map[string]canon.Amount
	Normalized  *canon.Normalized
}

// Field names the part of a proposal that a fault is about.
type Field string

// The parts of a proposal.
const (
	FieldArguments  Field = "arguments"
	FieldOccurrence Field = "occurrence"
	FieldCallerKey  Field = "idempotency_key"
	FieldEntity     Field = "entity"
	FieldTouches    Field = "touches"
)

// Reasons of a proposal that its tool does not admit, beside those of arguments.
const (
	ReasonOccurrenceNotAllowed canon.Reason = "OCCURRENCE_NOT_ALLOWED"
	ReasonCallerKeyNotAllowed  canon.Reason = "CALLER_KEY_NOT_ALLOWED"
	ReasonEntityMismatch       canon.Reason = "ENTITY_MISMATCH"
)

// Fault is one thing that is wrong with a proposal.
type Fault struct {
	Field Field
	canon.Fault
}

// Identify derives a call's identity from arguments that Validate has let pass. The hasher may be nil where the tool
// has no sensitive fields.
func (c *Compiled) Identify(call Call, hasher canon.Hasher) (*CallIdentity, []Fault) {
	normalized, faults := c.normalizer.Normalize(call.Arguments, hasher)
	if len(faults) > 0 {
		return nil, of(FieldArguments, faults)
	}
	id := &CallIdentity{
		ToolVersion: c.Definition.Version,
		Intent:      c.Definition.Identity.Intent,
		Ignored:     map[string]string{},
		Money:       normalized.Money,
		Normalized:  normalized,
	}
	for _, f := range normalized.Ignored {
		id.Ignored[f.Pointer] = f.Canonical
	}
	all := c.entities(id)
	all = append(all, c.occurrenceOf(id, call)...)
	if len(all) > 0 {
		return nil, all
	}
	if all = c.keyOf(id, call); len(all) > 0 {
		return nil, all
	}
	id.Canonical = normalized.Canonical()
	id.Fingerprint = canon.Fingerprint(id.Canonical)
	return id, nil
}

func of(field Field, faults canon.Faults) []Fault {
	list := make([]Fault, len(faults))
	for i, f := range faults {
		list[i] = Fault{field, f}
	}
	return list
}

func one(field Field, reason canon.Reason, message string) []Fault {
	return []Fault{{field, canon.Fault{Reason: reason, Message: message}}}
}

// entities derives the entity and what the effect touches: sorted, each once, without the entity itself.
func (c *Compiled) entities(id *CallIdentity) []Fault {
	var all []Fault
	if c.entity != nil {
		text, faults := c.entity.RenderID(id.Normalized)
		all = append(all, of(FieldArguments, faults)...)
		id.Entity = canon.Entity{Type: c.Definition.Identity.Entity.Type, ID: text}
	}
	for i, t := range c.touches {
		text, faults := t.RenderID(id.Normalized)
		all = append(all, of(FieldArguments, faults)...)
		if e := (canon.Entity{Type: c.Definition.Identity.Touches[i].Type, ID: text}); e != id.Entity {
			id.Touches = append(id.Touches, e)
		}
	}
	id.Touches = sortedEntities(id.Touches)
	return all
}

func sortedEntities(list []canon.Entity) []canon.Entity {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b canon.Entity) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.ID, b.ID))
	})
	return slices.Compact(list)
}

// occurrenceOf settles which occurrence is meant, and whether this caller may name one.
func (c *Compiled) occurrenceOf(id *CallIdentity, call Call) []Fault {
	policy := c.Definition.Identity.Occurrence
	if policy == OccurrenceByTemplate {
		if call.Occurrence != "" {
			return one(FieldOccurrence, ReasonOccurrenceNotAllowed, "The tool makes the occurrence from the arguments; leave it out.")
		}
		text, faults := c.occurrence.RenderID(id.Normalized)
		id.Occurrence = text
		return of(FieldArguments, faults)
	}
	if call.Occurrence == "" {
		return nil
	}
	switch {
	case policy == OccurrenceNobody:
		return one(FieldOccurrence, ReasonOccurrenceNotAllowed, "The tool knows no wanted repetition; leave the occurrence out.")
	case policy == OccurrenceRepeatGrant && !call.RepeatGranted:
		return one(FieldOccurrence, ReasonOccurrenceNotAllowed, "A wanted repetition of this tool needs a repeat grant that a person gave; leave the occurrence out, or have one given.")
	case len(call.Occurrence) > canon.MaxWordBytes:
		return one(FieldOccurrence, canon.ReasonTooLarge, "The occurrence is too long.")
	}
	id.Occurrence = call.Occurrence
	return nil
}

func (c *Compiled) keyOf(id *CallIdentity, call Call) []Fault {
	d := &c.Definition
	parts := canon.Parts{
		Arguments: id.Normalized, Tool: d.Name, Entity: id.Entity, Intent: d.Identity.Intent,
		Occurrence: id.Occurrence, Version: d.Identity.KeyVersion, EventTime: call.EventTime,
	}
	field, render := FieldArguments, canon.DefaultKey
	switch {
	case call.CallerKey != "" && !d.Identity.CallerKey:
		return one(FieldCallerKey, ReasonCallerKeyNotAllowed, "The tool takes no key from its caller; leave it out.")
	case call.CallerKey != "":
		field = FieldCallerKey
		render = func(p canon.Parts) (canon.Key, []canon.Component, canon.Faults) {
			return canon.CallerKey(p.Tool, call.CallerKey, p.Version)
		}
	case c.key != nil:
		render = c.key.Render
	}
	key, components, faults := render(parts)
	id.Key, id.Components = key, components
	return of(field, faults)
}

// Explain shows how a call's identity comes about, without recording anything.
func (c *Compiled) Explain(call Call, hasher canon.Hasher) (*canon.Explanation, []Fault) {
	id, faults := c.Identify(call, hasher)
	if len(faults) > 0 {
		return nil, faults
	}
	return &canon.Explanation{
		Canonical: string(id.Canonical), Fingerprint: id.Fingerprint, Key: id.Key, Components: id.Components,
		Changes: id.Normalized.Changes, Ignored: id.Normalized.Ignored, Normalized: id.Normalized,
	}, nil
}

// Diff names the arguments at which two identities by this version differ, as a caller sends them.
func (c *Compiled) Diff(a, b *canon.Value) []string { return c.normalizer.Diff(a, b) }

// Agree holds what a caller believes that a call is about against what the tool derives. A nil entity and an empty list
// say nothing; the order of touched entities does not count.
func (id *CallIdentity) Agree(entity *canon.Entity, touches []canon.Entity) []Fault {
	var all []Fault
	if entity != nil && *entity != id.Entity {
		all = one(FieldEntity, ReasonEntityMismatch, "The tool derives "+named(id.Entity)+" from these arguments; leave the entity out, or correct the arguments.")
	}
	if len(touches) > 0 && !slices.Equal(sortedEntities(touches), id.Touches) {
		all = append(all, one(FieldTouches, ReasonEntityMismatch, "The tool derives other touched entities from these arguments; leave them out, or correct the arguments.")...)
	}
	return all
}

func named(e canon.Entity) string {
	if e.IsZero() {
		return "no entity"
	}
	return "another entity"
}

// IdentifyAll derives a call's identity under the newest version, and under each earlier one whose identity it
// continues, so that an operation made under either is met. The chain is that of Continuing, newest first. An earlier
// version that cannot make an identity of the call (a field that it required is missing, an occurrence that it let nobody
// name) cannot have made an operation of it either, and is left out; so is a caller's key where it took none.
func IdentifyAll(chain []*Compiled, call Call, hasher canon.Hasher) ([]*CallIdentity, []Fault) {
	newest, faults := chain[0].Identify(call, hasher)
	if len(faults) > 0 {
		return nil, faults
	}
	all := []*CallIdentity{newest}
	last, previous := newest, chain[0]
	for _, c := range chain[1:] {
		if c.identityText == previous.identityText { // most versions change no identity; then neither does the call's
			if previous = c; last != nil {
				same := *last
				same.ToolVersion = c.Definition.Version
				all, last = append(all, &same), &same
			}
			continue
		}
		earlier := call
		if !c.Definition.Identity.CallerKey {
			earlier.CallerKey = ""
		}
		id, faults := c.Identify(earlier, hasher)
		if previous, last = c, nil; len(faults) == 0 {
			all, last = append(all, id), id
		}
	}
	return all, nil
}
