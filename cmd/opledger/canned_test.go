package main

import (
	"context"
	"net"
	"path"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// canned answers calls with fixed messages and keeps what it was asked, so that a test can say exactly what a command
// line sends and how an answer is shown. What a server does with it is tested against a real one.
type canned struct {
	address  string
	replies  map[string]proto.Message
	failures map[string]error // what methods fail with instead

	mu    sync.Mutex
	asked map[string][]proto.Message
}

// answering starts a server on loopback that answers the named methods.
func answering(t *testing.T, replies map[string]proto.Message) *canned {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &canned{address: listener.Addr().String(), replies: replies, asked: map[string][]proto.Message{}}
	s := grpc.NewServer(grpc.UnaryInterceptor(c.answer))
	pb.RegisterOperationServiceServer(s, pb.UnimplementedOperationServiceServer{})
	pb.RegisterRegistryServiceServer(s, pb.UnimplementedRegistryServiceServer{})
	pb.RegisterLeaseServiceServer(s, pb.UnimplementedLeaseServiceServer{})
	pb.RegisterEntityServiceServer(s, pb.UnimplementedEntityServiceServer{})
	pb.RegisterPolicyServiceServer(s, pb.UnimplementedPolicyServiceServer{})
	pb.RegisterApprovalServiceServer(s, pb.UnimplementedApprovalServiceServer{})
	pb.RegisterNotificationServiceServer(s, pb.UnimplementedNotificationServiceServer{})
	pb.RegisterWorkflowServiceServer(s, pb.UnimplementedWorkflowServiceServer{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(listener)
	}()
	t.Cleanup(func() { s.Stop(); <-done })
	return c
}

func (c *canned) answer(_ context.Context, req any, info *grpc.UnaryServerInfo, _ grpc.UnaryHandler) (any, error) {
	method := path.Base(info.FullMethod)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[method] = append(c.asked[method], req.(proto.Message))
	if err := c.failures[method]; err != nil {
		return nil, err
	}
	if reply, ok := c.replies[method]; ok {
		return reply, nil
	}
	return nil, status.Error(codes.Unimplemented, method+" was not expected")
}

// request is the only request of a method.
func request[M proto.Message](t *testing.T, c *canned, method string) M {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.asked[method]) != 1 {
		t.Fatalf("%s was called %d times", method, len(c.asked[method]))
	}
	return c.asked[method][0].(M)
}

// calls is how often a method was called.
func (c *canned) calls(method string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.asked[method])
}

// at runs a command line against the server.
func (c *canned) at(t *testing.T, in string, args ...string) result {
	t.Helper()
	return doWith(t, in, append(args, "--server", c.address)...)
}

// ok runs a command line against the server that must succeed.
func (c *canned) ok(t *testing.T, args ...string) string {
	t.Helper()
	got := c.at(t, "", args...)
	if got.status != exitOK {
		t.Fatalf("opledger %v: %+v", args, got)
	}
	return got.out
}

// same compares messages but for their request ids, which have to be there and are new each time.
func same(t *testing.T, got, want proto.Message) {
	t.Helper()
	got = proto.Clone(got)
	if field := got.ProtoReflect().Descriptor().Fields().ByName("request_id"); field != nil {
		if got.ProtoReflect().Get(field).String() == "" {
			t.Errorf("%T has no request id", got)
		}
		got.ProtoReflect().Clear(field)
	}
	if !proto.Equal(got, want) {
		t.Errorf("asked\n%v\nnot\n%v", got, want)
	}
}
