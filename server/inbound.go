package server

import (
	"cmp"
	"context"
	"errors"
	"net/textproto"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/ledger"
)

// Inbox is whose events a server takes in. A zero value takes none.
type Inbox struct {
	// Sources are those that hold at the moment: their file is read again while the server runs. Nil: none.
	Sources func() *inbox.Sources
	// Secrets are the places that sources' secrets may stand at.
	Secrets outward.Secrets
	// Deadline bounds one delivery from its first byte to the answer. Zero: DefaultDelivery.
	Deadline time.Duration
}

// DefaultDelivery is how long one delivery may take. Vendors give up after 5 to 30 seconds, and deliver again.
const DefaultDelivery = 10 * time.Second

func (i *Inbox) deadline() time.Duration { return cmp.Or(i.Deadline, DefaultDelivery) }

// source finds a source; nil where there is none.
func (i *Inbox) source(ns ledger.Namespace, name string) *inbox.Source {
	if i.Sources == nil {
		return nil
	}
	return i.Sources().Find(ns, name)
}

// errSecrets says that a source's secrets cannot be read, which is its operator's to mend.
var errSecrets = errors.New("the secrets of a source cannot be read")

// prove checks a delivery's signature, and only then its time, by the database's clock: the one that decides everything
// here, and that no stranger can make a server ask for.
func (s *Server) prove(ctx context.Context, source *inbox.Source, d *inbox.Delivery) (inbox.Proof, error) {
	keys, err := source.Keys(&s.config.Inbox.Secrets)
	if err != nil {
		s.log.ErrorContext(ctx, "the secrets of a webhook source cannot be read", "namespace", string(source.Namespace), "source", source.Name, "error", err)
		return inbox.Proof{}, errSecrets
	}
	proof, err := source.Prove(d, keys)
	if err != nil || proof.SignedAt.IsZero() {
		return proof, err
	}
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return proof, s.statusOf(ctx, err)
	}
	return proof, source.Fresh(proof, now)
}

// takeIn stores an event with all that it causes.
func (s *Server) takeIn(ctx context.Context, by ledger.Principal, source *inbox.Source, e *inbox.Event) (*ledger.EventRecorded, error) {
	return do[ledger.EventRecorded](ctx, s, &ledger.RecordEvent{
		Namespace: source.Namespace, Principal: by, Source: source.Name, EventID: e.ID, EventType: e.Type, Says: e.Says,
		ClientReference: e.ClientReference, VendorKey: e.VendorKey, ObjectID: e.ObjectID, EffectID: e.EffectID,
		EventTime: e.Time, ResultJSON: e.ResultJSON, Digest: e.Digest, NewEvidence: s.ids.evidence(), Jitter: s.ids.jitter(),
	})
}

// RecordInboundEvent takes in an event that a caller hands on, with its source's signature or on the caller's own word.
func (s *workflowService) RecordInboundEvent(ctx context.Context, req *pb.RecordInboundEventRequest) (*pb.RecordInboundEventResponse, error) {
	c := callOf(ctx)
	source := s.config.Inbox.source(c.namespace(), req.Source)
	if source == nil {
		return nil, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, "source",
			"this server has no settings of a source of that name in this namespace, so that the event would mean nothing; name it in the file of --webhook-sources")
	}
	if req.GetDelivery() == nil {
		if err := s.mayVouchFor(ctx, source.Name); err != nil {
			return nil, err
		}
	}
	e, err := s.eventFrom(ctx, source, req)
	if err != nil {
		return nil, err
	}
	r, err := s.takeIn(ctx, c.Principal, source, e)
	if err != nil {
		return nil, err
	}
	m := &pb.RecordInboundEventResponse{Deduplicated: r.Deduplicated, StoreTime: timestamppb.New(r.Event.ReceivedAt)}
	if r.Event.Operation != "" {
		m.OperationIds = []string{string(r.Event.Operation)}
	}
	return m, nil
}

// eventFrom reads the event of a request. What the caller says beside a body goes before what the body says; beside a
// signed delivery it must be the same, since the signature covers the delivery alone.
func (s *Server) eventFrom(ctx context.Context, source *inbox.Source, req *pb.RecordInboundEventRequest) (*inbox.Event, error) {
	d, proof := &inbox.Delivery{Body: []byte(req.GetPayloadJson())}, inbox.Proof{}
	field, signed := "payload_json", req.GetDelivery()
	if signed != nil {
		field = "delivery.body"
		d = &inbox.Delivery{Body: signed.Body, Header: map[string][]string{}}
		for name, value := range signed.Headers {
			d.Header[textproto.CanonicalMIMEHeaderKey(name)] = []string{value}
		}
		var err error
		if proof, err = s.prove(ctx, source, d); err != nil {
			return nil, unproven(err)
		}
	}
	given := req.EventId
	if signed != nil {
		given = ""
	}
	e, err := source.Read(d, proof, given)
	if err != nil {
		return nil, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, field, err.Error())
	}
	if at, bad := s.stated(source, req, e, signed != nil); bad != "" {
		return nil, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, at, bad)
	}
	return e, nil
}

// stated takes what a request says beside the event's body. It answers the field that is wrong, and why.
func (s *Server) stated(source *inbox.Source, req *pb.RecordInboundEventRequest, e *inbox.Event, signed bool) (field, why string) {
	for _, f := range []struct {
		name string
		said string
		at   *string
	}{
		{"event_id", req.EventId, &e.ID}, {"event_type", req.EventType, &e.Type}, {"client_reference", req.ClientReference, &e.ClientReference},
		{"provider_object_id", req.ProviderObjectId, &e.ObjectID}, {"vendor_idempotency_key", req.VendorIdempotencyKey, &e.VendorKey},
	} {
		switch {
		case strings.ContainsRune(f.said, 0):
			return f.name, "it holds U+0000, which no identifier does"
		case f.said == "" || f.said == *f.at:
		case signed:
			return f.name, "the signed delivery says otherwise; leave it out, or hand in the body by payload_json"
		default:
			*f.at = f.said
		}
	}
	if !signed && req.EventType != "" {
		source.Retype(e, req.EventType)
	}
	if req.EventTime != nil && !signed {
		e.Time = req.EventTime.AsTime()
	}
	return "", ""
}

// unproven is the status of a delivery that was not proven. It does not say what is wrong with a signature: whoever may
// know reads the server's settings.
func unproven(err error) error {
	switch {
	case errors.Is(err, inbox.ErrSignature):
		return fail(codes.Unauthenticated, pb.ErrorReason_ERROR_REASON_INVALID_SIGNATURE,
			"the delivery's signature is missing, wrong or too old; check the source's secret, and the clock of whoever signs", nil)
	case errors.Is(err, errSecrets):
		return fail(codes.Unavailable, pb.ErrorReason_ERROR_REASON_INTERNAL,
			"the secrets of the source cannot be read on this server; tell its operators", nil, retryIn(webhookRetry))
	}
	return err
}
