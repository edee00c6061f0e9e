package ledger

import (
	"cmp"
	"strconv"
	"time"

	"github.com/opledger/opledger/registry"
)

// Report is what an executor says of an attempt.
type Report struct {
	Bearer
	ReportID       EvidenceID
	NonceHash      string // of the accepted begin; empty where none was made
	SenderReturned bool   // the call to the provider has returned: nothing of this attempt can be sent any more
	Outcome        Outcome
	Category       Category      // of a failure or an ambiguity
	Code, Message  string        // the provider's, for people; never secrets
	FinishWithin   time.Duration // of an acknowledgement; zero: the profile's default
	RetryAfter     time.Duration // of rate_limited and declined
	Replayed       bool          // the provider said that it answered from its own idempotency record
	EffectID       string        // the provider's id of what the attempt created or changed
	ObjectID       string        // the provider's id of the object, where the effect is a change of it
	Account        string        // at the provider; empty: the tool's
	RequestRef     string        // the provider's id of the request
	RawStatusCode  string
	ResultJSON     []byte
	Artifacts      []Artifact
	Jitter         float64
}

// Reported is the reply to a report that counted.
type Reported struct {
	Operation *Operation
	Told      Told
	Repeated  bool // the same was reported before: one event
}

// Claims are none: the provider's object is claimed when the operation's provider is known.
func (r *Report) Claims() []Claim { return nil }

// Reads are the operation, its tool's switch and its group.
func (r *Report) Reads(v *View) []Read { return r.reads(v) }

// Decide takes the report as its bearer's word: as the verdict of the live attempt, or, where its permit is lost, as
// evidence that is kept and used.
func (r *Report) Decide(v *View, env Env) Decided {
	o, no := r.attempt(v)
	if no != nil {
		return Decided{Err: no}
	}
	r = r.identified(o)
	d := change(v, env, o, r.Principal, r.Jitter)
	d.tick()
	a := d.op.Attempt(r.AttemptID)
	if seen, stale := r.seenBefore(d.op, a); seen {
		out := d.reported(a, stale)
		if reply, ok := out.Reply.(*Reported); ok {
			reply.Repeated = true
		}
		return out
	}
	stale := !d.awaits(a)
	switch {
	case r.Outcome == OutcomeSucceeded:
		d.succeeded(r, a)
	case r.Outcome == OutcomeAcknowledge:
		d.acknowledged(r, a, stale)
	case !r.speaks(d.op, a), r.Outcome.No() && !r.SenderReturned:
		d.keepReport(r, a, stale, "only the process that began, its sender having returned, can say that nothing happened")
	case r.Outcome.No():
		d.saidNo(r, a, stale)
	default:
		d.ambiguous(r, a, stale)
	}
	return d.reported(a, stale)
}

// speaks reports whether the bearer speaks for the attempt: the process whose begin was accepted, or, where none was
// required, the only one that was given the permit.
func (r *Report) speaks(o *Operation, a *Attempt) bool {
	switch {
	case !o.Terms.Mutates():
		return true // a read has no effect that anybody could speak for
	case o.Terms.BeginRequired:
		return !a.Begun() || a.NonceHash == r.NonceHash
	}
	return !a.HandedAgain
}

// seenBefore finds an earlier arrival of the same report, by its id or by saying the same again, and whether it was
// answered as stale.
func (r *Report) seenBefore(o *Operation, a *Attempt) (seen, stale bool) {
	if a.EarlierReportID != "" && (a.EarlierReportID == r.ReportID || r.Outcome == OutcomeAcknowledge) {
		return true, false
	}
	same := a.Outcome == r.Outcome && a.EffectID == r.EffectID && r.SenderReturned == !a.ReportedAt.IsZero()
	first := a.ReportID != "" && (a.ReportID == r.ReportID || same)
	for i := range o.Evidence {
		if id := o.Evidence[i].ID; id == r.ReportID || first && id == a.ReportID {
			return true, o.Evidence[i].Source == SourceLateReport
		}
	}
	return first, false
}

// awaits reports whether the attempt's report is still awaited: while it is live, or to finish what it acknowledged.
func (d *draft) awaits(a *Attempt) bool {
	return d.op.Live == a.Number || d.op.State == Acknowledged && a.Acknowledged
}

// reported is the reply: the operation as it stands, as a refusal where the permit was lost.
func (d *draft) reported(a *Attempt, stale bool) Decided {
	changes := d.changes()
	if stale {
		no := refuse(CodeFailedPrecondition, ReasonStaleAttempt,
			"attempt %d had lost its permit; what it says was kept as evidence. The operation is %s; send nothing more under it, and propose again to learn the way on", a.Number, d.op.State)
		return Decided{Err: no.about(d.op).with("attempt_id", string(a.ID)), Changes: changes}
	}
	return Decided{Reply: &Reported{Operation: d.op, Told: tellState(d.op, d.now)}, Changes: changes}
}

