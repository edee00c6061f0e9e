package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// bearing is what every call about one attempt bears.
type bearing interface {
	GetOperationId() string
	GetAttemptId() string
	GetAttemptToken() string
}

// bearer proves, or not, that the caller holds the attempt's token. An unknown operation is answered in the same way and
// time, whether it is another namespace's or nobody's.
func (s *Server) bearer(ctx context.Context, m bearing) ledger.Bearer {
	c := callOf(ctx)
	op, attempt := ledger.OperationID(m.GetOperationId()), ledger.AttemptID(m.GetAttemptId())
	return ledger.Bearer{
		Namespace: c.namespace(), Principal: c.Principal, OperationID: op, AttemptID: attempt,
		TokenProven: s.tokens.proves(m.GetAttemptToken(), c.namespace(), op, attempt),
	}
}

// nonceHash is how a begin's nonce is kept: who reads the database cannot speak for the process that sent.
func nonceHash(nonce []byte) string {
	if len(nonce) == 0 {
		return ""
	}
	sum := sha256.Sum256(nonce)
	return hex.EncodeToString(sum[:])
}

// BeginAttempt is said right before the first byte of the effect leaves.
func (s *operationService) BeginAttempt(ctx context.Context, req *pb.BeginAttemptRequest) (*pb.BeginAttemptResponse, error) {
	bearer, nonce := s.bearer(ctx, req), nonceHash(req.BeginNonce)
	held, err := judged[ledger.Held](ctx, s.Server, func(c *configuration) ledger.Command {
		return &ledger.Begin{Bearer: bearer, NonceHash: nonce, Epoch: c.epoch, Rules: c.policy}
	})
	if err != nil {
		return nil, err
	}
	return &pb.BeginAttemptResponse{Begun: &pb.BegunPermit{
		Remaining: durationpb.New(held.Remaining), GreatestRemaining: durationpb.New(held.Greatest),
		OperationVersion: held.Operation.Version,
	}}, nil
}

// ExtendAttempt moves a live permit's deadline: a heartbeat.
func (s *operationService) ExtendAttempt(ctx context.Context, req *pb.ExtendAttemptRequest) (*pb.ExtendAttemptResponse, error) {
	extend := s.extension(ctx, req)
	held, err := judged[ledger.Held](ctx, s.Server, func(c *configuration) ledger.Command {
		extend.Epoch, extend.Rules = c.epoch, c.policy
		return extend
	})
	if err != nil {
		return nil, err
	}
	return extendedOf(held), nil
}

// extension makes the ledger's command of an extension, without what it is judged by.
func (s *Server) extension(ctx context.Context, req *pb.ExtendAttemptRequest) *ledger.Extend {
	id := req.RequestId
	if id == "" {
		id = s.ids.fresh("ext_")
	}
	return &ledger.Extend{Bearer: s.bearer(ctx, req), NonceHash: nonceHash(req.BeginNonce), By: req.ExtendBy.AsDuration(), ExtensionID: id}
}

func extendedOf(held *ledger.Held) *pb.ExtendAttemptResponse {
	return &pb.ExtendAttemptResponse{
		Remaining: durationpb.New(held.Remaining), GreatestRemaining: durationpb.New(held.Greatest), OperationVersion: held.Operation.Version,
	}
}
