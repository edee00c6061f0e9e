package ledger

import (
	"time"

	"github.com/opledger/opledger/policy"
)

// Bearer identifies one attempt and whether its bearer proved to hold its token. The token itself is checked at the edge,
// in constant time, and never comes here.
type Bearer struct {
	Namespace   Namespace
	Principal   Principal
	OperationID OperationID
	AttemptID   AttemptID
	TokenProven bool
}

// attempt finds the bearer's attempt, or refuses. What belongs to another namespace does not exist.
func (b *Bearer) attempt(v *View) (*Operation, *Refusal) {
	o := v.Operation(b.Namespace, b.OperationID)
	if o == nil {
		return nil, notFound(b.OperationID)
	}
	if o.Attempt(b.AttemptID) == nil {
		return nil, refuse(CodeNotFound, ReasonAttemptNotFound, "operation %s has no attempt %s; use the id that came with the permit", b.OperationID, b.AttemptID)
	}
	if !b.TokenProven {
		return nil, refuse(CodePermissionDenied, ReasonTokenMismatch, "the attempt token is not this attempt's; use the token that came with the permit")
	}
	return o, nil
}

// Held is the reply to a begin or an extension: the permit as it stands.
type Held struct {
	Operation *Operation
	Attempt   Attempt
	Remaining time.Duration // until its deadline
	Greatest  time.Duration // until no extension moves it any more
}

// Begin is said right before the first byte of the effect leaves. It is durable, and bears a nonce born in the memory of
// the sending process: repeated with the same nonce it is one begin, another nonce is refused.
type Begin struct {
	Bearer
	NonceHash string // hex SHA-256
	Epoch     int64  // the configuration epoch that the rules were read at
	Rules     *policy.Set
}

// Claims are none.
func (b *Begin) Claims() []Claim { return nil }

// Reads are the operation, and what it is judged by once more.
func (b *Begin) Reads(v *View) []Read {
	return append(judgedReads(v, b.Namespace, b.OperationID, b.Rules), ReadOf(ReadEpoch, b.Namespace, ""))
}

// Decide accepts the begin, or says why nothing may be sent. No accepted begin, no sending.
func (b *Begin) Decide(v *View, env Env) Decided {
	if epoch := v.Epoch(b.Namespace); epoch != b.Epoch {
		return Decided{Err: &EpochMovedError{Have: b.Epoch, Now: epoch}}
	}
	o, no := b.attempt(v)
	if no != nil {
		return Decided{Err: no}
	}
	d := change(v, env, o, b.Principal, 0)
	d.tick()
	a := d.op.Attempt(b.AttemptID)
	if no := d.holds(a, b.NonceHash); no != nil {
		return Decided{Err: no, Changes: d.changes()}
	}
	if !a.Begun() {
		if no := d.judged("do not send", a, b.Rules); no != nil {
			return Decided{Err: no, Changes: d.changes()}
		}
		a.BegunAt, a.NonceHash = d.now, b.NonceHash
		d.event(EventBegun, a.Number)
		d.spend(a.Number, ApprovalSpent)
	}
	return d.held(a)
}

// holds refuses a begin or an extension of a permit that is lost, or that may not be used any more.
func (d *draft) holds(a *Attempt, nonceHash string) *Refusal {
	o := d.op
	switch {
	case o.Live != a.Number, !d.now.Before(a.Deadline):
		return refuse(CodeFailedPrecondition, ReasonPermitExpired,
			"the permit of attempt %d is lost; do not send. Propose again to learn the way on", a.Number).about(o)
	case !o.heeds() && o.Cancel == nil:
		return refuse(CodeFailedPrecondition, ReasonPermitWithdrawn, "do not send: somebody has said that the effect exists already").about(o)
	case !o.heeds():
		return refuse(CodeFailedPrecondition, ReasonCancelWished, "do not send: the operation is to be cancelled; report not_sent").about(o)
	case !o.Terms.ResendsUnderKey() && o.openBeside(a):
		return refuse(CodeFailedPrecondition, ReasonPermitWithdrawn, "do not send: an earlier attempt may have had the effect after all").about(o)
	case a.Begun() && a.NonceHash != nonceHash:
		return refuse(CodeFailedPrecondition, ReasonNonceMismatch, "another process has begun this attempt; do not send").about(o)
	}
	return nil
}

