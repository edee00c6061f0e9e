package crowd

import (
	"context"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

const (
	// settleWithin bounds the way of a scene's intents to their ends, on a busy machine too. What has not ended by then is a
	// finding.
	settleWithin = 90 * time.Second
	// A caller waits as long as an answer says, within these bounds.
	shortest, longest = 30 * time.Millisecond, time.Second
)

// settle pursues an intent until its outcome is known or a person has been asked, as whoever cares for it to the end does.
func (a *agent) settle(ctx context.Context, i *intent) {
	for ctx.Err() == nil {
		m, asked := a.propose(ctx, i)
		switch {
		case m.GetPermit() != nil:
			a.carryOut(ctx, i, m.Permit, asked, careful) // and asks what has become of it
		case m.GetDecision() == pb.Decision_DECISION_REPLAYED, m.GetDecision() == pb.Decision_DECISION_DENIED,
			m.GetResult().GetNextAction().GetKind() == pb.NextActionKind_NEXT_ACTION_KIND_ASK_PERSON:
			return
		case len(m.GetLookup().GetQuestions()) > 0:
			a.lookUp(ctx, i, m.Result.OperationId, m.Lookup)
		}
		pause(ctx, min(max(m.GetRetryAfter().AsDuration(), shortest), longest))
	}
}
