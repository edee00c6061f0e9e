package server

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/notify"
)

// GetSubscription reads one subscription.
func (s *notificationService) GetSubscription(ctx context.Context, req *pb.GetSubscriptionRequest) (*pb.GetSubscriptionResponse, error) {
	found, err := s.config.Ledger.Engine().GetRecord(ctx, ledger.SubscriptionKey(callOf(ctx).namespace(), req.SubscriptionId))
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return nil, s.statusOf(ctx, err)
	}
	stored, _ := found.(*ledger.Subscription)
	if stored == nil || !stored.EndedAt.IsZero() {
		return nil, fail(codes.NotFound, pb.ErrorReason_ERROR_REASON_SUBSCRIPTION_NOT_FOUND,
			"there is no subscription "+req.SubscriptionId+" in this namespace; list the subscriptions", nil)
	}
	m, err := s.subscriptionOf(ctx, stored)
	return &pb.GetSubscriptionResponse{Subscription: m}, err
}

// ListSubscriptions lists subscriptions by id.
func (s *notificationService) ListSubscriptions(ctx context.Context, req *pb.ListSubscriptionsRequest) (*pb.ListSubscriptionsResponse, error) {
	q := ledger.RecordQuery{Kind: ledger.RecordSubscription, Namespace: callOf(ctx).namespace()}
	kind := noticeKindFrom(req.Kind)
	wanted := func(r *ledger.Subscription) bool {
		if !r.EndedAt.IsZero() || req.Paused != nil && *req.Paused != r.Paused() {
			return false
		}
		terms, err := notify.DecodeTerms(r.Definition)
		return req.Kind == pb.NotificationKind_NOTIFICATION_KIND_UNSPECIFIED || err == nil && slices.Contains(terms.Kinds, kind)
	}
	found, next, err := listRecords(ctx, s.Server, req, q, req.PageSize, wanted)
	if err != nil {
		return nil, err
	}
	m := &pb.ListSubscriptionsResponse{NextPageToken: next}
	for _, stored := range found {
		one, err := s.subscriptionOf(ctx, stored)
		if err != nil {
			return nil, err
		}
		m.Subscriptions = append(m.Subscriptions, one)
	}
	return m, nil
}

// ListDeliveries lists what was sent to subscriptions, the newest first. What is due and was never tried is not there yet.
func (s *notificationService) ListDeliveries(ctx context.Context, req *pb.ListDeliveriesRequest) (*pb.ListDeliveriesResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	l := &deliveryList{req: req, size: pageSize(req.PageSize, DefaultPageSize), page: &pb.ListDeliveriesResponse{}, last: token}
	q := ledger.RecordQuery{
		Kind: ledger.RecordNotice, Namespace: callOf(ctx).namespace(), Subject: req.OperationId, Descending: true, After: token.Time, Limit: l.size + 1,
	}
	// The page before may have ended in the middle of a notice.
	var within string
	q.AfterID, within, _ = strings.Cut(token.ID, withinNotice)
	if within != "" {
		n, err := s.config.Ledger.Engine().GetRecord(ctx, ledger.NoticeKey(q.Namespace, q.AfterID))
		if errors.Is(err, ledger.ErrNotFound) {
			return nil, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_PAGE_TOKEN, "page_token", "this is no page token of this list; begin again without one")
		}
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		if l.add(n.(*ledger.Notice), within) {
			return l.page, nil
		}
	}
	for range maxLooks {
		found, err := s.config.Ledger.Engine().ListRecords(ctx, q)
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		for _, r := range found {
			n := r.(*ledger.Notice)
			if q.After, q.AfterID = n.At, n.ID; l.add(n, "") {
				return l.page, nil
			}
		}
		if len(found) < q.Limit {
			return l.page, nil
		}
	}
	l.page.NextPageToken = pageToken{Time: q.After, ID: q.AfterID, Filter: token.Filter}.String()
	return l.page, nil
}

// withinNotice parts the notice and the subscription at which a page of deliveries ended. No id has it.
const withinNotice = "/"

// deliveryList is one page of deliveries in the making.
type deliveryList struct {
	req  *pb.ListDeliveriesRequest
	size int
	page *pb.ListDeliveriesResponse
	last pageToken // of the last delivery that is in the page
}

// add takes in the deliveries of a notice that the request asks for, in the order of their subscriptions and after the
// named one, and reports whether the page is full and more follows.
func (l *deliveryList) add(n *ledger.Notice, after string) (full bool) {
	for _, subscription := range slices.Sorted(maps.Keys(n.Tries)) {
		if subscription <= after || l.req.SubscriptionId != "" && l.req.SubscriptionId != subscription {
			continue
		}
		m := deliveryOf(n, subscription)
		if len(l.req.States) > 0 && !slices.Contains(l.req.States, m.State) {
			continue
		}
		if len(l.page.Deliveries) == l.size {
			l.page.NextPageToken = l.last.String()
			return true
		}
		l.page.Deliveries = append(l.page.Deliveries, m)
		l.last.Time, l.last.ID = n.At, n.ID+withinNotice+subscription
	}
	return false
}
