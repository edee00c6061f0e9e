package server

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// stamp is the message form of a time; the zero time is absent.
func stamp(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}

// span is the message form of a duration that is absent where it is not positive.
func span(d time.Duration) *durationpb.Duration {
	if d <= 0 {
		return nil
	}
	return durationpb.New(d)
}

func entityOf(e locks.Entity) *pb.Entity {
	if e.IsZero() {
		return nil
	}
	return &pb.Entity{Type: e.Type, Id: e.ID}
}

// nextWorkOf is what its executor is to take up next; nil where nothing is.
func nextWorkOf(o *ledger.Operation) *pb.NextWork {
	w, there := ledger.WorkOf(o)
	if !there {
		return nil
	}
	m := &pb.NextWork{Kind: workKindOf(w.Kind), Time: stamp(w.At)}
	if o.Looking != nil {
		m.Lookups = int32(o.Looking.Tries)
	}
	return m
}

// operationOf is the operation as a reader sees it: without tokens and nonces, and without sensitive values for readers
// that have not the right.
func operationOf(o *ledger.Operation, now time.Time, sensitive bool) *pb.Operation {
	if o == nil {
		return nil
	}
	m := &pb.Operation{
		OperationId: string(o.ID), State: stateOf(o.State), Version: o.Version, Etag: o.Etag(),
		Tool: o.Tool, ToolVersion: int32(o.ToolVersion), ToolClass: classOf(string(o.Terms.Class)), Executor: executorOf(string(o.Terms.Executor)),
		Intent: o.Intent, Entity: entityOf(o.Entity), Occurrence: o.Occurrence,
		IdempotencyKey: string(o.Key), Revision: int32(o.Revision), Fingerprint: string(o.Fingerprint),
		SupersedesOperationId: string(o.Supersedes), SupersededByOperationId: string(o.SupersededBy), ReviseReason: o.ReviseReason,
		WorkflowId: o.WorkflowID, RunId: o.RunID, Proposer: string(o.Proposer), IntentNote: o.IntentNote,
		Correlation: correlationOf(o.Correlation),
		CreateTime:  stamp(o.CreatedAt), UpdateTime: stamp(o.UpdatedAt), StateTime: stamp(o.StateSince), EndTime: stamp(o.EndedAt),
		PresenceSaid:         o.PresenceSaid,
		VendorIdempotencyKey: o.VendorKey, ClientReference: o.ClientReference,
		Result: resultOf(o, ledger.TellState(o, now), sensitive), Failure: failureOf(o.Failure),
		RetryTime: stamp(o.RetryAt), FinishTime: stamp(o.FinishBy), NeedsHuman: humanOf(o.Human),
		NextWork: nextWorkOf(o),
	}
	m.CanonicalArgumentsJson, m.RedactedPointers = argumentsFor(o, sensitive)
	if o.VendorKey != "" && !o.VendorKeySince.IsZero() && o.Terms.Retention > 0 {
		m.VendorKeyExpireTime = stamp(o.VendorKeySince.Add(o.Terms.Retention))
	}
	for _, k := range o.Keys {
		m.Keys = append(m.Keys, &pb.KeyClaim{IdempotencyKey: string(k.Key), Number: int32(k.Number)})
	}
	for _, t := range o.Touches {
		m.Touches = append(m.Touches, entityOf(t))
	}
	for i := range o.Attempts {
		m.Attempts = append(m.Attempts, attemptOf(o, &o.Attempts[i]))
	}
	if live := o.LiveAttempt(); live != nil {
		m.PermitHolder = &pb.Holder{
			OperationId: string(o.ID), AttemptId: string(live.ID), WorkflowId: o.WorkflowID, RunId: live.RunID, Principal: string(live.Principal),
			Since: stamp(live.GrantedAt), Until: stamp(live.Deadline), Remaining: span(live.Deadline.Sub(now)),
			Entity: entityOf(o.Entity), State: stateOf(o.State), Begun: live.Begun(),
		}
	}
	for _, e := range o.Effects {
		m.Effects = append(m.Effects, effectOf(e))
	}
	undoingOf(m, o)
	for i := range o.Evidence {
		m.Evidence = append(m.Evidence, evidenceOf(&o.Evidence[i]))
	}
	for _, in := range o.Incidents {
		m.Incidents = append(m.Incidents, &pb.Incident{Kind: incidentOf(in.Kind), Time: stamp(in.At), Description: in.Detail})
	}
	if o.Cancel != nil {
		m.CancelWish = &pb.CancelWish{Principal: string(o.Cancel.By), Reason: o.Cancel.Reason, Time: stamp(o.Cancel.At)}
	}
	return m
}

