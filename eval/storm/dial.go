//go:build unix

package storm

import (
	"context"
	"time"

	"google.golang.org/grpc"

	"github.com/opledger/opledger/internal/childproc"
)

// callTimeout bounds one call. A server that is frozen meanwhile answers nobody.
const callTimeout = 3 * time.Second

// dialAll connects to the servers of a field. A call waits while none of them takes any: one of them is restarted.
func dialAll(addresses []string) (*grpc.ClientConn, error) {
	return childproc.DialAll(addresses, grpc.WithDefaultCallOptions(grpc.WaitForReady(true)))
}

// within makes one call and gives it the usual time.
func within[Request, Answer any](ctx context.Context, call func(context.Context, *Request, ...grpc.CallOption) (*Answer, error), r *Request) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return call(ctx, r)
}