// note writes the report into its attempt as its first report, which stands.
func (d *draft) note(r *Report, a *Attempt) {
	if a.ReportID != "" {
		a.EarlierReportID = a.ReportID
	}
	a.ReportID, a.Outcome, a.Said = r.ReportID, r.Outcome, nil
	if said := r.said(); said != (Said{}) {
		a.Said = &said
	}
	if r.SenderReturned {
		a.ReportedAt = d.now
	}
	if r.EffectID != "" {
		a.EffectID = r.EffectID
	}
	a.ProviderReplay = a.ProviderReplay || r.Replayed
	d.event(EventReported, a.Number, "outcome", string(r.Outcome), "provider_code", r.Code, "raw_status_code", r.RawStatusCode,
		"effect_id", r.EffectID, "sender_returned", strconv.FormatBool(r.SenderReturned))
}

// keepReport keeps a report that moves nothing.
func (d *draft) keepReport(r *Report, a *Attempt, stale bool, why string) {
	source := SourceCopyReport
	if stale {
		source = SourceLateReport
	}
	e := Evidence{
		ID: r.ReportID, Source: source, Says: r.says(), By: r.Principal, ReceivedAt: d.now, AskedAt: d.now,
		Attempts: a.Number, Attempt: a.Number, EffectID: r.EffectID, Why: why, Report: r.kept(),
	}
	e.Grade = r.grade()
	d.keep(e)
}

// grade: with the provider's own id of an effect or an object it is a receipt, without one a claim.
func (r *Report) grade() Grade {
	if r.EffectID != "" || r.ObjectID != "" {
		return GradeReceipt
	}
	return GradeClaim
}

// kept is the report itself, so that one that moves nothing can still be read.
func (r *Report) kept() *KeptReport {
	return &KeptReport{Outcome: r.Outcome, SenderReturned: r.SenderReturned, Replayed: r.Replayed, Said: r.said()}
}

// said is what the report says beside its outcome.
func (r *Report) said() Said {
	return Said{
		Category: r.Category, Code: r.Code, Message: r.Message, Within: max(r.FinishWithin, r.RetryAfter),
		Account: r.Account, RequestRef: r.RequestRef, ObjectID: first(r.ObjectID, r.EffectID), RawStatusCode: r.RawStatusCode,
	}
}

func (r *Report) says() Says {
	switch {
	case r.Outcome == OutcomeSucceeded:
		return SaysHappened
	case r.Outcome == OutcomeAcknowledge:
		return SaysInProgress
	case r.Outcome.No():
		return SaysNot
	}
	return SaysUnknown
}

// succeeded: the effect exists. It is heard from anyone who bears the token, however late; it is the attempt's own word
// if it bears the accepted nonce too, where a begin was required.
func (d *draft) succeeded(r *Report, a *Attempt) {
	o := d.op
	own := !o.Terms.BeginRequired || a.Begun() && a.NonceHash == r.NonceHash
	late := !d.awaits(a)
	if late || !own {
		d.keepReport(r, a, late, "")
	}
	if !own {
		d.saidToExist("a report without the accepted begin's nonce says that it happened")
		d.finishPermit(r, a)
		d.settle("an effect is said to exist")
		return
	}
	if !d.attribute(a.Number, r.EffectID) {
		if !late {
			d.keepReport(r, a, late, "its object belongs to another operation")
		}
		d.finishPermit(r, a)
		d.settle("the effect belongs to another operation")
		return
	}
	d.effectBeside(a.Number, r.EffectID)
	a.EffectID = first(r.EffectID, a.EffectID)
	d.takeResult(r.result(o, d.now))
	if a.Verdict != VerdictEffect {
		d.detectTwice(a, r)
		a.Verdict, a.VerdictBecause = VerdictEffect, "its own report"
	}
	if a.Outcome == "" || a.Outcome == OutcomeAcknowledge || !late {
		d.note(r, a) // its first, or the end of what the provider took on
	} else {
		a.ProviderReplay = a.ProviderReplay || r.Replayed
		d.event(EventReported, a.Number, "outcome", string(r.Outcome), "effect_id", r.EffectID, "after", string(a.Outcome))
	}
	o.FinishBy = time.Time{}
	if o.Live == a.Number {
		d.endPermit()
	}
	d.settle("attempt " + strconv.FormatInt(a.Number, 10) + " reported that it happened")
}

