package ledger

import "slices"

// revisable are the ends of which a proposer may ask for a fresh try by itself. The others were somebody's decision, and
// need a grant by another credential.
var revisable = []Category{CategoryValidation, CategoryProviderRejected, CategoryExpired, CategoryAttemptsExhausted}

// revise decides a proposal that asks for a fresh try of an operation that is known to have ended without effect.
// Nothing is ever revised by accident: it names the revision that is to be succeeded.
func (s *proposal) revise() Decided {
	named := s.predecessor(s.view)
	if named == "" {
		return Decided{Err: refuse(CodeNotFound, ReasonOperationNotFound,
			"there is no revision %d of this operation; name one that exists, by its number or its operation id", s.Revise.Number)}
	}
	o := s.view.Operation(s.Namespace, named)
	if o == nil {
		return Decided{Err: notFound(named)}
	}
	if o.ID == s.NewOperation {
		return Decided{Err: refuse(CodeInvalidArgument, ReasonRevisionNotAllowed, "an operation cannot succeed itself; name the revision that it is to succeed")}
	}
	if o.Tool != s.Tool {
		return s.noRevision(o, "operation %s belongs to the tool %s", o.ID, o.Tool)
	}
	if o.SupersededBy != "" {
		next := s.view.Operation(s.Namespace, o.SupersededBy)
		if f := s.formFor(next); f != nil && f.matches(next) {
			return s.answer(next) // the same wish again gets the same successor
		}
		return s.noRevision(o, "operation %s was already succeeded by %s; name that one", o.ID, o.SupersededBy)
	}
	pred := change(s.view, s.env, o, s.Principal, s.Jitter)
	pred.tick()
	if no := s.mayRevise(pred.op); no != nil {
		return *no
	}
	if id := s.Revise.GrantID; id != "" {
		g, refusal := s.grantFor(id, GrantRevise)
		if refusal == nil && g.OperationID != o.ID {
			refusal = refuse(CodeFailedPrecondition, ReasonGrantNotUsable, "the grant %s is for operation %s. Have a new one given", id, g.OperationID)
		}
		if refusal != nil {
			return Decided{Err: refusal.about(o)}
		}
		used, _ := drafted[Grant](pred, g.Key())
		used.UsedBy, used.UsedAt = s.NewOperation, s.view.Now
		pred.put(used)
	}
	pred.op.SupersededBy = s.NewOperation
	pred.event(EventRevised, 0, "successor", string(s.NewOperation), "reason", s.Revise.Reason)
	return s.create(pred)
}

// mayRevise answers nil where a fresh try is allowed.
func (s *proposal) mayRevise(o *Operation) *Decided {
	no := func(format string, args ...any) *Decided {
		out := s.noRevision(o, format, args...)
		return &out
	}
	switch {
	case o.State != FailedPermanent && o.State != Compensated:
		return no("operation %s is %s; only one that is known to have ended without effect can be revised. %s", o.ID, o.State, revisionHint(o.State))
	case o.effectStands():
		return no("somebody has said that the effect of operation %s exists", o.ID)
	case o.State == Compensated && s.Revise.GrantID == "":
		return no("operation %s was done and undone; doing it afresh needs a grant by another person", o.ID)
	case s.Revise.GrantID == "" && (o.Failure == nil || !slices.Contains(revisable, o.Failure.Category)):
		return no("operation %s ended by %s; a fresh try needs a grant by another person", o.ID, o.failureCategory())
	case s.Revise.GrantID == "" && o.Revision > int64(s.freeRevisions()):
		return no("operation %s is revision %d, and a proposer makes %d fresh tries by itself; one more needs a grant by another person", o.ID, o.Revision, s.freeRevisions())
	case o.Revision >= MaxRevisions:
		return no("operation %s is revision %d; more than %d are not made", o.ID, o.Revision, MaxRevisions)
	}
	for _, other := range s.revisions(s.keysAfter(o)) {
		if other.ID != o.ID && other.mayHaveEffect() {
			return no("operation %s (%s) holds a key that the revision would claim", other.ID, other.State)
		}
	}
	return nil
}

// freeRevisions is how many fresh tries a proposer makes by itself.
func (s *proposal) freeRevisions() int {
	if s.Rules == nil {
		return MaxRevisions
	}
	return s.Rules.Rules(s.Tool).MaxRevisions
}

// keysAfter are the keys that a revision of o claims: those that its own arguments give, and its predecessor's.
func (s *proposal) keysAfter(o *Operation) []IdempotencyKey {
	keys := s.keys()
	for _, k := range o.Keys {
		if !slices.Contains(keys, k.Key) {
			keys = append(keys, k.Key)
		}
	}
	return keys
}

// mayHaveEffect reports whether the operation has, or may come to have, an effect that stands. An earlier revision of a
// chain has ended without one, unless somebody has said otherwise since.
func (o *Operation) mayHaveEffect() bool {
	return o.State != FailedPermanent && o.State != Compensated || o.effectStands()
}

func (o *Operation) failureCategory() Category {
	if o.Failure == nil {
		return "an unknown cause"
	}
	return o.Failure.Category
}

func (s *proposal) noRevision(o *Operation, format string, args ...any) Decided {
	return Decided{Err: refuse(CodeFailedPrecondition, ReasonRevisionNotAllowed, format, args...).about(o)}
}

func revisionHint(s State) string {
	switch s {
	case CompletedSuccess, CompletedNoop:
		return "A wanted repetition of something that did happen is another occurrence."
	case UnknownOutcome, Dispatched, Acknowledged:
		return "Wait until its outcome is known."
	}
	return "Propose it again without revise."
}