// argumentsFor are the canonical arguments for a reader. Sensitive values are in the canonical form by their keyed hash
// alone; they are left out all the same, so that equal values cannot be recognized.
func argumentsFor(o *ledger.Operation, sensitive bool) (text string, redacted []string) {
	if len(o.Sensitive) == 0 || sensitive {
		return string(o.Canonical), nil
	}
	v, faults := canon.Parse(o.Canonical, canon.Limits{})
	if len(faults) > 0 {
		return "", o.Sensitive
	}
	return string(canon.Redact(v, o.Sensitive).Canonical()), o.Sensitive
}

func failureOf(f *ledger.Failure) *pb.Failure {
	if f == nil {
		return nil
	}
	return &pb.Failure{Category: categoryOf(f.Category), Code: f.Code, Message: f.Message}
}

func humanOf(h *ledger.Human) *pb.NeedsHuman {
	if h == nil {
		return nil
	}
	m := &pb.NeedsHuman{Reason: h.Reason, Owner: h.Owner, Since: stamp(h.Since), DueTime: stamp(h.Due), EscalateTo: h.EscalateTo}
	if h.Escalated {
		m.EscalateTime = stamp(h.Due)
	}
	takenBy(m, h.Taken)
	return m
}

func effectOf(e ledger.Effect) *pb.Effect {
	return &pb.Effect{
		Provider: e.Provider, ProviderAccount: e.Account, EffectId: e.EffectID, AttemptNumber: int32(e.Attempt), Time: stamp(e.SeenAt),
	}
}

func fencesOf(fences []ledger.Fence) []*pb.FencingNumber {
	var out []*pb.FencingNumber
	for _, f := range fences {
		out = append(out, &pb.FencingNumber{Entity: entityOf(f.Entity), Scope: f.Scope, Number: f.Number})
	}
	return out
}

// evidenceOf is one kept statement: as it was handed in, or, of a late report, as the report.
func evidenceOf(e *ledger.Evidence) *pb.EvidenceRecord {
	m := &pb.EvidenceRecord{
		Grade: grades[e.Grade], Principal: string(e.By), Time: stamp(e.ReceivedAt), AskTime: stamp(e.AskedAt),
		Explanation: e.Why, AttemptNumber: int32(e.Attempt), Effect: becameOf[e.Effect()],
	}
	statement := &pb.Evidence{EvidenceId: string(e.ID), Verdict: saysOf(e.Says), Note: e.Note, Answer: &pb.ProviderAnswer{EffectId: e.EffectID}}
	switch e.Source {
	case ledger.SourceLookup:
		lookup := &pb.LookupSource{By: lookupByOf(string(e.AskedBy)), Value: e.AskedValue}
		if e.Search {
			lookup.Search = &e.Search
		}
		statement.Source = &pb.Evidence_Lookup{Lookup: lookup}
	case ledger.SourceWebhook:
		statement.Source = &pb.Evidence_Webhook{Webhook: &pb.WebhookSource{Source: e.Sender, EventId: e.EventID}}
	case ledger.SourcePerson:
		statement.Source = &pb.Evidence_Person{Person: &pb.PersonSource{Reason: e.Reason, SeenOperationVersion: e.SeenVersion, Overrule: e.Overrules}}
	default:
		m.Report = keptReportOf(e)
		return m
	}
	m.Evidence = statement
	return m
}

// becameOf names what became of a statement.
var becameOf = map[ledger.Became]pb.EvidenceEffect{
	ledger.BecameApplied: pb.EvidenceEffect_EVIDENCE_EFFECT_APPLIED, ledger.BecameWaiting: pb.EvidenceEffect_EVIDENCE_EFFECT_WAITING,
	ledger.BecameNothing: pb.EvidenceEffect_EVIDENCE_EFFECT_WITHOUT_EFFECT, ledger.BecameContradicts: pb.EvidenceEffect_EVIDENCE_EFFECT_CONTRADICTS,
	ledger.BecameDuplicate: pb.EvidenceEffect_EVIDENCE_EFFECT_DUPLICATE,
}

