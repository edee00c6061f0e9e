package ledger

import (
	"slices"
	"strings"
	"time"
)

// AdvanceStep is due work: it brings a compensation on by what is known of one of its steps. Asked too early, or of a
// step of which nothing is new, it does nothing.
type AdvanceStep struct {
	Key    RecordKey // of RecordStep
	Jitter float64
}

// StepAdvanced is the reply.
type StepAdvanced struct {
	Original *Operation // nil: the step or its original does not exist
	Changed  bool
	// Propose is the step that is to be proposed now; nil: none is. By is in whose name.
	Propose *Step
	By      Actor
}

// Claims are none.
func (c *AdvanceStep) Claims() []Claim { return nil }

// Reads are the step, its original with what follows that, and the other steps.
func (c *AdvanceStep) Reads(v *View) []Read { return stepCommandReads(v, c.Key) }

func stepCommandReads(v *View, key RecordKey) []Read {
	reads := []Read{key.Read()}
	if s, ok := v.records[key.Read()].(*Step); ok && s.Version > 0 {
		reads = append(reads, readsOf(v, key.Namespace, s.Original)...)
		if o, known := v.known(key.Namespace, s.Original); known {
			reads = append(reads, stepReads(v, o)...)
		}
	}
	return reads
}

// Decide looks at the step's compensation as a whole.
func (c *AdvanceStep) Decide(v *View, env Env) Decided {
	s, found := recordOf[Step](v, c.Key)
	if !found {
		return Decided{Reply: &StepAdvanced{}}
	}
	o := v.Operation(c.Key.Namespace, s.Original)
	if o == nil || s.NextAt.IsZero() || v.Now.Before(s.NextAt) {
		return Decided{Reply: &StepAdvanced{Original: o}}
	}
	d := change(v, env, o, "", c.Jitter)
	d.tick()
	u := d.op.undoing(s.EffectID)
	if u == nil {
		return Decided{Err: &ImpossibleError{Operation: o.ID, What: "a step without its compensation"}}
	}
	next := d.reassess(u)
	reply := &StepAdvanced{By: u.actor()}
	switch {
	case next == nil || next.ID != s.ID: // nothing is left to do for this one
		d.quiet(s)
	default:
		reply.Propose = next
	}
	changes := d.changes()
	if changes == nil && len(d.records) > 0 {
		changes = &Changes{Records: d.records} // the row alone has changed
	}
	reply.Original, reply.Changed = d.op, changes != nil && len(changes.Operations) > 0
	return Decided{Reply: reply, Changes: changes}
}

// quiet takes a step out of due work until something changes about it.
func (d *draft) quiet(s *Step) {
	next, _ := drafted[Step](d, s.Key())
	next.NextAt = time.Time{}
	d.put(next)
}

// PostponeStep keeps a step waiting that was not let start: a "no" is about now, so the step is proposed again later.
type PostponeStep struct {
	Key     RecordKey
	Because string
	After   time.Duration // at least; zero: by its own backoff
	Jitter  float64
}

// The pauses between two proposals of a step that waits: they grow from the first to the last.
const (
	firstStepPause = 2 * time.Second
	lastStepPause  = 5 * time.Minute
	maxWaitsFor    = 500 // characters of the reason that are kept
)

// Claims are none.
func (c *PostponeStep) Claims() []Claim { return nil }

// Reads are those of AdvanceStep.
func (c *PostponeStep) Reads(v *View) []Read { return stepCommandReads(v, c.Key) }

