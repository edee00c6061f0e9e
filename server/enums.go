package server

import (
	"strings"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// The words of the core are the words of the API: a value of an enum is its prefix and the core's word in capitals. Names
// are looked up, and a test holds that every word of the core has its value, so no table of pairs can drift.
func enumOf[E ~int32](values map[string]int32, prefix, word string) E {
	return E(values[prefix+strings.ToUpper(word)])
}

// wordOf is the way back.
func wordOf(name, prefix string) string { return strings.ToLower(strings.TrimPrefix(name, prefix)) }

func stateOf(s ledger.State) pb.Operation_State {
	return enumOf[pb.Operation_State](pb.Operation_State_value, "STATE_", string(s))
}

func stateFrom(s pb.Operation_State) ledger.State { return ledger.State(wordOf(s.String(), "STATE_")) }

func classOf(c string) pb.ToolClass {
	return enumOf[pb.ToolClass](pb.ToolClass_value, "TOOL_CLASS_", c)
}

func workKindOf(k ledger.WorkKind) pb.WorkKind {
	return enumOf[pb.WorkKind](pb.WorkKind_value, "WORK_KIND_", string(k))
}

func executorOf(e string) pb.Executor { return enumOf[pb.Executor](pb.Executor_value, "EXECUTOR_", e) }

func decisionOf(d ledger.DecisionKind) pb.Decision {
	return enumOf[pb.Decision](pb.Decision_value, "DECISION_", string(d))
}

func eventTypeOf(t ledger.EventType) pb.OperationEventType {
	return enumOf[pb.OperationEventType](pb.OperationEventType_value, "OPERATION_EVENT_TYPE_", string(t))
}

func categoryOf(c ledger.Category) pb.FailureCategory {
	return enumOf[pb.FailureCategory](pb.FailureCategory_value, "FAILURE_CATEGORY_", string(c))
}

func verdictOf(v ledger.Verdict) pb.AttemptVerdict {
	return enumOf[pb.AttemptVerdict](pb.AttemptVerdict_value, "ATTEMPT_VERDICT_", string(v))
}

func incidentOf(kind string) pb.IncidentKind {
	return enumOf[pb.IncidentKind](pb.IncidentKind_value, "INCIDENT_KIND_", kind)
}

func nextActionOf(n ledger.NextAction) pb.NextActionKind {
	return enumOf[pb.NextActionKind](pb.NextActionKind_value, "NEXT_ACTION_KIND_", string(n))
}

func reasonOf(r ledger.Reason) pb.ErrorReason {
	return enumOf[pb.ErrorReason](pb.ErrorReason_value, "ERROR_REASON_", string(r))
}

func lookupByOf(word string) pb.LookupBy {
	return enumOf[pb.LookupBy](pb.LookupBy_value, "LOOKUP_BY_", word)
}

// says pairs the verdicts of evidence; the API says "still unknown" where the core says "unknown".
var says = map[pb.Verdict]ledger.Says{
	pb.Verdict_VERDICT_HAPPENED:       ledger.SaysHappened,
	pb.Verdict_VERDICT_IN_PROGRESS:    ledger.SaysInProgress,
	pb.Verdict_VERDICT_DID_NOT_HAPPEN: ledger.SaysNot,
	pb.Verdict_VERDICT_STILL_UNKNOWN:  ledger.SaysUnknown,
}

func saysOf(s ledger.Says) pb.Verdict {
	for v, word := range says {
		if word == s {
			return v
		}
	}
	return pb.Verdict_VERDICT_UNSPECIFIED
}

var grades = map[ledger.Grade]pb.EvidenceGrade{
	ledger.GradeReceipt:      pb.EvidenceGrade_EVIDENCE_GRADE_RECEIPT,
	ledger.GradeLookup:       pb.EvidenceGrade_EVIDENCE_GRADE_LOOKUP,
	ledger.GradeWebhook:      pb.EvidenceGrade_EVIDENCE_GRADE_WEBHOOK,
	ledger.GradeSearch:       pb.EvidenceGrade_EVIDENCE_GRADE_SEARCH,
	ledger.GradePerson:       pb.EvidenceGrade_EVIDENCE_GRADE_PERSON,
	ledger.GradePersonDecree: pb.EvidenceGrade_EVIDENCE_GRADE_PERSON_DECREE,
	ledger.GradeClaim:        pb.EvidenceGrade_EVIDENCE_GRADE_CLAIM,
}

// retryOf turns the core's advice into the API's: a deliberate revision is no retry of this operation.
func retryOf(r ledger.RetryAdvice, next ledger.NextAction) pb.RetryRecommendation {
	switch {
	case next == ledger.NextAskPerson:
		return pb.RetryRecommendation_RETRY_RECOMMENDATION_ASK_PERSON
	case r == ledger.RetryNever, r == ledger.RetryRevise:
		return pb.RetryRecommendation_RETRY_RECOMMENDATION_NO_RETRY
	}
	return pb.RetryRecommendation_RETRY_RECOMMENDATION_PROPOSE_AGAIN
}

// className is the core's name of a class.
func className(c pb.ToolClass) registry.Class {
	return registry.Class(strings.TrimPrefix(c.String(), "TOOL_CLASS_"))
}
