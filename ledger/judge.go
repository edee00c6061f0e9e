package ledger

import (
	"fmt"
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// asking is who asks for a permit, a begin or an extension, and by which configuration it is judged.
type asking struct {
	rules *policy.Set
	actor Actor // about whom the rules are asked
	// executor is who carries it out where that is another: a worker, or the server. The ledger then acts for the
	// workflow, whose lease needs no token; nil: the actor itself does.
	executor   *Actor
	workerID   string
	workflowID string
	runID      string
	proof      *LeaseProof
	// attempt is the one that is to begin or to be extended; nil: a new permit is asked for.
	attempt *Attempt
	// grants are the override grants that the proposal names, checked, by the rule that each lets pass.
	grants map[string]*Grant
}

// carrier is who carries the operation out.
func (q *asking) carrier() Actor {
	if q.executor != nil {
		return *q.executor
	}
	return q.actor
}

// no is a "no" about now. It never becomes the answer of a key.
type no struct {
	decision DecisionKind
	rule     string
	because  string
	wait     time.Duration
	holder   *Holder      // who stands in the way
	earlier  OperationID  // the operation that suppresses or excludes
	stale    *EntityStale // the entity is not what the proposal was reasoned from
	// refusal is an error of the caller's rather than a decision: it proves no lease where it must.
	refusal *Refusal
	// wanted are the approvals that nobody has been asked for yet, and asked those that are waited for.
	wanted []policy.Verdict
	asked  []*Approval
	// passing: it says only that there is no room at this moment, so that no decision is recorded of it.
	passing bool
}

// judge asks whether anything stands against a permit, a begin or an extension of this operation now. It is the whole
// judgement: switches, the workflow, rules, the entity's version, approvals, leases and groups, in the order of the contract. What was
// said by the rules stays in the draft, for the record.
func (d *draft) judge(q asking) *no {
	if n := d.judgeSwitches(q); n != nil {
		return n
	}
	if n := d.judgeWorkflow(q); n != nil {
		return n
	}
	asks, n := d.judgeRules(q)
	if n != nil {
		return n
	}
	if n := d.judgeVersion(); n != nil {
		return n
	}
	if n := d.judgeApprovals(q, d.asksToUndo(asks)); n != nil {
		return n
	}
	if n := d.judgeLeases(q); n != nil {
		return n
	}
	if n := d.judgeGroup(); n != nil {
		return n
	}
	if q.attempt != nil || d.op.Terms.Queued() && q.executor == nil {
		return nil // it is out already, or none is given yet
	}
	return d.judgeRoom()
}

// judgeSwitches asks what no rule can let pass: an effect that is said to exist, a lifted hold, a switch.
func (d *draft) judgeSwitches(q asking) *no {
	o := d.op
	if other := d.relativeWithEffect(); other != nil {
		return &no{decision: DecisionDenied, rule: policy.RuleEffectSaid, because: "the effect is said to exist under another revision, operation " + string(other.ID)}
	}
	if l := o.Lifted; l != nil {
		return &no{decision: DecisionDenied, rule: policy.RuleLifted, because: "a permitted person has let others pass this operation: " + l.Reason}
	}
	if head, _ := d.view.Tool(o.Namespace, o.Tool); head.Disabled {
		because := fmt.Sprintf("the tool %s is switched off", o.Tool)
		if head.Reason != "" {
			because += ": " + head.Reason
		}
		return &no{decision: DecisionDenied, rule: policy.RuleToolDisabled, because: because}
	}
	if because, paused := q.rules.Paused(o.Tool); paused {
		return &no{decision: DecisionDenied, rule: policy.RulePaused, because: because}
	}
	return nil
}

// judgeRules asks every rule of the namespace and the tool. It answers those that ask for persons.
func (d *draft) judgeRules(q asking) (asks []policy.Verdict, n *no) {
	c, err := d.bind(q)
	if err != nil {
		return nil, &no{decision: DecisionDenied, rule: "policy", because: "the rules cannot be asked: " + err.Error()}
	}
	if c.Empty() {
		return nil, nil
	}
	d.verdicts = c.Judge(d.world(c, q))
	for i := range d.verdicts {
		v := &d.verdicts[i]
		if v.GrantID != "" {
			d.useGrant(q.grants[v.Rule], v)
		}
		switch {
		case !v.Stands():
		case v.Outcome == policy.Ask:
			asks = append(asks, *v)
		case n == nil:
			n = &no{decision: DecisionKind(v.Outcome), rule: v.Rule, because: v.Because, wait: v.RetryAfter, earlier: OperationID(v.Earlier)}
		}
	}
	return asks, n
}

// bind gives the rules the operation's facts.
func (d *draft) bind(q asking) (*policy.Case, error) {
	if d.bound != nil {
		return d.bound, nil
	}
	c, err := q.rules.For(d.op.facts(q))
	if err != nil {
		return nil, err
	}
	d.bound = c
	return c, nil
}

// facts are what rules know of the operation. Its own words about itself are not among them.
func (o *Operation) facts(q asking) policy.Facts {
	return policy.Facts{
		Tool: o.Tool, OperationID: string(o.ID), Root: o.root(), Revision: o.Revision, Key: string(o.Key),
		Fingerprint: string(o.Fingerprint), Occurrence: o.Occurrence, Intent: o.Intent, Entity: o.Entity, Touches: o.Touches,
		Canonical: o.Canonical, Principal: string(q.actor.Principal), Person: q.actor.Person, Roles: q.actor.Teams,
		AnyRole: q.actor.Local, WorkflowID: q.workflowID, RunID: q.runID,
	}
}

// world is what the rules read beside the facts.
func (d *draft) world(c *policy.Case, q asking) policy.World {
	w := policy.World{Now: d.now, Recheck: !d.created, Overridden: map[string]string{}}
	for rule, grant := range d.op.Overrides {
		w.Overridden[rule] = grant
	}
	for rule, grant := range q.grants {
		w.Overridden[rule] = grant.ID
	}
	if c.ReadsEntity() && !d.op.Entity.IsZero() {
		e, _ := drafted[Entity](d, EntityKey(d.op.Namespace, d.op.Entity))
		w.Entity, w.EntityVersion = e.EntityState, e.Version-1
	}
	if ids := c.Histories(); len(ids) > 0 {
		w.Histories = map[string]policy.History{}
		for _, id := range ids {
			w.Histories[id] = d.history(id).History
		}
	}
	return w
}

// EntityStale says that an entity is not what a proposal was reasoned from.
type EntityStale struct {
	Entity  locks.Entity
	Stated  int64
	Current int64
	State   string
	// ChangedBy is the operation that changed it last; empty: it was set from outside.
	ChangedBy OperationID
}

// judgeVersion holds the entity against the version that the newest proposal was reasoned from.
func (d *draft) judgeVersion() *no {
	o := d.op
	if o.EntityVersion == nil || o.Entity.IsZero() {
		return nil
	}
	e, _ := recordOf[Entity](d.view, EntityKey(o.Namespace, o.Entity))
	if e.Version == *o.EntityVersion {
		return nil
	}
	return &no{
		decision: DecisionDenied, rule: policy.RuleEntityVersion,
		because: fmt.Sprintf("the proposal was reasoned from version %d of %s, which is at version %d by now; read it again and reason anew", *o.EntityVersion, o.Entity, e.Version),
		stale:   &EntityStale{Entity: o.Entity, Stated: *o.EntityVersion, Current: e.Version, State: e.State, ChangedBy: OperationID(e.OperationID)},
	}
}

// judgeGroup asks whether another operation of the exclusive group is open on the entity. A new one is also kept back by
// one that waits for approval, whether or not it would need an approval itself: a person is deciding about that entity,
// and a smaller call of the same kind is how a model would talk its way round the decision.
func (d *draft) judgeGroup() *no {
	ref, grouped := d.op.GroupRef()
	if !grouped {
		return nil
	}
	scope := d.scope(ref)
	if holder, asking := scope.Asking(string(d.op.ID)); asking && d.created {
		return d.blockedBy(holder, ref, fmt.Sprintf("operation %s of the exclusive %s on %s waits for approval; nobody is asked twice, and nothing goes past it", holder.OperationID, ref.Name, ref.Entity))
	}
	holder, blocked := scope.Blocker(string(d.op.ID))
	if !blocked {
		return nil
	}
	return d.blockedBy(holder, ref, fmt.Sprintf("operation %s is open in the exclusive %s on %s", holder.OperationID, ref.Name, ref.Entity))
}

// blockedBy describes the operation that stands in the way.
func (d *draft) blockedBy(holder locks.Holder, ref locks.Ref, because string) *no {
	h := &Holder{OperationID: OperationID(holder.OperationID), WorkflowID: holder.WorkflowID}
	if o := d.view.Operation(d.op.Namespace, h.OperationID); o != nil {
		h = holderOf(o)
	}
	h.Since, h.Entity, h.Scope = holder.Since, ref.Entity, ref.Name
	n := &no{decision: DecisionBlocked, rule: policy.RuleExclusiveGroup, because: because, holder: h}
	if !h.Until.IsZero() {
		n.wait = max(0, h.Until.Sub(d.now))
	}
	return n
}