// Decide notes why the step waits, and asks a person in time.
func (c *PostponeStep) Decide(v *View, env Env) Decided {
	seen, found := recordOf[Step](v, c.Key)
	if !found || seen.Status != StepPlanned || seen.OperationID != "" {
		return Decided{Reply: &StepAdvanced{}}
	}
	d := change(v, env, v.Operation(c.Key.Namespace, seen.Original), "", c.Jitter)
	s, _ := drafted[Step](d, c.Key)
	if s.WaitsSince.IsZero() {
		s.WaitsSince = d.now
	}
	s.WaitsFor = strings.ToValidUTF8(c.Because[:min(len(c.Because), maxWaitsFor)], "")
	pause := min(firstStepPause<<min(s.Tries, 16), lastStepPause)
	pause = pause/2 + time.Duration(float64(pause/2)*c.Jitter)
	s.NextAt, s.Tries = d.now.Add(max(pause, min(c.After, lastStepPause))), s.Tries+1
	d.put(s)
	if u := d.op.undoing(s.EffectID); u != nil {
		d.unstick(u, d.steps(u))
	}
	changes := d.changes()
	if changes == nil {
		changes = &Changes{Records: d.records}
	}
	return Decided{Reply: &StepAdvanced{Original: d.op, Changed: len(changes.Operations) > 0}, Changes: changes}
}

// undo decides the proposal of a step: the row answers it where an operation carries it out already, else one is made, by
// the road of every proposal.
func (s *proposal) undo() Decided {
	step, found := recordOf[Step](s.view, StepKey(s.Namespace, s.Undoes.StepID))
	if !found {
		return Decided{Err: refuse(CodeNotFound, ReasonOperationNotFound, "there is no step %s of a compensation in this namespace; compensate the operation first", s.Undoes.StepID)}
	}
	if step.OperationID != "" {
		o := s.view.Operation(s.Namespace, step.OperationID)
		return Decided{Reply: &Answer{Decision: DecisionEnqueued, Operation: o, At: s.view.Now, Told: tellState(o, s.view.Now)}}
	}
	if step.Status != StepPlanned { // also that of a compensation that was given up
		o := s.view.Operation(s.Namespace, step.Original)
		return Decided{Err: refuse(CodeFailedPrecondition, ReasonStateNotSuitable, "the step %s of the compensation of %s is %s; it is not begun", step.Name, o.ID, step.Status).about(o)}
	}
	if known := s.revisions(s.keys()); len(known) > 0 {
		return Decided{Err: s.keyReused(known[0])}
	}
	return s.create(nil)
}

// stepReads are the rows that the proposal of a step depends on beside those of every proposal.
func (p *Propose) stepReads(v *View) []Read {
	if p.Undoes == nil {
		return nil
	}
	reads := []Read{StepKey(p.Namespace, p.Undoes.StepID).Read(), ReadOf(ReadOperation, p.Namespace, string(p.Undoes.Original))}
	if s, ok := v.records[reads[0]].(*Step); ok && s.OperationID != "" {
		reads = append(reads, readsOf(v, p.Namespace, s.OperationID)...)
	}
	return reads
}

// reservedOccurrence refuses an operation that bears the occurrence of a step and is none: it would stand in that one's
// place.
func (d *draft) reservedOccurrence() *Refusal {
	if d.op.Undoes != nil || !strings.HasPrefix(d.op.Occurrence, UndoPrefix) {
		return nil
	}
	return refuse(CodeInvalidArgument, ReasonOccurrenceRefused, "occurrences that begin with %q name steps of compensations, and there is none of this name; name another occurrence", UndoPrefix)
}

// takeStep gives the row of a step the operation that carries it out: the first one, or the successor of one that ended
// without effect.
func (d *draft) takeStep() {
	u := d.op.Undoes
	if u == nil {
		return
	}
	s, found := drafted[Step](d, StepKey(d.op.Namespace, u.StepID))
	if !found {
		return
	}
	s.OperationID, s.Status, s.NextAt = d.op.ID, StepOpen, d.now
	s.WaitsFor, s.WaitsSince, s.Tries = "", time.Time{}, 0
	d.put(s)
}

// inherits gives a revision what its predecessor undoes.
func (o *Operation) inherits(pred *Operation) {
	if pred.Undoes != nil {
		o.Undoes = clonePtr(pred.Undoes)
	}
}

// cloneUndoing copies compensations deeply enough for a draft.
func cloneUndoing(list []Undoing) []Undoing {
	list = slices.Clone(list)
	for i := range list {
		list[i].Steps = slices.Clone(list[i].Steps)
	}
	return list
}
