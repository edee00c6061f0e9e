package server

import (
	"context"
	"errors"
	"fmt"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// maxRecentOperations is how many operations of the entity an approver is shown.
const maxRecentOperations = 20

// shown is an approval as its reader may see it, beside what it is about as that stands now.
func (s *approvalService) shown(ctx context.Context, a *ledger.Approval) (*pb.Approval, error) {
	o, err := s.operation(ctx, string(a.OperationID))
	if err != nil {
		return nil, err
	}
	recent, err := s.recentOperations(ctx, a)
	if err != nil {
		return nil, err
	}
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	m := approvalOf(a)
	m.CanonicalArgumentsJson, m.RedactedPointers = argumentsFor(o, callOf(ctx).sensitive)
	for _, r := range recent {
		m.RecentOperations = append(m.RecentOperations, &pb.RecentOperation{
			OperationId: string(r.ID), Tool: r.Tool, SafeUserMessage: ledger.TellState(r, now).SafeUser, Time: stamp(r.UpdatedAt),
		})
	}
	if m.ChangesSince, err = s.changesSince(ctx, a, o); err != nil {
		return nil, err
	}
	for _, r := range recent {
		if r.CreatedAt.After(a.CreatedAt) {
			m.ChangesSince = append(m.ChangesSince, fmt.Sprintf("The operation %s of %s was made on %s since: %s", r.ID, r.Tool, a.Entity, ledger.TellState(r, now).SafeUser))
		}
	}
	return m, nil
}

// recentOperations are the newest operations of the approval's entity beside its own.
func (s *approvalService) recentOperations(ctx context.Context, a *ledger.Approval) ([]*ledger.Operation, error) {
	if a.Entity.IsZero() {
		return nil, nil
	}
	found, err := s.config.Ledger.Engine().ListOperations(ctx, ledger.OperationQuery{
		Namespace: a.Namespace, Entity: a.Entity.String(), Limit: maxRecentOperations + 1,
	})
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	var recent []*ledger.Operation
	for _, o := range found {
		if o.ID != a.OperationID && len(recent) < maxRecentOperations {
			recent = append(recent, o)
		}
	}
	return recent, nil
}

// changesSince says what is not as it was when persons were asked, each in a sentence.
func (s *approvalService) changesSince(ctx context.Context, a *ledger.Approval, o *ledger.Operation) (changes []string, err error) {
	say := func(format string, args ...any) { changes = append(changes, fmt.Sprintf(format, args...)) }
	config, err := s.tools.inspect(ctx, a.Namespace)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	if t := config.tools[a.Tool]; t != nil {
		if t.head.Version != a.ToolVersion {
			say("The tool %s has version %d by now, and persons were asked under version %d: a yes to this would not count.", a.Tool, t.head.Version, a.ToolVersion)
		}
		if t.head.Disabled {
			say("The tool %s is switched off.", a.Tool)
		}
	}
	if !a.Entity.IsZero() {
		r, err := s.config.Ledger.Engine().GetRecord(ctx, ledger.EntityKey(a.Namespace, a.Entity))
		e, _ := r.(*ledger.Entity)
		switch {
		case errors.Is(err, ledger.ErrNotFound):
		case err != nil:
			return nil, s.statusOf(ctx, err)
		case e.Version != a.EntityVersion:
			say("%s is in the state %q (version %d); it was in the state %q (version %d).", a.Entity, e.State, e.Version, a.EntityState, a.EntityVersion)
		}
	}
	if o.Version > a.OperationVersion+int64(len(a.Words)) { // each word is a version of its own, and is shown by itself
		say("The operation is %s, at version %d; persons were asked at version %d.", o.State, o.Version, a.OperationVersion)
		if f := o.Failure; f != nil && o.StateSince.After(a.CreatedAt) {
			say("It has failed since: %s.", f.Category)
		}
	}
	return changes, nil
}

// approvalOf is what an approval itself says, as a message.
func approvalOf(a *ledger.Approval) *pb.Approval {
	m := &pb.Approval{
		ApprovalId: a.ID, State: enumOf[pb.Approval_State](pb.Approval_State_value, "STATE_", string(a.State)), OperationId: string(a.OperationID),
		OperationVersion: a.OperationVersion, Tool: a.Tool, ToolVersion: int32(a.ToolVersion), Fingerprint: string(a.Fingerprint), Entity: entityOf(a.Entity),
		RuleId: a.Rule, Explanation: a.Because, Warning: a.Need.Warning, RequiredCount: int32(max(a.Need.Count, 1)), Roles: a.Roles,
		Proposer: string(a.Proposer), Requester: a.Requester, CreateTime: stamp(a.CreatedAt), ExpireTime: stamp(a.ExpiresAt), Etag: a.Etag(),
		StandingApprovalId: a.StandingID,
	}
	for _, w := range a.Words {
		m.Decisions = append(m.Decisions, &pb.ApprovalDecision{
			Principal: string(w.Principal), Person: w.Person, Approved: w.Approved, Comment: w.Comment, Time: stamp(w.At), Role: w.Role,
		})
	}
	return m
}
