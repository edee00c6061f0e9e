package ledger

import (
	"time"

	"github.com/opledger/opledger/registry"
)

// Reconcile runs reconciliation of one operation now, or takes evidence that a system or a person brings.
type Reconcile struct {
	Namespace   Namespace
	Principal   Principal
	OperationID OperationID
	Statement   *Statement // nil: run it now
	Jitter      float64
}

// Statement is evidence as it is handed in.
type Statement struct {
	ID     EvidenceID
	Source Source // lookup, webhook or person
	Says   Says
	// By is the reference that was asked by, of a lookup.
	By registry.LookupBy
	// AskedValue is the reference's value; a question by another value says nothing of this operation.
	AskedValue string
	Search     bool // a search index was asked rather than a read by key
	// Ticket is what came with the invitation to look. Without it a "not found" is kept and does not count.
	Ticket string
	// VendorKey, ClientReference and EffectID are what the find itself carries.
	VendorKey, ClientReference, EffectID, ObjectID, ProviderRequestID, Account string
	Overrule                                                                   bool // of a person: a decision against stronger statements
	// SeenVersion is the operation's version that a person looked at.
	SeenVersion     int64
	Reason          string // of a person
	Sender, EventID string // of a webhook: whose event, and which
	// ObservedAt is when a webhook's source observed it; zero: it does not say, and its "no" does not count.
	ObservedAt   time.Time
	FinishWithin time.Duration
	Note         string
	ResultJSON   []byte
	RawStatus    string
}

// Reconciliation is the reply: the operation as it stands, what may be looked up, and what became of the statement.
type Reconciliation struct {
	Operation *Operation
	Lookup    *Lookup
	Evidence  *Evidence
	Told      Told
}

// Claims are none.
func (r *Reconcile) Claims() []Claim { return nil }

// Reads are the operation, its tool's switch and its group.
func (r *Reconcile) Reads(v *View) []Read { return readsOf(v, r.Namespace, r.OperationID) }

// Decide weighs the statement, if there is one, and answers with what is known.
func (r *Reconcile) Decide(v *View, env Env) Decided {
	o := v.Operation(r.Namespace, r.OperationID)
	if o == nil {
		return Decided{Err: notFound(r.OperationID)}
	}
	d := change(v, env, o, r.Principal, r.Jitter)
	d.tick()
	reply := &Reconciliation{}
	if r.Statement != nil {
		e, no := r.take(d, o.Version)
		if no != nil {
			return Decided{Err: no, Changes: d.changes()}
		}
		kept := *e
		reply.Evidence = &kept
	}
	if r.Statement == nil {
		d.lookNow()
	}
	changes := d.changes()
	reply.Operation = d.op
	if d.op.State == UnknownOutcome {
		reply.Lookup = d.lookup()
	}
	reply.Told = tellState(d.op, d.now)
	return Decided{Reply: reply, Changes: changes}
}

// take weighs one statement. The same statement again is one event.
func (r *Reconcile) take(d *draft, seen int64) (*Evidence, *Refusal) {
	r = r.identified(d.op)
	o, s := d.op, r.Statement
	for i := range o.Evidence {
		if kept := &o.Evidence[i]; kept.ID == s.ID {
			if kept.Says != s.Says || kept.Source != s.Source || kept.EffectID != s.EffectID {
				return nil, refuse(CodeFailedPrecondition, ReasonEvidenceReused,
					"evidence %s came with another statement before; make a new id for each statement", s.ID).about(o)
			}
			return kept, nil
		}
	}
	e, no := r.evidence(d, seen)
	if no != nil {
		return nil, no
	}
	kept, before := d.keep(*e), d.known()
	defer func() { d.judgeEffect(kept, before) }()
	if d.lookedFirst(kept, s) {
		return kept, nil
	}
	switch s.Says {
	case SaysHappened:
		if s.Source == SourcePerson {
			o.Human = nil // answered; what is found out by the answer is asked anew
		}
		d.happened(kept, d.soleOpenAttempt())
		if kept.Counted {
			d.takeResult(&Result{
				JSON: s.ResultJSON, Provider: o.Terms.Provider, Account: o.Terms.Account, ProviderRequestID: s.ProviderRequestID,
				ProviderObjectID: first(s.ObjectID, s.EffectID), RawStatusCode: s.RawStatus, Grade: kept.Grade, EffectAt: d.now,
			})
		}
		d.settle("evidence says that it happened")
	case SaysInProgress:
		r.takeProgress(d, kept)
	case SaysNot:
		d.againstSuccess(kept)
		d.weigh()
		if kept.Counted && s.Source == SourcePerson && !o.effectKnown() {
			o.Human, o.PresenceSaid = nil, false // what was said to exist and could not be attributed is overruled
		}
		d.settleAfterAbsence()
	case SaysUnknown:
		if s.Source == SourceLookup && o.State == UnknownOutcome {
			o.ResendCleared = true // the lookup was refused: an allowed resend need not wait for it
			kept.Why = "the lookup gave no answer; an allowed resend does not wait for it"
		}
	}
	return kept, nil
}

