package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// CreateStandingApproval approves operations ahead. Its terms are checked against the tool as it is now, and kept only
// while that configuration holds. When it returns, it holds everywhere.
func (s *approvalService) CreateStandingApproval(ctx context.Context, req *pb.CreateStandingApprovalRequest) (*pb.CreateStandingApprovalResponse, error) {
	who, terms := callOf(ctx), termsFrom(req.Terms)
	if !who.MayTool(terms.Tool) {
		return nil, who.unreached(terms.Tool)
	}
	for try := 0; ; try++ {
		config, err := s.tools.inspect(ctx, who.namespace())
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		if err := standingFaults(config, terms); err != nil {
			return nil, err
		}
		reply, err := s.config.Ledger.Do(ctx, &ledger.CreateStanding{
			Namespace: who.namespace(), Giver: who.actor(), ID: s.tokens.requestedID("sap_", who, req.RequestId), Epoch: config.epoch,
			Terms: terms, ExpiresAfter: req.ExpiresAfter.AsDuration(), Reason: req.Reason,
		})
		var moved *ledger.EpochMovedError
		if errors.As(err, &moved) && try < maxRebuilds {
			continue
		}
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		kept := reply.(*ledger.StandingKept).Standing
		return &pb.CreateStandingApprovalResponse{StandingApproval: standingOf(kept)}, s.holdsEverywhere(ctx)
	}
}

// standingFaults refuses terms that do not fit their tool: one violation for each.
func standingFaults(config *configuration, terms policy.StandingTerms) error {
	problems := policy.CheckStanding(config.parts, terms)
	if len(problems) == 0 && terms.AmountPointer != "" && terms.Currency == "" {
		// Whatever can be held against a currency is money, and 30 is not the same in every one.
		priced := terms
		priced.Currency = "XXX"
		if len(policy.CheckStanding(config.parts, priced)) == 0 {
			problems = []policy.Problem{{Path: "currency", Code: policy.CodeRequired, Message: "The amount is money; say in which currency it is bounded."}}
		}
	}
	if len(problems) == 0 {
		return nil
	}
	bad := &errdetails.BadRequest{}
	for _, p := range problems {
		bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{
			Field: "terms." + p.Path, Description: placed(p), Reason: string(p.Code),
		})
	}
	first := bad.FieldViolations[0]
	return fail(codes.InvalidArgument, pb.ErrorReason_ERROR_REASON_INVALID_REQUEST,
		fmt.Sprintf("these bounds do not fit the tool %s: %s: %s", terms.Tool, first.Field, first.Description), nil, bad)
}

// GetStandingApproval reads one standing approval.
func (s *approvalService) GetStandingApproval(ctx context.Context, req *pb.GetStandingApprovalRequest) (*pb.GetStandingApprovalResponse, error) {
	found, err := s.record(ctx, ledger.StandingKey(callOf(ctx).namespace(), req.StandingApprovalId), "standing approval "+req.StandingApprovalId)
	if err != nil {
		return nil, err
	}
	return &pb.GetStandingApprovalResponse{StandingApproval: standingOf(found.(*ledger.Standing))}, nil
}

// ListStandingApprovals lists standing approvals, the newest first.
func (s *approvalService) ListStandingApprovals(ctx context.Context, req *pb.ListStandingApprovalsRequest) (*pb.ListStandingApprovalsResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	q := ledger.RecordQuery{Kind: ledger.RecordStanding, Tool: req.Tool, Descending: true}
	m := &pb.ListStandingApprovalsResponse{}
	m.NextPageToken, err = s.scanRecords(ctx, token, pageSize(req.PageSize, DefaultPageSize), q, func(r ledger.Record) bool {
		given := r.(*ledger.Standing)
		if req.Usable != nil && *req.Usable != given.Usable(now) {
			return false
		}
		m.StandingApprovals = append(m.StandingApprovals, standingOf(given))
		return true
	})
	return m, err
}

// RevokeStandingApproval ends a standing approval. When it returns, nothing is approved by it any more.
func (s *approvalService) RevokeStandingApproval(ctx context.Context, req *pb.RevokeStandingApprovalRequest) (*pb.RevokeStandingApprovalResponse, error) {
	who := callOf(ctx)
	reply, err := do[ledger.StandingKept](ctx, s.Server, &ledger.RevokeStanding{
		Namespace: who.namespace(), Principal: who.Principal, ID: req.StandingApprovalId, Reason: req.Reason, Etag: req.Etag,
	})
	if err != nil {
		return nil, err
	}
	return &pb.RevokeStandingApprovalResponse{StandingApproval: standingOf(reply.Standing)}, s.holdsEverywhere(ctx)
}

func termsFrom(m *pb.StandingApprovalTerms) policy.StandingTerms {
	return policy.StandingTerms{
		Tool: m.GetTool(), MaxCount: int64(m.GetMaxCount()), AmountPointer: m.GetAmountPointer(), MaxAmount: m.MaxAmount, MaxSum: m.MaxSum,
		Currency: m.GetCurrency(), EntityType: m.GetEntity().GetType(), EntityID: m.GetEntity().GetId(), When: strings.TrimSpace(m.GetWhen()),
		Proposer: m.GetProposer(), WorkflowID: m.GetWorkflowId(),
	}
}

func standingOf(s *ledger.Standing) *pb.StandingApproval {
	t := &s.Terms
	m := &pb.StandingApproval{
		StandingApprovalId: s.ID, GivenBy: t.GivenBy, CreateTime: stamp(s.CreatedAt), ExpireTime: stamp(t.ExpiresAt), UsedCount: int32(s.UsedCount),
		RevokeTime: stamp(s.RevokedAt), Etag: s.Etag(),
		Terms: &pb.StandingApprovalTerms{
			Tool: t.Tool, MaxCount: int32(t.MaxCount), AmountPointer: t.AmountPointer, MaxAmount: t.MaxAmount, MaxSum: t.MaxSum,
			Currency: t.Currency, When: t.When, Proposer: t.Proposer, WorkflowId: t.WorkflowID,
		},
	}
	if t.MaxSum != nil {
		m.UsedSum = s.UsedSum
	}
	if t.EntityType != "" {
		m.Terms.Entity = &pb.Entity{Type: t.EntityType, Id: t.EntityID}
	}
	for _, id := range s.Operations {
		m.OperationIds = append(m.OperationIds, string(id))
	}
	return m
}
