package server_test

import (
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// methods are all methods of the API that answer once.
func methods(t *testing.T) map[string]protoreflect.MethodDescriptor {
	t.Helper()
	all := map[string]protoreflect.MethodDescriptor{}
	protoregistry.GlobalFiles.RangeFilesByPackage("opledger.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			s := f.Services().Get(i)
			for j := range s.Methods().Len() {
				m := s.Methods().Get(j)
				all["/"+string(s.FullName())+"/"+string(m.Name())] = m
			}
		}
		return true
	})
	if len(all) < 40 {
		t.Fatalf("only %d methods were found", len(all))
	}
	return all
}

// invoke calls a method with an empty request.
func invoke(t *testing.T, c *servertest.Client, name string, m protoreflect.MethodDescriptor) error {
	t.Helper()
	in, out := dynamicpb.NewMessage(m.Input()), dynamicpb.NewMessage(m.Output())
	if !m.IsStreamingServer() && !m.IsStreamingClient() {
		return c.Conn.Invoke(t.Context(), name, in, out)
	}
	stream, err := c.Conn.NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true, ClientStreams: m.IsStreamingClient()}, name)
	if err == nil {
		err = stream.SendMsg(in)
	}
	if err == nil {
		err = stream.CloseSend()
	}
	if err == nil {
		err = stream.RecvMsg(out)
	}
	return err
}

// TestEveryMethodIsGuarded calls every method of the API with every right, with none, and without a credential.
func TestEveryMethodIsGuarded(t *testing.T) {
	people := newPeople(t, "shop nobody webhook", "shop boss propose,execute,read,administer,webhook")
	w := servertest.SQLite(t)
	anyone, local := w.Serve(servertest.WithCallers(people)), w.Serve()
	nobody, stranger := anyone.As(people.token("nobody")), anyone.As("opl_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	later := 0
	for name, m := range methods(t) {
		t.Run(name, func(t *testing.T) {
			refused(t, invoke(t, anyone, name, m), codes.Unauthenticated, "UNAUTHENTICATED")
			refused(t, invoke(t, stranger, name, m), codes.Unauthenticated, "UNAUTHENTICATED")
			// Whoever holds every right gets as far as the rules of the request.
			err := invoke(t, local, name, m)
			switch status.Code(err) {
			case codes.Unimplemented:
				later++
				refused(t, err, codes.Unimplemented, "UNIMPLEMENTED_IN_THIS_RELEASE")
				return
			case codes.OK, codes.InvalidArgument:
			default:
				t.Fatalf("with every right: %v", err)
			}
			if name == pb.OperationService_Reconcile_FullMethodName || name == pb.WorkflowService_RecordInboundEvent_FullMethodName {
				return // which take events from who hands them in
			}
			refused(t, invoke(t, nobody, name, m), codes.PermissionDenied, "PERMISSION_DENIED")
		})
	}
	if later > 0 {
		t.Errorf("%d methods are answered as if a later release built them", later)
	}
}

// TestRolesAreApart: whoever acts does not settle, and whoever settles does not act.
func TestRolesAreApart(t *testing.T) {
	people := newPeople(t, "shop agent propose,execute,read", "shop ann resolve,read ann@example.com", "shop events webhook", "shop admin administer")
	w := servertest.SQLite(t)
	anyone := w.Serve(servertest.WithCallers(people))
	agent, ann, events := anyone.As(people.token("agent")), anyone.As(people.token("ann")), anyone.As(people.token("events"))
	anyone.As(people.token("admin")).Apply(fieldTools)

	_, err := ann.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", capture))
	refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
	_, err = agent.TryApply(fieldTool(t, "order.get"))
	refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")

	p := agent.Execute("payment.capture", capture)
	agent.Reported(p, servertest.Ambiguous())
	version := agent.Operation(p.OperationId).Version
	sources := map[string]*pb.Evidence{
		"person":  {Source: &pb.Evidence_Person{Person: &pb.PersonSource{SeenOperationVersion: version, Reason: "I saw it"}}},
		"webhook": {Source: &pb.Evidence_Webhook{Webhook: &pb.WebhookSource{Source: "acme-pay", EventId: "evt_1"}}},
		"lookup":  {Source: &pb.Evidence_Lookup{Lookup: &pb.LookupSource{By: pb.LookupBy_LOOKUP_BY_VENDOR_KEY, Value: p.VendorIdempotencyKey}}},
	}
	for who, c := range map[string]*servertest.Client{"person": ann, "webhook": events, "lookup": agent} {
		for kind, e := range sources {
			e.EvidenceId, e.Verdict = uuid.NewString(), pb.Verdict_VERDICT_STILL_UNKNOWN
			_, err := c.Reconcile(t.Context(), &pb.ReconcileRequest{OperationId: p.OperationId, RequestId: uuid.NewString(), Evidence: e})
			if kind == who {
				if err != nil {
					t.Errorf("%s may bring its own evidence: %v", who, err)
				}
				continue
			}
			refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
		}
	}
}

// TestForwardedCallsNeedCredentials: what came through a proxy was not made on this machine.
func TestForwardedCallsNeedCredentials(t *testing.T) {
	c := serve(servertest.SQLite(t))
	for _, header := range []string{"x-forwarded-for", "forwarded", "via", "x-real-ip"} {
		ctx := metadata.AppendToOutgoingContext(t.Context(), header, "203.0.113.7")
		_, err := c.ProposeOperation(ctx, servertest.Proposal("payment.capture", capture))
		refused(t, err, codes.Unauthenticated, "UNAUTHENTICATED")
	}
	ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer opl_x")
	_, err := c.ProposeOperation(ctx, servertest.Proposal("payment.capture", capture))
	refused(t, err, codes.Unauthenticated, "UNAUTHENTICATED")
}