// evidence checks the statement and gives it its grade, its time and its reach.
func (r *Reconcile) evidence(d *draft, seen int64) (*Evidence, *Refusal) {
	o, s := d.op, r.Statement
	e := &Evidence{
		ID: s.ID, Source: s.Source, Says: s.Says, By: r.Principal, ReceivedAt: d.now, Attempts: int64(len(o.Attempts)),
		EffectID: s.EffectID, Note: s.Note, AskedBy: s.By, AskedValue: s.AskedValue, Search: s.Search,
		Sender: s.Sender, EventID: s.EventID, Reason: s.Reason, SeenVersion: s.SeenVersion, Overrules: s.Overrule,
	}
	switch s.Source {
	case SourcePerson:
		e.Grade, e.AskedAt = GradePerson, d.now
		if s.Overrule {
			e.Grade = GradePersonDecree
		}
		if s.Says == SaysNot && s.SeenVersion != seen {
			return nil, refuse(CodeAborted, ReasonVersionSeenOutdated,
				"the operation has changed since version %d was looked at; it is at %d. Look again, at the provider too", s.SeenVersion, seen).about(o)
		}
	case SourceWebhook:
		e.Grade = GradeWebhook
		e.Attributed = o.carries(s) || o.refers(s)
		if s.ObservedAt.After(d.now) {
			return nil, refuse(CodeInvalidArgument, ReasonInvalidRequest,
				"evidence cannot have been observed at %s, which is in the future; say when it was observed, by a clock that is right", s.ObservedAt.UTC().Format(time.RFC3339)).about(o)
		}
		if s.Says == SaysNot && e.Attributed && !s.ObservedAt.IsZero() {
			e.AskedAt, e.Attempts = s.ObservedAt, o.observed(s.ObservedAt)
		}
	default:
		e.Grade = GradeLookup
		e.Attributed = o.carries(s)
		way := o.Terms.way(s.By)
		if way != nil && !o.askedRightly(s) {
			way = nil
		}
		if way != nil && (way.Search || s.Search) {
			e.Grade = GradeSearch
		}
		if s.Ticket != "" {
			t, ok := ParseTicket(s.Ticket)
			if !ok || t.IssuedAt.After(d.now) || t.Attempts > e.Attempts {
				return nil, refuse(CodeFailedPrecondition, ReasonLookupTicketInvalid,
					"the lookup ticket was not issued by this ledger for this operation; use the one of the newest answer, as it came").about(o)
			}
			if way != nil {
				e.AskedAt, e.Attempts = t.IssuedAt, t.Attempts
			}
		}
		if way == nil && s.Says == SaysNot {
			e.Why = "the provider's profile does not name this way of looking, or the reference is not one that every attempt has sent"
		}
	}
	return e, nil
}

// way finds the profile's lookup by that reference.
func (t *Terms) way(by registry.LookupBy) *registry.Lookup {
	for i := range t.Lookups {
		if t.Lookups[i].By == by {
			return &t.Lookups[i]
		}
	}
	return nil
}

