package ledger

import (
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/policy"
)

// Compensate undoes one effect of an operation by its tool's playbook. All its steps are recorded in the transaction that
// moves the operation to compensating, so that a repeat answers with the same ones, whatever the playbook is by then.
type Compensate struct {
	Namespace   Namespace
	Actor       Actor
	OperationID OperationID
	EffectID    string // empty: the only one that stands
	Reason      string
	Etag        string // the operation as the caller saw it; empty: whatever it is by now
	Epoch       int64  // the configuration epoch at which the playbook was read
	// Plan is what the playbook comes to for the operation at version PlannedAt; nil: none was worked out, since the
	// operation was seen to have a compensation of that effect already.
	Plan      *UndoPlan
	PlannedAt int64
	Jitter    float64
}

// UndoPlan is what undoing one effect comes to.
type UndoPlan struct {
	EffectID   string
	Steps      []UndoStep
	Approval   *policy.ApprovalNeed // who must approve before the first step; nil: nobody beyond what its tool asks
	EscalateTo string
}

// UndoStep is one step of a plan.
type UndoStep struct {
	Name, Tool string
	Arguments  []byte // canonical JSON
	Skipped    bool
}

// Compensation is the reply: the operation as it stands, with its steps.
type Compensation struct {
	Operation *Operation
	Steps     []*Step
	Told      Told
}

// OperationMovedError says that an operation changed between the reading that a command was built on and its decision.
// Whoever built it reads anew and asks again with the same identifiers.
type OperationMovedError struct{ Operation *Operation }

func (e *OperationMovedError) Error() string {
	return "operation " + string(e.Operation.ID) + " has changed since the command was built"
}

// ReasonNotCompensable refuses what cannot be undone: it did not happen, or no playbook says how.
const ReasonNotCompensable Reason = "COMPENSATION_NOT_POSSIBLE"

// Claims are none: the rows of the steps are unique by their ids.
func (c *Compensate) Claims() []Claim { return nil }

// Reads are the operation with what follows it, its compensations, and the rows that are made.
func (c *Compensate) Reads(v *View) []Read {
	reads := append(readsOf(v, c.Namespace, c.OperationID), ReadOf(ReadEpoch, c.Namespace, ""))
	if o, ok := v.known(c.Namespace, c.OperationID); ok {
		reads = append(reads, stepReads(v, o)...)
		for _, s := range c.rows(o, time.Time{}) {
			reads = append(reads, s.Key().Read())
		}
	}
	return reads
}

// Decide begins the compensation, or answers with the one that there is.
func (c *Compensate) Decide(v *View, env Env) Decided {
	o := v.Operation(c.Namespace, c.OperationID)
	if o == nil {
		return Decided{Err: notFound(c.OperationID)}
	}
	d := change(v, env, o, c.Actor.Principal, c.Jitter)
	d.tick()
	effect, refusal := c.Effect(d.op)
	if refusal != nil {
		return Decided{Err: refusal, Changes: d.changes()}
	}
	if u := d.op.undoing(effect); u != nil {
		return c.again(d, u)
	}
	switch {
	case c.Etag != "" && c.Etag != o.Etag():
		return Decided{Err: etagMismatch("operation", string(o.ID)).about(d.op), Changes: d.changes()}
	case v.Epoch(c.Namespace) != c.Epoch:
		return Decided{Err: &EpochMovedError{Have: c.Epoch, Now: v.Epoch(c.Namespace)}}
	case c.Plan == nil || c.PlannedAt != o.Version || c.Plan.EffectID != effect:
		return Decided{Err: &OperationMovedError{Operation: o}}
	}
	return c.begin(d, effect)
}

// Effect says which effect is meant, and refuses what has none that could be undone. An undoing is never undone itself,
// so that every chain of playbooks has an end.
func (c *Compensate) Effect(o *Operation) (string, *Refusal) {
	no := func(format string, args ...any) (string, *Refusal) {
		return "", refuse(CodeFailedPrecondition, ReasonNotCompensable, format, args...).about(o)
	}
	switch {
	case o.Undoes != nil:
		return no("operation %s undoes an effect of %s; what undoes is not undone itself. Propose afresh what is wanted again", o.ID, o.Undoes.Original)
	case o.State != CompletedSuccess && o.State != Compensating && o.State != Compensated:
		return no("operation %s is %s; only what is known to have happened can be undone", o.ID, o.State)
	case c.EffectID != "" && !slices.Contains(o.EffectIDs(), c.EffectID):
		return no("operation %s has no effect %s; it has %s", o.ID, c.EffectID, namedEffects(o.EffectIDs()))
	case c.EffectID != "":
		return c.EffectID, nil
	case len(o.EffectIDs()) == 1: // also one that is undone already: its repeat is answered
		return o.EffectIDs()[0], nil
	}
	return no("operation %s has several effects (%s); name the one that is to be undone", o.ID, namedEffects(o.EffectIDs()))
}

