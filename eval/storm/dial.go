//go:build unix

package storm

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
)

// callTimeout bounds one call. A server that is frozen meanwhile answers nobody.
const callTimeout = 3 * time.Second

// dialAll connects to several servers as through a load balancer: each call goes to the next of those that take any.
func dialAll(addresses []string) (*grpc.ClientConn, error) {
	servers := manual.NewBuilderWithScheme("storm")
	state := resolver.State{}
	for _, a := range addresses {
		state.Addresses = append(state.Addresses, resolver.Address{Addr: a})
	}
	servers.InitialState(state)
	quick := backoff.Config{BaseDelay: 5 * time.Millisecond, Multiplier: 1.5, Jitter: 0.2, MaxDelay: 100 * time.Millisecond}
	return grpc.NewClient("storm:///servers", grpc.WithResolvers(servers), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin": {}}]}`),
		grpc.WithDefaultCallOptions(grpc.WaitForReady(true)),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: quick, MinConnectTimeout: time.Second}))
}

// within makes one call and gives it the usual time.
func within[Request, Answer any](ctx context.Context, call func(context.Context, *Request, ...grpc.CallOption) (*Answer, error), r *Request) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return call(ctx, r)
}
