//go:build unix

package storm

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// propose is the life of an agent: it proposes whatever it wants done, and, as callers may always do, proposes it again
// while it does not know.
func (h *hand) propose(ctx context.Context, conn grpc.ClientConnInterface) error {
	api := pb.NewOperationServiceClient(conn)
	if err := h.proposeEach(ctx, api, workerTools); err != nil {
		return err
	}
	if h.post.Hold == Proposed {
		select {
		case <-h.goOn:
		case <-ctx.Done():
			return nil
		}
	}
	if err := h.proposeEach(ctx, api, serverTools); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// proposeEach proposes an operation of each of the tools for each ref.
func (h *hand) proposeEach(ctx context.Context, api pb.OperationServiceClient, tools []string) error {
	for _, ref := range h.post.Refs {
		for _, tool := range tools {
			answer, err := proposeUntilAnswered(ctx, api, tool, ref)
			if err != nil {
				return fmt.Errorf("%s %s: %w", tool, ref, err)
			}
			h.say("proposed", tool, ref, answer.GetResult().GetOperationId())
		}
	}
	return nil
}

// proposeUntilAnswered repeats one proposal with one request id while the ledger cannot be reached.
func proposeUntilAnswered(ctx context.Context, api pb.OperationServiceClient, tool, ref string) (*pb.ProposeOperationResponse, error) {
	request := &pb.ProposeOperationRequest{
		RequestId: uuid.NewString(), Tool: tool, Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: fmt.Sprintf(`{"ref":%q}`, ref)},
	}
	for {
		answer, err := within(ctx, api.ProposeOperation, request)
		if err == nil || !passing(err) {
			return answer, err
		}
		if ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), err)
		}
	}
}

// passing reports whether a call may succeed when it is made again.
func passing(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Aborted, codes.ResourceExhausted, codes.Canceled:
		return true
	}
	return false
}