// askedRightly reports whether a lookup asked by a reference that the operation has and that each of its requests bears:
// a provider's own id names one request, and its absence says nothing of the others.
func (o *Operation) askedRightly(s *Statement) bool {
	var reference string
	ofAll := true
	request, object := o.ProviderIDs()
	switch s.By {
	case registry.ByVendorKey:
		reference = o.VendorKey
	case registry.ByClientReference:
		reference = o.ClientReference
	case registry.ByProviderRequestID:
		reference, ofAll = request, o.oneSender()
	case registry.ByObjectID:
		reference, ofAll = object, o.oneSender() && o.Terms.makesObjects() // an object stands with a change and without it
	}
	return ofAll && reference != "" && (s.AskedValue == "" || s.AskedValue == reference)
}

// oneSender reports whether no more than one request can have been sent: one attempt was made, and where its permit went out
// twice, only whoever has begun may send.
func (o *Operation) oneSender() bool {
	return len(o.Attempts) == 1 && (o.Terms.BeginRequired || !o.Attempts[0].HandedAgain)
}

// carries reports whether a find is this operation's own: it bears the vendor key or client reference of this operation
// and revision, or an object or request that is known to be its.
func (o *Operation) carries(s *Statement) bool {
	request, object := o.ProviderIDs()
	switch {
	case s.VendorKey != "" && s.VendorKey == o.VendorKey, s.ClientReference != "" && s.ClientReference == o.ClientReference:
		return true
	case s.EffectID != "" && s.EffectID == object && o.Terms.makesObjects(), s.ProviderRequestID != "" && s.ProviderRequestID == request:
		return true
	}
	for i := range o.Effects {
		if o.Effects[i].EffectID == s.EffectID {
			return true
		}
	}
	return false
}

// takeProgress: the provider is at it.
func (r *Reconcile) takeProgress(d *draft, e *Evidence) {
	o := d.op
	if !e.Attributed && e.Source != SourcePerson {
		e.Why = "it carries nothing of this operation's own: neither presence nor absence"
		return
	}
	e.Counted = true
	d.takenOnBeside(e.EffectID)
	switch a := o.newestOpen(); {
	case o.effectKnown(), !o.Terms.Mutates():
	case a != nil:
		d.tookOn(a)
	default:
		d.saidToExist("the provider has something of this operation in progress, of which no attempt is known")
	}
	d.inProgress(r.Statement.FinishWithin)
}

// newestOpen is the attempt that a statement of progress is about: the newest that may have had the effect, else the
// newest that counts as without; nil where there is none.
func (o *Operation) newestOpen() *Attempt {
	for _, wanted := range []Verdict{VerdictOpen, VerdictNone} {
		for i := len(o.Attempts) - 1; i >= 0; i-- {
			if a := &o.Attempts[i]; a.Verdict == wanted {
				return a
			}
		}
	}
	return nil
}

// againstSuccess keeps evidence against a known success and calls a person; it changes no state by itself.
func (d *draft) againstSuccess(e *Evidence) {
	if d.op.State != CompletedSuccess || !e.Attributed && e.Source != SourcePerson {
		return
	}
	e.Became, e.Why = BecameContradicts, "it stands against a known success, and changes no state by itself; a person looks at it"
	d.incident(IncidentAgainstSuccess, string(e.Source)+" says that it did not happen, or not for good")
	d.askPerson(HumanBadSuccess)
}

// settleAfterAbsence settles what a "no" has cleared. An acknowledgement is finished by a person's word or its own time.
func (d *draft) settleAfterAbsence() {
	o := d.op
	if (o.State == UnknownOutcome || o.State == Acknowledged) && o.allWithoutEffect() {
		o.FinishBy = time.Time{}
		d.settle("it is known that no attempt had an effect")
	}
}

// soleOpenAttempt is the number of the only attempt that a find can belong to, or zero.
func (d *draft) soleOpenAttempt() int64 {
	var n int64
	for i := range d.op.Attempts {
		if d.op.Attempts[i].Verdict != VerdictOpen {
			continue
		}
		if n != 0 {
			return 0
		}
		n = d.op.Attempts[i].Number
	}
	return n
}