func namedEffects(ids []string) string {
	if len(ids) == 0 || len(ids) == 1 && ids[0] == "" {
		return "one without an id"
	}
	return strings.Join(ids, ", ")
}

// begin records every step and moves the operation to compensating.
func (c *Compensate) begin(d *draft, effect string) Decided {
	o := d.op
	u := Undoing{
		EffectID: effect, By: c.Actor.Principal, Person: c.Actor.Person, Teams: c.Actor.Teams, Local: c.Actor.Local,
		Reason: c.Reason, At: d.now, SucceededAt: o.SucceededAt(), EscalateTo: c.Plan.EscalateTo,
	}
	for _, id := range o.StandingEffects() {
		if id != effect && o.undoing(id) == nil {
			u.Leaves = append(u.Leaves, id)
		}
	}
	for _, s := range c.rows(o, d.now) {
		s.Version = 1
		u.Steps = append(u.Steps, s.ID)
		d.put(s)
	}
	o.Undoing = append(o.Undoing, u)
	d.event(EventCompensation, 0, "change", "begun", "effect_id", effect, "reason", c.Reason)
	if o.State == CompletedSuccess {
		d.move(Compensating, "because", c.Reason)
	}
	d.reassess(o.undoing(effect))
	return c.reply(d, o.undoing(effect))
}

// rows are the rows of the plan's steps.
func (c *Compensate) rows(o *Operation, now time.Time) []*Step {
	if c.Plan == nil {
		return nil
	}
	approval := c.Plan.Approval
	var rows []*Step
	for i, p := range c.Plan.Steps {
		id := StepID(o.Namespace, o.ID, o.Revision, c.Plan.EffectID, p.Name)
		s := &Step{
			row:      row{Namespace: o.Namespace, ID: id},
			Original: o.ID, Revision: o.Revision, EffectID: c.Plan.EffectID, Name: p.Name, Number: i + 1, Tool: p.Tool,
			Status: StepPlanned, CreatedAt: now,
		}
		if p.Skipped {
			s.Status = StepSkipped
		} else {
			s.Arguments, s.Approval, approval = p.Arguments, approval, nil
		}
		rows = append(rows, s)
	}
	return rows
}

// again answers a repeat. A compensation that a person gave up is taken up again, with the steps that it had.
func (c *Compensate) again(d *draft, u *Undoing) Decided {
	if u.GivenUp != nil && u.UndoneAt.IsZero() {
		if c.Etag != "" && c.Etag != d.op.Etag() {
			return Decided{Err: etagMismatch("operation", string(d.op.ID)).about(d.op), Changes: d.changes()}
		}
		u.GivenUp, u.Reason = nil, c.Reason
		u.By, u.Person, u.Teams, u.Local = c.Actor.Principal, c.Actor.Person, c.Actor.Teams, c.Actor.Local
		d.event(EventCompensation, 0, "change", "taken up again", "effect_id", u.EffectID, "reason", c.Reason)
		d.reassess(u)
	}
	return c.reply(d, u)
}

func (c *Compensate) reply(d *draft, u *Undoing) Decided {
	reply := &Compensation{Steps: d.steps(u)}
	changes := d.changes()
	reply.Operation, reply.Told = d.op, tellState(d.op, d.now)
	return Decided{Reply: reply, Changes: changes}
}

// SucceededAt is when the operation was known to have happened; zero where it is not.
func (o *Operation) SucceededAt() time.Time {
	if len(o.Undoing) > 0 {
		return o.Undoing[0].SucceededAt
	}
	if o.State != CompletedSuccess {
		return time.Time{}
	}
	return o.EndedAt
}

// giveUp heeds the wish that a compensation goes no further. What is under way is not called back; steps that nobody has
// proposed are not begun, and where nothing was done the operation is a success again.
func (d *draft) giveUp(wish Cancel) {
	o := d.op
	for _, id := range o.StandingEffects() { // one that showed later: it is left to stand
		if o.undoing(id) == nil && !o.leaves(id) {
			u := &o.Undoing[len(o.Undoing)-1]
			u.Leaves = append(slices.Clone(u.Leaves), id)
			d.event(EventCompensation, 0, "change", "left", "effect_id", id, "reason", wish.Reason)
		}
	}
	for i := range o.Undoing {
		u := &o.Undoing[i]
		if !u.underWay() || u.GivenUp != nil {
			continue
		}
		u.GivenUp = &wish
		d.event(EventCompensation, 0, "change", "given up", "effect_id", u.EffectID, "reason", wish.Reason)
		d.reassess(u)
	}
	d.settleUndoing()
}
