package ledger

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// draft is one operation under change within one decision. It is the only way in which an operation changes: each change
// appends its event, each step of the state is checked against the table, and what comes out is handed to the store.
type draft struct {
	view    *View
	env     Env
	now     time.Time
	by      Principal
	jitter  float64 // in [0, 1), chosen with the command
	op      *Operation
	created bool
	events  []Event
	claims  []Claim
	scopes  []locks.Scope // that changed: the operation's group on its entity, and the lease scopes of its entities
	records []Record      // that changed or were made, each at its newest version
	learned []string      // references that the operation got in this decision
	raised  int           // incidents in this decision
	reading *Reading      // that stands in the place of the operation's row; nil: it has one

	bound    *policy.Case     // the rules with this operation's facts
	verdicts []policy.Verdict // what they said
}

// change starts a draft of an existing operation. Nothing of it shows unless its changes are saved.
func change(v *View, env Env, o *Operation, by Principal, jitter float64) *draft {
	d := &draft{view: v, env: env, now: v.Now, by: by, jitter: jitter, op: o.Clone()}
	if o.Version == 0 {
		d.reading = v.openReading(o.Namespace, o.ID)
	}
	return d
}

// create starts a draft of a new operation.
func create(v *View, env Env, o *Operation, by Principal, jitter float64) *draft {
	o.CreatedAt, o.UpdatedAt, o.StateSince = v.Now, v.Now, v.Now
	return &draft{view: v, env: env, now: v.Now, by: by, jitter: jitter, op: o, created: true}
}

// event appends one event. Details come in pairs of name and value; empty values are left out.
func (d *draft) event(t EventType, attempt int64, details ...string) *Event {
	d.op.Sequence++
	e := Event{
		Namespace: d.op.Namespace, OperationID: d.op.ID, Sequence: d.op.Sequence, Version: d.op.Version + 1,
		At: d.now, Type: t, Attempt: attempt, By: d.by,
	}
	for i := 0; i+1 < len(details); i += 2 {
		if details[i+1] == "" {
			continue
		}
		if e.Detail == nil {
			e.Detail = map[string]string{}
		}
		e.Detail[details[i]] = details[i+1]
	}
	d.events = append(d.events, e)
	return &d.events[len(d.events)-1]
}

// creation notes that a new operation was made. A history begins so, whatever was noted while it was judged: that a grant let
// it pass a rule, for example.
func (d *draft) creation(details ...string) {
	made := *d.event(EventCreated, 0, details...)
	copy(d.events[1:], d.events)
	d.events[0] = made
	for i := range d.events {
		d.events[i].Sequence = int64(i) + 1
	}
}

// move changes the state. A step that the table does not have is a defect of the core: it panics with ImpossibleError,
// the command fails and nothing is saved.
func (d *draft) move(to State, details ...string) {
	from := d.op.State
	allowed, contradicts := from.MayGo(to)
	if !allowed {
		panic(&ImpossibleError{Operation: d.op.ID, What: fmt.Sprintf("%q to %q", from, to)})
	}
	if contradicts && d.op.Terms.Mutates() {
		d.incident(IncidentContradiction, fmt.Sprintf("was %s, and the effect is said to exist", from))
	}
	d.op.State, d.op.StateSince = to, d.now
	d.op.CheckAt, d.op.Checks, d.op.Looking = time.Time{}, 0, nil
	d.op.EndedAt = time.Time{}
	if to != Acknowledged && to != UnknownOutcome {
		d.op.ExpectedBy = time.Time{}
	}
	if to.Ended() {
		d.op.EndedAt = d.now
	}
	e := d.event(EventStateChanged, 0, details...)
	e.From, e.To = from, to
	d.followGroup(from, to)
	d.followEntities(from, to)
	d.followHistories(from, to)
	if !to.Released() {
		d.op.BlockingSince = time.Time{}
	}
	if to == CompletedSuccess && from != Compensating {
		d.setEntityState()
	}
	if to.Ended() {
		d.voidApprovals()
	}
	d.answerPerson(to)
	d.noticeState(to, reasonIn(details))
	d.againstClaim(from, to, contradicts)
	d.followStep(from, to)
}

// reasonIn is the "because" of an event's details.
func reasonIn(details []string) string {
	for i := 0; i+1 < len(details); i += 2 {
		if details[i] == "because" {
			return details[i+1]
		}
	}
	return ""
}

// answerPerson takes back what a person was asked where it has answered itself.
func (d *draft) answerPerson(to State) {
	if d.op.Human == nil {
		return
	}
	switch reason := d.op.Human.Reason; {
	case reason == HumanUnknown && (to.Ended() || to == FailedRetryable),
		reason == HumanApproval && to != Planned,
		(reason == HumanCompensation || reason == HumanEffectShows) && to != Compensating,
		reason == HumanLook && to != PendingDispatch,
		reason == HumanBlocking && !to.Released():
		d.op.Human = nil
	}
}

// followGroup keeps the exclusive group in step: an operation holds it from its release until its end, and joins again
// where it is reopened.
func (d *draft) followGroup(from, to State) {
	ref, grouped := d.op.GroupRef()
	if !grouped {
		return
	}
	s := d.scope(ref)
	switch {
	case to == Planned:
		s = s.Announce(string(d.op.ID), d.op.WorkflowID, d.now)
	case to.Released() && !from.Released():
		s = s.Join(string(d.op.ID), d.op.WorkflowID, d.now)
		if from.Ended() {
			d.event(EventGroupRejoined, 0, "scope", ref.Name, "entity", ref.Entity.String())
		}
	case !to.Released() && (from.Released() || from == Planned):
		s = s.Leave(string(d.op.ID))
	default:
		return
	}
	d.putScope(s)
}