// resultOf is the normalized result that every answer bears.
func resultOf(o *ledger.Operation, told ledger.Told, sensitive bool) *pb.ToolResult {
	m := &pb.ToolResult{
		OperationId: string(o.ID), Tool: o.Tool, ToolVersion: int32(o.ToolVersion), State: stateOf(o.State),
		DispatchStatus: dispatchStatusOf(o), Provider: o.Terms.Provider, ProviderAccount: o.Terms.Account, Failure: failureOf(o.Failure),
	}
	if r := o.Result; r != nil {
		m.ProviderRequestId, m.ProviderObjectId, m.EffectId = r.ProviderRequestID, r.ProviderObjectID, r.ProviderObjectID
		m.RawStatusCode, m.Grade, m.EffectTime = r.RawStatusCode, grades[r.Grade], stamp(r.EffectAt)
		if len(o.Sensitive) == 0 || sensitive {
			m.ResultJson = string(r.JSON)
		}
		for _, a := range r.Artifacts {
			m.Artifacts = append(m.Artifacts, &pb.Artifact{Name: a.Name, Uri: a.URI, MediaType: a.MediaType, Sha256: a.SHA256})
		}
	}
	if len(o.Effects) > 0 {
		m.EffectId = standingEffect(o)
	}
	if f := o.Failure; f != nil {
		m.RawStatusCode = f.RawStatusCode
		m.ProviderRequestId, m.ProviderObjectId = o.ProviderIDs()
	}
	toldTo(m, told)
	return m
}

// toldTo puts the sentences and the next step into a result.
func toldTo(m *pb.ToolResult, told ledger.Told) {
	m.RetryRecommendation = retryOf(told.Retry, told.NextAction)
	m.NextAction = &pb.NextAction{Kind: nextActionOf(told.NextAction), After: span(told.NextAfter)}
	m.SafeUserMessage, m.ModelMessage = told.SafeUser, told.Model
}

// dispatchStatusOf says what is known of requests that have left.
func dispatchStatusOf(o *ledger.Operation) pb.DispatchStatus {
	answered, open := false, false
	for i := range o.Attempts {
		switch a := &o.Attempts[i]; {
		case a.Verdict == ledger.VerdictEffect, a.Acknowledged, a.Outcome == ledger.OutcomeRejected, a.Outcome == ledger.OutcomeNoop,
			a.Outcome == ledger.OutcomeRateLimited, a.Outcome == ledger.OutcomeDeclined:
			answered = true
		case a.Verdict == ledger.VerdictOpen:
			open = true
		}
	}
	switch {
	case o.Live != 0:
		return pb.DispatchStatus_DISPATCH_STATUS_PERMIT_OUT
	case len(o.Attempts) == 0:
		return pb.DispatchStatus_DISPATCH_STATUS_NOT_DISPATCHED
	case answered, o.State == ledger.CompletedSuccess, o.State == ledger.CompletedNoop:
		return pb.DispatchStatus_DISPATCH_STATUS_ANSWERED
	case open:
		return pb.DispatchStatus_DISPATCH_STATUS_MAY_HAVE_BEEN_SENT
	}
	return pb.DispatchStatus_DISPATCH_STATUS_NOT_SENT
}

// The names under which a correlation is kept with an operation. Labels bear the prefix.
const labelPrefix = "label/"

func correlationFrom(c *pb.Correlation) map[string]string {
	if c == nil {
		return nil
	}
	m := map[string]string{}
	for name, value := range map[string]string{
		"tool_call_id": c.ToolCallId, "thread_id": c.ThreadId, "trace_id": c.TraceId, "turn": c.Turn, "framework": c.Framework,
	} {
		if value != "" {
			m[name] = value
		}
	}
	for name, value := range c.Labels {
		m[labelPrefix+name] = value
	}
	return m
}

func correlationOf(m map[string]string) *pb.Correlation {
	if len(m) == 0 {
		return nil
	}
	c := &pb.Correlation{
		ToolCallId: m["tool_call_id"], ThreadId: m["thread_id"], TraceId: m["trace_id"], Turn: m["turn"], Framework: m["framework"],
	}
	for name, value := range m {
		if len(name) > len(labelPrefix) && name[:len(labelPrefix)] == labelPrefix {
			if c.Labels == nil {
				c.Labels = map[string]string{}
			}
			c.Labels[name[len(labelPrefix):]] = value
		}
	}
	return c
}

func eventOf(e ledger.Event) *pb.OperationEvent {
	return &pb.OperationEvent{
		OperationId: string(e.OperationID), Sequence: e.Sequence, OperationVersion: e.Version, Time: stamp(e.At), Type: eventTypeOf(e.Type),
		FromState: stateOf(e.From), ToState: stateOf(e.To), AttemptNumber: int32(e.Attempt), Principal: string(e.By), Detail: e.Detail,
	}
}
