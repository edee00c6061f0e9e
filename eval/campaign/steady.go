package campaign

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// steadyTries bounds how often one call meets a connection that has just lost its server.
const steadyTries = 20

// steady makes a call again that met the end of a server. A server of a world ends between two calls, never in the middle of
// one: what fails so has not arrived, and is no fault of a run's.
type steady struct{ grpc.ClientConnInterface }

// Invoke makes a unary call.
func (c steady) Invoke(ctx context.Context, method string, request, answer any, options ...grpc.CallOption) error {
	for try := 1; ; try++ {
		err := c.ClientConnInterface.Invoke(ctx, method, request, answer, options...)
		if status.Code(err) != codes.Unavailable || try == steadyTries || ctx.Err() != nil {
			return err
		}
	}
}