// scope is a scope as this draft has it by now.
func (d *draft) scope(ref locks.Ref) locks.Scope {
	for i := range d.scopes {
		if d.scopes[i].Ref == ref {
			return d.scopes[i]
		}
	}
	return d.view.Scope(ref)
}

// putScope changes a scope.
func (d *draft) putScope(s locks.Scope) {
	for i := range d.scopes {
		if d.scopes[i].Ref == s.Ref {
			d.scopes[i] = s
			return
		}
	}
	d.scopes = append(d.scopes, s)
}

// put changes or makes a record. Its version is one more than the view's, however often the draft changes it.
func (d *draft) put(r Record) {
	for i := range d.records {
		if d.records[i].Key() == r.Key() {
			d.records[i] = r
			return
		}
	}
	d.records = append(d.records, r)
}

// drafted finds a record as this draft has it by now, ready to be changed and put: a copy, one version above the view's.
func drafted[T any, R interface {
	*T
	Record
}](d *draft, key RecordKey) (R, bool) {
	for _, r := range d.records {
		if r.Key() == key {
			return r.(R), true
		}
	}
	old, found := recordOf[T, R](d.view, key)
	next := R(new(T))
	*next = *old
	next.place(key.Namespace, key.ID, old.RowVersion()+1)
	return next, found
}

// GroupRef names the exclusive group that the operation belongs to on its entity, if it belongs to one.
func (o *Operation) GroupRef() (locks.Ref, bool) {
	if o.Terms.Group == "" || o.Entity.IsZero() {
		return locks.Ref{}, false
	}
	return locks.GroupRef(string(o.Namespace), o.Entity, o.Terms.Group), true
}

// MaxIncidents bounds the incidents that are kept with one operation: the first, by which it became one, and the newest.
// All of them stay events.
const MaxIncidents = 50

// incident records what must not happen and did.
func (d *draft) incident(kind, detail string) {
	d.raised++
	if len(d.op.Incidents) >= MaxIncidents {
		d.op.Incidents = slices.Delete(d.op.Incidents, 1, 2)
	}
	d.op.Incidents = append(d.op.Incidents, Incident{Kind: kind, At: d.now, Detail: detail})
	d.event(EventIncident, 0, "kind", kind, "detail", detail)
	d.notice(NoticeIncident, kind+": "+detail, "", d.op.Terms.HumanOwner)
}

// Reasons for which an operation waits for a person.
const (
	HumanUnknown    = "outcome_unknown"
	HumanDuplicate  = "duplicate_effect"
	HumanIncident   = "incident"
	HumanUnmatched  = "effect_not_attributable"
	HumanBadSuccess = "evidence_against_success"
	HumanApproval   = "approval_not_decided"
	HumanBlocking   = "keeps_others_waiting"
)

// askPerson puts the operation before a person. A second reason while one stands is an event and no second question.
func (d *draft) askPerson(reason string) {
	t := &d.op.Terms
	d.event(EventNeedsHuman, 0, "reason", reason, "owner", t.HumanOwner)
	if d.op.Human != nil {
		return
	}
	d.op.Human = &Human{Reason: reason, Owner: t.HumanOwner, Since: d.now, Due: after(d.now, t.HumanDue), EscalateTo: t.HumanEscalate}
	d.notice(NoticeNeedsHuman, reason, "", t.HumanOwner)
}

// changed reports whether the draft changed anything.
func (d *draft) changed() bool { return len(d.events) > 0 }

// changes hands out what is to be saved, the operation's version raised by one; nil where nothing changed.
func (d *draft) changes() *Changes {
	if !d.changed() {
		return nil
	}
	d.learnReferences()
	d.followLooking()
	d.callPerson()
	d.op.UpdatedAt = d.now
	if err := d.op.check(); err != nil {
		panic(err)
	}
	if d.reading != nil {
		return d.readingChanges()
	}
	d.op.Version++
	c := &Changes{Operations: []*Operation{d.op}, Events: d.events, Claims: d.claims}
	if d.created {
		c.Created = map[OperationKey]bool{d.op.RowKey(): true}
	}
	c.Scopes, c.Records = d.scopes, d.records
	return c
}

// check refuses an operation that must never be: it is asserted before every save.
func (o *Operation) check() error {
	fail := func(what string) error { return &ImpossibleError{Operation: o.ID, What: what} }
	live := o.LiveAttempt()
	switch {
	case (o.State == Dispatched) != (live != nil):
		return fail("a permit is out exactly while the operation is dispatched")
	case live != nil && live.Number != int64(len(o.Attempts)):
		return fail("the live attempt is the newest one")
	case o.State == FailedRetryable || o.State == FailedPermanent || o.State == CompletedNoop:
		if o.PresenceSaid || o.effectKnown() {
			return fail(string(o.State) + " although the effect is said to exist")
		}
		for i := range o.Attempts {
			if o.Attempts[i].Verdict != VerdictNone {
				return fail(string(o.State) + " while attempt " + strconv.FormatInt(o.Attempts[i].Number, 10) + " is open")
			}
		}
	case (o.State == UnknownOutcome || o.State == Acknowledged) && o.effectKnown():
		return fail(string(o.State) + " although the effect is known")
	case o.State == Acknowledged && o.PresenceSaid:
		return fail("acknowledged although the effect is said to exist")
	case o.State == CompletedSuccess && !o.effectKnown():
		return fail("completed_success without a known effect")
	}
	return nil
}