// finishPermit ends the live permit of a report whose sender has returned.
func (d *draft) finishPermit(r *Report, a *Attempt) {
	if d.op.Live == a.Number && r.SenderReturned && r.speaks(d.op, a) {
		d.note(r, a)
		d.endPermit()
	}
}

// acknowledged: the provider took it on. Timely or late, and whoever says it, this bars "not found" for that attempt for
// ever; the permit ends by the word of one who speaks for the attempt.
func (d *draft) acknowledged(r *Report, a *Attempt, stale bool) {
	o, speaks := d.op, r.speaks(d.op, a)
	d.tookOn(a)
	if a.Outcome == "" && speaks {
		if stale {
			d.keepReport(r, a, stale, "the provider took it on")
		}
		d.note(r, a)
	} else {
		d.keepReport(r, a, stale, "the provider took it on")
	}
	d.takenOnBeside(r.EffectID)
	if !o.effectKnown() {
		d.takeResult(r.result(o, d.now))
	}
	if o.Live == a.Number && speaks {
		d.endPermit()
	}
	d.inProgress(r.FinishWithin)
}

// tookOn marks an attempt as taken on by the provider. Where it counted as without effect it is open again: only a
// terminal statement of the provider, or a person, makes it "did not happen".
func (d *draft) tookOn(a *Attempt) {
	a.Acknowledged = true
	if a.Verdict != VerdictNone || !d.op.Terms.Mutates() {
		return
	}
	a.Verdict, a.VerdictBecause = VerdictOpen, "the provider says that it took it on"
	d.event(EventAttemptReopened, a.Number, "because", a.VerdictBecause)
}

// inProgress puts the operation on the provider's own time, unless more is known already.
func (d *draft) inProgress(within time.Duration) {
	o := d.op
	if o.Live != 0 {
		return
	}
	// A tool without a provider has no profile that could state a time, and what is taken on needs one all the same.
	finishBy := d.now.Add(cmp.Or(max(within, 0), o.Terms.TimeToFinish, registry.TimeToFinish))
	switch {
	case o.PresenceSaid || o.effectKnown():
		d.settle("the provider took it on")
	case o.State == Dispatched, o.State == UnknownOutcome:
		o.FinishBy = finishBy
		if o.ExpectedBy.IsZero() {
			o.ExpectedBy = finishBy
		}
		d.move(Acknowledged, "finish_by", o.FinishBy.Format(time.RFC3339Nano))
	case o.State == Acknowledged:
		if within > 0 && finishBy.After(o.FinishBy) {
			o.FinishBy = finishBy
		}
	case !o.allWithoutEffect():
		d.move(UnknownOutcome, "because", "what counted as not happened was taken on by the provider")
	}
}

// saidNo: the attempt made no effect. Of a lost permit it is the verdict of that attempt only if it never reported.
func (d *draft) saidNo(r *Report, a *Attempt, stale bool) {
	o := d.op
	terminal := r.Outcome == OutcomeRejected || r.Outcome == OutcomeDeclined || r.Outcome == OutcomeNoop
	finishing := a.Acknowledged && terminal
	switch {
	case a.Acknowledged && !terminal && a.Verdict == VerdictOpen:
		d.keepReport(r, a, stale, "the provider took it on: only its last word or a person's makes it \"did not happen\"")
		if o.Live == a.Number {
			a.ReportedAt = d.now
			d.endPermit()
			d.inProgress(0)
		}
		return
	case a.Verdict != VerdictOpen, a.Outcome != "" && !finishing:
		d.keepReport(r, a, stale, "the first report of an attempt stands")
		return
	}
	if stale {
		d.keepReport(r, a, stale, "the verdict of an attempt that had never reported")
	}
	d.note(r, a)
	d.clear(a, "its own report: "+string(r.Outcome))
	if r.Outcome == OutcomeNotSent {
		d.giveBack(a.Number) // nothing of it had left
	}
	d.takeFailure(r, a)
	if o.Live == a.Number {
		d.endPermit()
		d.speakForKey(r, a)
	}
	if o.Live == 0 && (o.State != Acknowledged || finishing) {
		o.FinishBy = time.Time{}
		d.weigh()
		d.settle("attempt " + strconv.FormatInt(a.Number, 10) + " reported " + string(r.Outcome))
	}
}

// speakForKey: where the provider records refusals under the vendor key, its final answer to a request sent after the
// others could still arrive speaks for every attempt under that key.
func (d *draft) speakForKey(r *Report, a *Attempt) {
	o := d.op
	if r.Outcome != OutcomeRejected || !o.Terms.RecordsRefusal || o.VendorKey == "" {
		return
	}
	sent := a.GrantedAt
	if a.Begun() {
		sent = a.BegunAt
	}
	for i := range o.Attempts {
		other := &o.Attempts[i]
		if other.Number == a.Number || other.Verdict != VerdictOpen || other.Acknowledged {
			continue
		}
		if quiet := o.lastMoment(other).Add(o.Terms.StallAllowance + o.Terms.Flight + d.env.ClockError); !sent.Before(quiet) {
			d.clear(other, "the provider's recorded refusal under the same key")
		}
	}
}

