package server

import (
	"context"
	"fmt"
	"net/http"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/notify"
)

func noticeKindOf(k ledger.NoticeKind) pb.NotificationKind {
	return enumOf[pb.NotificationKind](pb.NotificationKind_value, "NOTIFICATION_KIND_", string(k))
}

func noticeKindFrom(k pb.NotificationKind) ledger.NoticeKind {
	return ledger.NoticeKind(wordOf(k.String(), "NOTIFICATION_KIND_"))
}

func termsOfSubscription(m *pb.SubscriptionTerms) *notify.Terms {
	t := &notify.Terms{
		Tools: m.Tools, Owner: m.Owner, URL: m.Url, Secret: secretFrom(m.SigningSecret), Description: m.Description, Paused: m.Paused,
	}
	for _, k := range m.Kinds {
		t.Kinds = append(t.Kinds, noticeKindFrom(k))
	}
	for _, s := range m.EndStates {
		t.EndStates = append(t.EndStates, stateFrom(s))
	}
	if m.PreviousSigningSecret != nil {
		t.Previous = new(secretFrom(m.PreviousSigningSecret))
	}
	return t
}

func secretFrom(m *pb.SecretRef) notify.SecretRef {
	return notify.SecretRef{Environment: m.GetEnvironment(), File: m.GetFile()}
}

func secretOf(r notify.SecretRef) *pb.SecretRef {
	if r.Environment != "" {
		return &pb.SecretRef{Place: &pb.SecretRef_Environment{Environment: r.Environment}}
	}
	return &pb.SecretRef{Place: &pb.SecretRef_File{File: r.File}}
}

// subscriptionOf is a subscription as a message.
func (s *Server) subscriptionOf(ctx context.Context, stored *ledger.Subscription) (*pb.Subscription, error) {
	t, err := notify.DecodeTerms(stored.Definition)
	if err != nil {
		return nil, s.statusOf(ctx, fmt.Errorf("the terms of %s: %w", stored.ID, err))
	}
	terms := &pb.SubscriptionTerms{
		Tools: t.Tools, Owner: t.Owner, Url: t.URL, SigningSecret: secretOf(t.Secret), Description: t.Description, Paused: t.Paused,
	}
	for _, k := range t.Kinds {
		terms.Kinds = append(terms.Kinds, noticeKindOf(k))
	}
	for _, state := range t.EndStates {
		terms.EndStates = append(terms.EndStates, stateOf(state))
	}
	if t.Previous != nil {
		terms.PreviousSigningSecret = secretOf(*t.Previous)
	}
	return &pb.Subscription{
		SubscriptionId: stored.ID, Terms: terms, Principal: string(stored.CreatedBy), CreateTime: stamp(stored.CreatedAt),
		UpdateTime: stamp(stored.UpdatedAt), Etag: stored.Etag(), FailuresInARow: int32(stored.Failures),
	}, nil
}

// deliveryOf is how telling one subscription of a notice stands.
func deliveryOf(n *ledger.Notice, subscription string) *pb.Delivery {
	t := n.Tries[subscription]
	m := &pb.Delivery{
		DeliveryId: notify.DeliveryID(n.Namespace, n.ID, subscription), SubscriptionId: subscription, Kind: noticeKindOf(n.NoticeKind),
		OperationId: string(n.OperationID), OperationVersion: n.OperationVersion, ApprovalId: n.ApprovalID, WorkflowId: n.Detail["workflow_id"], State: deliveryStateOf(t),
		Tries: int32(t.Count), LastAnswer: t.Fault, CreateTime: stamp(n.At), NextTryTime: stamp(t.NextAt),
	}
	if m.LastAnswer == "" && t.Status > 0 {
		m.LastAnswer = fmt.Sprintf("%d %s", t.Status, http.StatusText(t.Status))
	}
	return m
}

func deliveryStateOf(t ledger.Tried) pb.Delivery_State {
	switch {
	case t.Delivered:
		return pb.Delivery_STATE_DELIVERED
	case t.GivenUp:
		return pb.Delivery_STATE_FAILED
	}
	return pb.Delivery_STATE_WAITING
}