// judged judges a begin or an extension whole, as the permit was, and refuses as it is told.
func (d *draft) judged(what string, a *Attempt, rules *policy.Set) *Refusal {
	n := d.judge(d.op.askingAgain(a, rules))
	if n == nil {
		return nil
	}
	reason := ReasonPermitWithdrawn
	switch {
	case n.refusal != nil:
		reason = n.refusal.Reason
	case n.rule == policy.RuleToolDisabled, n.rule == policy.RulePaused:
		reason = ReasonToolDisabled
	}
	return refuse(CodeFailedPrecondition, reason, "%s: %s", what, n.because).about(d.op).with("rule", n.rule)
}

// askingAgain is what an attempt is judged by when it is to begin or to be extended.
func (o *Operation) askingAgain(a *Attempt, rules *policy.Set) asking {
	who := Actor{Principal: a.Principal, Person: a.Person, Teams: a.Teams, Local: a.Local}
	q := asking{rules: rules, actor: who, workflowID: a.WorkflowID, runID: a.RunID, attempt: a}
	if o.Terms.Queued() {
		q.actor, q.executor = o.proposer(), &who
	}
	return q
}

func (d *draft) held(a *Attempt) Decided {
	held := &Held{Operation: d.op, Attempt: *a, Remaining: a.Deadline.Sub(d.now), Greatest: a.GreatestEnd.Sub(d.now)}
	return Decided{Reply: held, Changes: d.changes()}
}

// Extend moves the deadline of a live permit (a heartbeat), up to the permit's greatest age.
type Extend struct {
	Bearer
	NonceHash   string // of the accepted begin; empty before one
	Epoch       int64  // the configuration epoch that the rules were read at
	Rules       *policy.Set
	By          time.Duration // from now; zero: the tool's permit duration
	ExtensionID string        // fixed before the first try
}

// Claims are none.
func (e *Extend) Claims() []Claim { return nil }

// Reads are the operation, and what it is judged by once more.
func (e *Extend) Reads(v *View) []Read {
	return append(judgedReads(v, e.Namespace, e.OperationID, e.Rules), ReadOf(ReadEpoch, e.Namespace, ""))
}

// Decide extends the permit. An extension never shortens it.
func (e *Extend) Decide(v *View, env Env) Decided {
	if epoch := v.Epoch(e.Namespace); epoch != e.Epoch {
		return Decided{Err: &EpochMovedError{Have: e.Epoch, Now: epoch}}
	}
	o, no := e.attempt(v)
	if no != nil {
		return Decided{Err: no}
	}
	d := change(v, env, o, e.Principal, 0)
	d.tick()
	a := d.op.Attempt(e.AttemptID)
	if no := d.holds(a, e.NonceHash); no != nil {
		return Decided{Err: no, Changes: d.changes()}
	}
	if a.Extension == e.ExtensionID {
		return d.held(a) // a retry that sees its own write
	}
	if no := d.judged("the permit is not extended", a, e.Rules); no != nil {
		return Decided{Err: no, Changes: d.changes()}
	}
	by := e.By
	if by <= 0 {
		by = o.Terms.PermitDuration
	}
	deadline := d.now.Add(by)
	if deadline.After(a.GreatestEnd) {
		deadline = a.GreatestEnd
	}
	if !a.GreatestEnd.After(a.Deadline) {
		return Decided{Err: refuse(CodeFailedPrecondition, ReasonGreatestAge,
			"the permit of attempt %d has its greatest age and is not extended; report by its deadline", a.Number).about(d.op), Changes: d.changes()}
	}
	if deadline.After(a.Deadline) {
		a.Deadline, a.Extension = deadline, e.ExtensionID
		d.event(EventExtended, a.Number, "deadline", deadline.Format(time.RFC3339Nano))
	}
	return d.held(a)
}