// ambiguous: it may have happened. From the sender itself it is the attempt's report; from a layer that gave up waiting
// it ends the permit, but the sender may still send until the deadline.
func (d *draft) ambiguous(r *Report, a *Attempt, stale bool) {
	o := d.op
	if a.Outcome != "" {
		d.keepReport(r, a, stale, "the first report of an attempt stands")
		return
	}
	if stale {
		d.keepReport(r, a, stale, "it is not known whether it happened")
	}
	if r.SenderReturned {
		d.note(r, a)
	} else if !stale {
		d.keepReport(r, a, stale, "the sender has not returned: it may send until its deadline")
	}
	d.takeFailure(r, a)
	if o.Live == a.Number {
		d.endPermit()
	}
	if !o.Terms.Mutates() {
		d.clear(a, becauseRead)
	}
	if o.Live == 0 && o.State != Acknowledged {
		if o.State == Dispatched && o.Terms.ResendsUnderKey() {
			o.RetryAt = d.now.Add(backoff(&o.Terms, len(o.Attempts), d.jitter))
		}
		d.weigh()
		d.settle("attempt " + strconv.FormatInt(a.Number, 10) + " reported an ambiguous outcome")
	}
}

// takeFailure remembers why the newest try failed. What an earlier one says, or what is said after the end, changes
// neither the failure that ended the operation nor the time of its next try.
func (d *draft) takeFailure(r *Report, a *Attempt) {
	switch d.op.State {
	case Dispatched, Acknowledged, UnknownOutcome:
	default:
		return
	}
	if a.Number != int64(len(d.op.Attempts)) {
		return
	}
	if r.Outcome == OutcomeNoop {
		d.takeResult(r.result(d.op, d.now))
		return
	}
	d.op.Failure = r.failure()
	if r.RetryAfter > 0 {
		earliest := d.now.Add(r.RetryAfter)
		spread := backoff(&d.op.Terms, len(d.op.Attempts), d.jitter)
		d.op.RetryAt = earliest.Add(spread)
	}
}

// failure is why the attempt failed, as the report says; its category is the outcome's own where it states none.
func (r *Report) failure() *Failure {
	category := r.Category
	if category == "" {
		category = map[Outcome]Category{
			OutcomeNotSent: CategoryNotSent, OutcomeRejected: CategoryProviderRejected, OutcomeRateLimited: CategoryRateLimited,
			OutcomeDeclined: CategoryProviderError, OutcomeAmbiguous: CategoryTimeout,
		}[r.Outcome]
	}
	return &Failure{
		Category: category, Code: first(r.Code, r.RawStatusCode), Message: r.Message, RawStatusCode: r.RawStatusCode,
		ProviderRequestID: r.RequestRef, ProviderObjectID: first(r.ObjectID, r.EffectID),
	}
}

func (r *Report) result(o *Operation, now time.Time) *Result {
	res := &Result{
		JSON: r.ResultJSON, Provider: o.Terms.Provider, Account: first(r.Account, o.Terms.Account), ProviderRequestID: r.RequestRef,
		ProviderObjectID: first(r.ObjectID, r.EffectID), RawStatusCode: r.RawStatusCode, Artifacts: r.Artifacts, Grade: r.grade(),
	}
	if r.Outcome == OutcomeSucceeded {
		res.EffectAt = now
	}
	return res
}

// takeResult keeps a result. A stronger one, and an earlier one of an effect, stands: a later one fills in what it lacks.
func (d *draft) takeResult(res *Result) {
	old := d.op.Result
	if old == nil {
		d.op.Result = res
		return
	}
	base, more := *res, old
	if old.Grade > res.Grade || old.Grade == res.Grade && !old.EffectAt.IsZero() {
		base, more = *old, res
	}
	base.ProviderRequestID = first(base.ProviderRequestID, more.ProviderRequestID)
	base.ProviderObjectID = first(base.ProviderObjectID, more.ProviderObjectID)
	base.RawStatusCode = first(base.RawStatusCode, more.RawStatusCode)
	if len(base.JSON) == 0 {
		base.JSON = more.JSON
	}
	if len(base.Artifacts) == 0 {
		base.Artifacts = more.Artifacts
	}
	base.EffectAt = old.EffectAt
	if old.EffectAt.IsZero() {
		base.EffectAt = res.EffectAt
	}
	d.op.Result = &base
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
