package server

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// ticketLife is how long a lookup ticket is worth using: an older question says less than a fresh one. It is advice; the
// ledger weighs a ticket by its own time.
const ticketLife = 10 * time.Minute

// answerOf is the answer to a proposal as a message. The permit is present only where the caller may act.
func (s *Server) answerOf(c call, a *ledger.Answer, tool *toolVersion) *pb.ProposeOperationResponse {
	m := &pb.ProposeOperationResponse{Decision: decisionOf(a.Decision), IgnoredDifferences: a.IgnoredDifferences}
	if a.RetryAfter > 0 {
		m.RetryAfter = durationpb.New(a.RetryAfter)
	}
	if a.Rule != "" {
		m.DecidedBy = decidedBy(a, tool.compiled.Definition.Name)
	}
	for i := range a.Verdicts {
		if v := &a.Verdicts[i]; v.Shadow && v.Outcome != policy.Pass {
			m.ShadowVerdicts = append(m.ShadowVerdicts, ruleVerdictOf(v, tool.compiled.Definition.Name))
		}
	}
	o := a.Operation
	switch {
	case o == nil:
		m.Result = &pb.ToolResult{Tool: tool.compiled.Definition.Name, ToolVersion: int32(tool.compiled.Definition.Version)}
		toldTo(m.Result, a.Told)
	default:
		m.Result = resultOf(o, a.Told, c.sensitive)
		m.Result.Replayed = a.Decision == ledger.DecisionReplayed
		m.Revision, m.OperationVersion = int32(o.Revision), o.Version
	}
	if a.Holder != nil {
		m.Holder = holderOf(a.Holder, a.At)
	}
	if e := a.Earlier; e != nil {
		m.Earlier = &pb.EarlierOperation{OperationId: string(e.ID), Tool: e.Tool, State: stateOf(e.State)}
		if e.Result != nil {
			m.Earlier.EffectTime = stamp(e.Result.EffectAt)
		}
		if a.RetryAfter > 0 {
			m.Earlier.Until = stamp(a.At.Add(a.RetryAfter))
		}
	}
	if len(a.Approvals) > 0 {
		m.Approval = approvalRefOf(a.Approvals[0])
	}
	if e := a.Stale; e != nil {
		m.EntityChange = &pb.EntityChange{Entity: entityOf(e.Entity), StatedVersion: e.Stated, CurrentVersion: e.Current, CurrentState: e.State}
		if e.ChangedBy != "" {
			m.EntityChange.OperationIds = []string{string(e.ChangedBy)}
		}
	}
	if a.Lookup != nil && o != nil {
		m.Lookup = lookupOf(a.Lookup, o)
	}
	if a.Successor != "" {
		m.Successor = &pb.SuccessorPointer{OperationId: string(a.Successor)}
	}
	if a.Permit != nil {
		m.Permit = s.permitOf(c, a.Permit, o)
	}
	return m
}

// decidedBy is the verdict that decided: a rule's own, or a built-in one.
func decidedBy(a *ledger.Answer, tool string) *pb.RuleVerdict {
	for i := range a.Verdicts {
		if v := &a.Verdicts[i]; v.Rule == a.Rule && v.Stands() {
			return ruleVerdictOf(v, tool)
		}
	}
	return &pb.RuleVerdict{RuleId: a.Rule, Decision: decisionOf(a.Decision), Explanation: a.Because}
}

// approvalRefOf is the approval that is waited for.
func approvalRefOf(a *ledger.Approval) *pb.ApprovalReference {
	return &pb.ApprovalReference{
		ApprovalId: a.ID, RequiredCount: int32(max(a.Need.Count, 1)), ApprovedCount: int32(a.Approved()), Roles: a.Roles, ExpireTime: stamp(a.ExpiresAt),
	}
}

// permitOf is the right to act, as a message. Its token is made here, and is nowhere else.
func (s *Server) permitOf(c call, p *ledger.Permit, o *ledger.Operation) *pb.Permit {
	m := &pb.Permit{
		OperationId: string(o.ID), AttemptId: string(p.Attempt.ID), AttemptNumber: int32(p.Attempt.Number),
		AttemptToken: s.tokens.attempt(o.Namespace, o.ID, p.Attempt.ID),
		Remaining:    durationpb.New(p.Remaining), GreatestRemaining: durationpb.New(p.GreatestAge), BeginRequired: p.BeginRequired,
		FencingNumbers: fencesOf(p.Attempt.Fences), VendorIdempotencyKey: p.VendorKey, ClientReference: p.ClientReference,
		DispatchArgumentsJson: string(p.Arguments), Tool: o.Tool, ToolVersion: int32(o.ToolVersion),
		Provider: o.Terms.Provider, ProviderAccount: o.Terms.Account, Resend: p.Attempt.Resend,
	}
	if t := s.tools.version(o.Namespace, o.Tool, o.ToolVersion); t != nil {
		m.VendorKeyHeader = t.compiled.Definition.Provider.VendorKey.Header
		m.VendorKeyBodyField = t.compiled.Definition.Provider.VendorKey.BodyField
	}
	return m
}

func holderOf(h *ledger.Holder, now time.Time) *pb.Holder {
	m := &pb.Holder{
		OperationId: string(h.OperationID), AttemptId: string(h.AttemptID), WorkflowId: h.WorkflowID, RunId: h.RunID,
		Principal: string(h.Principal), Since: stamp(h.Since), Until: stamp(h.Until), Entity: entityOf(h.Entity), Scope: h.Scope,
		State: stateOf(h.State), Begun: h.Begun,
	}
	if !h.Until.IsZero() && !now.IsZero() {
		m.Remaining = span(h.Until.Sub(now))
	}
	return m
}

// lookupOf is the invitation to look, with a question for each way that has something to ask by.
func lookupOf(l *ledger.Lookup, o *ledger.Operation) *pb.LookupInstruction {
	m := &pb.LookupInstruction{
		LookupTicket: l.Ticket, Provider: o.Terms.Provider, ProviderAccount: o.Terms.Account,
		NotFoundCountsAfter: durationpb.New(l.CountsAfter), TicketRemaining: durationpb.New(ticketLife),
	}
	values := map[string]string{
		"VENDOR_KEY": l.VendorKey, "CLIENT_REFERENCE": l.ClientReference,
		"PROVIDER_REQUEST_ID": l.ProviderRequestID, "OBJECT_ID": l.ProviderObjectID,
	}
	for _, way := range l.Ways {
		if value := values[string(way.By)]; value != "" {
			m.Questions = append(m.Questions, &pb.LookupQuestion{By: lookupByOf(string(way.By)), Value: value, Search: way.Search, How: way.Description})
		}
	}
	return m
}
