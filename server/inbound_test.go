package server_test

import (
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// TestRecordInboundEvent: by gRPC an event comes on a trusted caller's word or with its signature.
func TestRecordInboundEvent(t *testing.T) {
	w := servertest.SQLite(t)
	people := newPeople(t, "default hooks webhook", "default agent propose,execute,read", "default admin administer")
	anyone := w.Serve(withInbox(t), servertest.WithCallers(people))
	anyone.As(people.token("admin")).ApplyDefinition(hookedCapture(t))
	agent := anyone.As(people.token("agent"))
	hooks := pb.NewWorkflowServiceClient(anyone.As(people.token("hooks")).Conn)
	v := newVendor(t, w)
	p := agent.Execute("payment.capture", capture)

	request := func(id string, more ...func(*pb.RecordInboundEventRequest)) *pb.RecordInboundEventRequest {
		r := &pb.RecordInboundEventRequest{
			Source: "acme-pay", EventId: id, EventType: "charge.pending", ClientReference: p.ClientReference,
			Payload: &pb.RecordInboundEventRequest_PayloadJson{PayloadJson: `{}`},
		}
		for _, m := range more {
			m(r)
		}
		return r
	}
	m, err := hooks.RecordInboundEvent(t.Context(), request("evt_1", func(r *pb.RecordInboundEventRequest) { r.EventTime = timestamppb.New(v.now()) }))
	if err != nil || m.Deduplicated || len(m.OperationIds) != 1 || m.OperationIds[0] != p.OperationId || m.StoreTime == nil {
		t.Fatalf("%v %v", m, err)
	}
	again, err := hooks.RecordInboundEvent(t.Context(), request("evt_1"))
	if err != nil || !again.Deduplicated || again.OperationIds[0] != p.OperationId || !again.StoreTime.AsTime().Equal(m.StoreTime.AsTime()) {
		t.Fatalf("%v %v", again, err)
	}
	body := chargeEvent("evt_2", "charge.succeeded", "ch_1", p.ClientReference, v.now())
	delivery := func(headers map[string]string) func(*pb.RecordInboundEventRequest) {
		return func(r *pb.RecordInboundEventRequest) {
			r.EventType, r.ClientReference = "", ""
			r.Payload = &pb.RecordInboundEventRequest_Delivery{Delivery: &pb.SignedDelivery{Body: body, Headers: headers}}
		}
	}
	signed := map[string]string{"stripe-signature": v.signature(body, v.now())}
	if m, err := hooks.RecordInboundEvent(t.Context(), request("evt_2", delivery(signed))); err != nil || m.Deduplicated {
		t.Fatalf("%v %v", m, err)
	}
	if o := agent.Operation(p.OperationId); len(o.Effects) != 1 || len(o.Evidence) != 2 {
		t.Fatalf("effects %v, evidence %v", o.Effects, o.Evidence)
	}

	for name, tc := range map[string]struct {
		request *pb.RecordInboundEventRequest
		code    codes.Code
		reason  string
		field   string
	}{
		"an empty source":   {request("evt_3", func(r *pb.RecordInboundEventRequest) { r.Source = "" }), codes.InvalidArgument, "INVALID_REQUEST", "source"},
		"an empty event id": {request(""), codes.InvalidArgument, "INVALID_REQUEST", "event_id"},
		"an unknown source": {request("evt_3", func(r *pb.RecordInboundEventRequest) { r.Source = "nobody" }), codes.InvalidArgument, "INVALID_REQUEST", "source"},
		"no payload":        {request("evt_3", func(r *pb.RecordInboundEventRequest) { r.Payload = nil }), codes.InvalidArgument, "INVALID_REQUEST", "payload"},
		"a payload of no JSON": {request("evt_3", func(r *pb.RecordInboundEventRequest) {
			r.Payload = &pb.RecordInboundEventRequest_PayloadJson{PayloadJson: "<xml>"}
		}), codes.InvalidArgument, "INVALID_REQUEST", "payload_json"},
		"a zero byte":              {request("evt\x003"), codes.InvalidArgument, "INVALID_REQUEST", "event_id"},
		"a bad signature":          {request("evt_3", delivery(map[string]string{"stripe-signature": "t=1,v1=00"})), codes.Unauthenticated, "INVALID_SIGNATURE", ""},
		"no signature":             {request("evt_3", delivery(nil)), codes.Unauthenticated, "INVALID_SIGNATURE", ""},
		"an old signature":         {request("evt_3", delivery(map[string]string{"stripe-signature": v.signature(body, v.now().Add(-time.Hour))})), codes.Unauthenticated, "INVALID_SIGNATURE", ""},
		"another id than signed":   {request("evt_3", delivery(signed)), codes.InvalidArgument, "INVALID_REQUEST", "event_id"},
		"another type than signed": {request("evt_2", delivery(signed), func(r *pb.RecordInboundEventRequest) { r.EventType = "charge.failed" }), codes.InvalidArgument, "INVALID_REQUEST", "event_type"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := hooks.RecordInboundEvent(t.Context(), tc.request)
			refused(t, err, tc.code, tc.reason)
			if fields := servertest.Violations(err); tc.field != "" && (len(fields) != 1 || fields[0] != tc.field) {
				t.Fatalf("it names the fields %q, want %s", fields, tc.field)
			}
		})
	}
	_, err = pb.NewWorkflowServiceClient(agent.Conn).RecordInboundEvent(t.Context(), request("evt_4"))
	refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
}
