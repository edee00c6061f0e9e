package server

import (
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

func attemptOf(o *ledger.Operation, a *ledger.Attempt) *pb.Attempt {
	m := &pb.Attempt{
		AttemptId: string(a.ID), AttemptNumber: int32(a.Number), Principal: string(a.Principal), RunId: a.RunID,
		GrantTime: stamp(a.GrantedAt), DeadlineTime: stamp(a.Deadline), GreatestDeadlineTime: stamp(a.GreatestEnd),
		Live: o.Live == a.Number, Resend: a.Resend, HandedAgain: a.HandedAgain, FencingNumbers: fencesOf(a.Fences),
		BeginTime: stamp(a.BegunAt), EndTime: stamp(a.EndedAt), Acknowledged: a.Acknowledged,
		Verdict: verdictOf(a.Verdict), VerdictReason: a.VerdictBecause, EffectId: a.EffectID,
	}
	if a.ReportID != "" {
		m.Report = &pb.AttemptReport{ReportId: string(a.ReportID), Time: stamp(a.ReportedAt), SenderReturned: !a.ReportedAt.IsZero()}
		setAnswer(m.Report, a.EffectID, a.ProviderReplay, a.Said)
		setOutcome(m.Report, a.Outcome, a.Said)
	}
	return m
}

// keptReportOf is a report that came late, or from somebody who does not speak for its attempt, as it was made.
func keptReportOf(e *ledger.Evidence) *pb.AttemptReport {
	m := &pb.AttemptReport{ReportId: string(e.ID), Time: stamp(e.ReceivedAt)}
	k := e.Report
	if k == nil { // it was kept by an earlier release
		setAnswer(m, e.EffectID, false, nil)
		return m
	}
	m.SenderReturned = k.SenderReturned
	setAnswer(m, e.EffectID, k.Replayed, &k.Said)
	setOutcome(m, k.Outcome, &k.Said)
	return m
}

// setAnswer says what the provider answered and the executor wrote beside it.
func setAnswer(m *pb.AttemptReport, effectID string, replayed bool, said *ledger.Said) {
	m.Answer = &pb.ProviderAnswer{EffectId: effectID}
	if replayed {
		m.Answer.ProviderReplayed = &replayed
	}
	if said == nil {
		return
	}
	m.Message = said.Message
	m.Answer.ProviderRequestId, m.Answer.ProviderObjectId = said.RequestRef, said.ObjectID
	m.Answer.ProviderAccount, m.Answer.RawStatusCode = said.Account, said.RawStatusCode
}

// setOutcome says which outcome was reported, with its particulars.
func setOutcome(m *pb.AttemptReport, o ledger.Outcome, said *ledger.Said) {
	if said == nil {
		said = &ledger.Said{}
	}
	switch o {
	case ledger.OutcomeSucceeded:
		m.Outcome = &pb.AttemptReport_Succeeded{Succeeded: &pb.OutcomeSucceeded{}}
	case ledger.OutcomeNoop:
		m.Outcome = &pb.AttemptReport_Noop{Noop: &pb.OutcomeNoop{}}
	case ledger.OutcomeAcknowledge:
		m.Outcome = &pb.AttemptReport_Acknowledged{Acknowledged: &pb.OutcomeAcknowledged{FinishBy: span(said.Within)}}
	case ledger.OutcomeNotSent:
		m.Outcome = &pb.AttemptReport_NotSent{NotSent: &pb.OutcomeNotSent{Code: said.Code}}
	case ledger.OutcomeRejected:
		m.Outcome = &pb.AttemptReport_Rejected{Rejected: &pb.OutcomeRejected{Code: said.Code}}
	case ledger.OutcomeRateLimited:
		m.Outcome = &pb.AttemptReport_RateLimited{RateLimited: &pb.OutcomeRateLimited{RetryAfter: span(said.Within)}}
	case ledger.OutcomeDeclined:
		m.Outcome = &pb.AttemptReport_Declined{Declined: &pb.OutcomeDeclined{Code: said.Code, RetryAfter: span(said.Within)}}
	case ledger.OutcomeAmbiguous:
		m.Outcome = &pb.AttemptReport_Ambiguous{Ambiguous: &pb.OutcomeAmbiguous{Kind: ambiguityOf(said.Category)}}
	}
}

// ambiguityOf is why an outcome cannot be told, as its report said.
func ambiguityOf(c ledger.Category) pb.AmbiguityKind {
	for kind, category := range ambiguities {
		if category == c {
			return kind
		}
	}
	return pb.AmbiguityKind_AMBIGUITY_KIND_UNSPECIFIED
}
