package server

import (
	"google.golang.org/protobuf/protoadapt"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// workflowOf is a workflow as a caller sees it. The user's own words are its owner's and for those who may read what is
// sensitive: nobody has marked what is in them.
func (c call) workflowOf(w *ledger.Workflow) *pb.Workflow {
	m := &pb.Workflow{
		WorkflowId: w.ID, State: workflowStateOf(w.State), NormalizedIntent: w.NormalizedIntent, Requester: w.Requester,
		CorrelationKey: w.CorrelationKey, CurrentRunId: w.Current(), CreateTime: stamp(w.CreatedAt), UpdateTime: stamp(w.UpdatedAt),
		EndTime: stamp(w.EndedAt), Labels: w.Labels, Etag: w.Etag(), Principal: string(w.Principal), EndPrincipal: string(w.EndedBy), EndReason: w.EndReason,
		CorrelationWindow: span(w.CorrelationWindow),
	}
	if c.mayReadWords(w) {
		m.UserRequest = w.UserRequest
	}
	for _, a := range w.Events {
		m.SourceEvents = append(m.SourceEvents, sourceEventOf(a))
	}
	for _, f := range w.Flags {
		m.Flags = append(m.Flags, flagOf(f))
	}
	for _, r := range w.Runs {
		m.Runs = append(m.Runs, &pb.WorkflowRun{RunId: r.ID, StartTime: stamp(r.StartedAt), EndTime: stamp(r.EndedAt), Principal: string(r.Principal)})
	}
	if told := w.Conclusion; told != nil {
		m.Conclusion = &pb.Conclusion{}
		if c.mayReadWords(w) {
			m.Conclusion.UserMessage = told.UserMessage
		}
		for _, t := range told.Claims {
			m.Conclusion.Claims = append(m.Conclusion.Claims, &pb.Claim{OperationId: string(t.OperationID), Kind: claimKindOf(t.Kind)})
		}
	}
	return m
}

// mayReadWords reports whether the caller may read what the user asked for and was told.
func (c call) mayReadWords(w *ledger.Workflow) bool { return c.sensitive || c.Principal == w.Principal }

func workflowStateOf(s ledger.WorkflowState) pb.Workflow_State {
	return enumOf[pb.Workflow_State](pb.Workflow_State_value, "STATE_", string(s))
}

func claimKindOf(k ledger.ClaimedKind) pb.ClaimKind {
	return enumOf[pb.ClaimKind](pb.ClaimKind_value, "CLAIM_KIND_", string(k))
}

func claimKindFrom(k pb.ClaimKind) ledger.ClaimedKind {
	return ledger.ClaimedKind(wordOf(k.String(), "CLAIM_KIND_"))
}

func sourceEventOf(a ledger.Arrival) *pb.SourceEvent {
	if a == (ledger.Arrival{}) {
		return nil
	}
	return &pb.SourceEvent{Source: a.Source, EventId: a.EventID, Time: stamp(a.Time)}
}

func flagOf(f ledger.IntentFlag) *pb.IntentFlag {
	return &pb.IntentFlag{SourceEvent: sourceEventOf(f.Event), NormalizedIntent: f.NormalizedIntent, WorkflowId: f.WorkflowID}
}

func unitedOf(u *ledger.United) *pb.UnitedWith {
	switch {
	case u == nil:
		return nil
	case u.Event != nil:
		return &pb.UnitedWith{By: &pb.UnitedWith_SourceEvent{SourceEvent: sourceEventOf(*u.Event)}}
	case u.WorkflowID != "":
		return &pb.UnitedWith{By: &pb.UnitedWith_WorkflowId{WorkflowId: u.WorkflowID}}
	}
	return &pb.UnitedWith{By: &pb.UnitedWith_CorrelationKey{CorrelationKey: u.CorrelationKey}}
}

// contradictionsOf are the details of a conclusion that the ledger contradicts.
func contradictionsOf(list []ledger.Contradiction) []protoadapt.MessageV1 {
	var details []protoadapt.MessageV1
	for _, c := range list {
		details = append(details, &pb.ClaimConflictDetail{
			OperationId: string(c.Operation.ID), State: stateOf(c.Operation.State), SafeUserMessage: c.Told.SafeUser,
		})
	}
	return details
}

// conclusionFrom is what the user was told; nil where nothing was.
func conclusionFrom(m *pb.Conclusion) *ledger.Conclusion {
	if m == nil {
		return nil
	}
	told := &ledger.Conclusion{UserMessage: m.UserMessage}
	for _, c := range m.Claims {
		told.Claims = append(told.Claims, ledger.ToldUser{OperationID: ledger.OperationID(c.OperationId), Kind: claimKindFrom(c.Kind)})
	}
	return told
}
