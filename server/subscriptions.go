package server

import (
	"context"
	"fmt"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/notify"
)

// maxSubscriptions bounds those of a namespace that hold: each notice is held against every one of them. The bound is
// looked at before and not in the transaction, so that calls at the same time can pass it by their number.
const maxSubscriptions = 100

// CreateSubscription subscribes an address to events.
func (s *notificationService) CreateSubscription(ctx context.Context, req *pb.CreateSubscriptionRequest) (*pb.CreateSubscriptionResponse, error) {
	terms, err := s.subscriptionTerms(callOf(ctx).namespace(), req.Terms)
	if err != nil {
		return nil, err
	}
	who := callOf(ctx)
	id := s.tokens.requestedID("sub_", who, req.RequestId)
	if err := s.roomForSubscription(ctx, id); err != nil {
		return nil, err
	}
	kept, err := do[ledger.SubscriptionKept](ctx, s.Server, &ledger.CreateSubscription{
		Request: requestOf(who, req), ID: id, Definition: terms.Encode(), Kinds: terms.Kinds, Paused: terms.Paused,
	})
	if err != nil {
		return nil, err
	}
	m, err := s.subscriptionOf(ctx, kept.Subscription)
	return &pb.CreateSubscriptionResponse{Subscription: m}, err
}

// UpdateSubscription replaces the terms of a subscription.
func (s *notificationService) UpdateSubscription(ctx context.Context, req *pb.UpdateSubscriptionRequest) (*pb.UpdateSubscriptionResponse, error) {
	terms, err := s.subscriptionTerms(callOf(ctx).namespace(), req.Terms)
	if err != nil {
		return nil, err
	}
	kept, err := do[ledger.SubscriptionKept](ctx, s.Server, &ledger.UpdateSubscription{
		Request: requestOf(callOf(ctx), req), ID: req.SubscriptionId, Definition: terms.Encode(), Kinds: terms.Kinds, Paused: terms.Paused, Etag: req.Etag,
	})
	if err != nil {
		return nil, err
	}
	m, err := s.subscriptionOf(ctx, kept.Subscription)
	return &pb.UpdateSubscriptionResponse{Subscription: m}, err
}

// DeleteSubscription ends a subscription. Deliveries that are under way may still arrive.
func (s *notificationService) DeleteSubscription(ctx context.Context, req *pb.DeleteSubscriptionRequest) (*pb.DeleteSubscriptionResponse, error) {
	_, err := do[ledger.SubscriptionKept](ctx, s.Server, &ledger.DeleteSubscription{
		Request: requestOf(callOf(ctx), req), ID: req.SubscriptionId, Etag: req.Etag,
	})
	if err != nil {
		return nil, err
	}
	return &pb.DeleteSubscriptionResponse{}, nil
}

// subscriptionTerms reads terms and holds them to what the operator allows: one violation for each fault.
func (s *Server) subscriptionTerms(ns ledger.Namespace, m *pb.SubscriptionTerms) (*notify.Terms, error) {
	if err := refuseUnknown(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, "terms", m); err != nil {
		return nil, err
	}
	for _, kind := range m.Kinds {
		if !notify.Told(noticeKindFrom(kind)) {
			return nil, fail(codes.Unimplemented, pb.ErrorReason_ERROR_REASON_UNIMPLEMENTED_IN_THIS_RELEASE,
				fmt.Sprintf("this release does not tell of %s yet; subscribe to the other kinds", wordOf(kind.String(), "NOTIFICATION_KIND_")), nil)
		}
	}
	terms := termsOfSubscription(m)
	faults := s.config.Notify.Check(ns, terms)
	if m.SigningSecret.GetPrefix() != "" || m.PreviousSigningSecret.GetPrefix() != "" {
		faults = append(faults, notify.Fault{Path: "signing_secret.prefix", Message: "a secret that signs has nothing before it"})
	}
	if len(faults) == 0 {
		return terms, nil
	}
	bad := &errdetails.BadRequest{}
	for _, f := range faults {
		bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{Field: "terms." + f.Path, Description: f.Message})
	}
	first := bad.FieldViolations[0]
	return nil, fail(codes.InvalidArgument, pb.ErrorReason_ERROR_REASON_INVALID_REQUEST,
		"this server cannot send by these terms: "+first.Field+": "+first.Description, nil, bad)
}

// roomForSubscription refuses one more subscription than a namespace may have.
func (s *Server) roomForSubscription(ctx context.Context, id string) error {
	held := 0
	q := ledger.RecordQuery{Kind: ledger.RecordSubscription, Namespace: callOf(ctx).namespace(), Limit: maxSubscriptions}
	for {
		found, err := s.config.Ledger.Engine().ListRecords(ctx, q)
		if err != nil {
			return s.statusOf(ctx, err)
		}
		for _, r := range found {
			have := r.(*ledger.Subscription)
			q.After, q.AfterID = have.Index().At, have.ID
			if have.ID == id {
				return nil // this request's own
			}
			if have.EndedAt.IsZero() {
				held++
			}
		}
		switch {
		case held >= maxSubscriptions:
			return invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, "terms",
				fmt.Sprintf("the namespace has %d subscriptions, which is as many as there may be; end one first", held))
		case len(found) < q.Limit:
			return nil
		}
	}
}
