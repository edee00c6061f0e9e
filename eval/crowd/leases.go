package crowd

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// actTurns is how many turns each agent takes among the same entities; then it goes on to the next ones.
const actTurns = 60

// Leases is the part in which workflows contend for the leases of few entities: so many acts, each on entities of its own.
type Leases struct{ Acts int }

// Name implements eval.Part.
func (l Leases) Name() string { return "crowd/leases" }

// Size implements eval.Part.
func (l Leases) Size(env eval.Env) int { return l.acts(env) * callers }

// acts are as many as the part has; with a number of intents that the user names, in proportion to it.
func (l Leases) acts(env eval.Env) int {
	if env.Runs > 0 {
		return (env.Runs + sceneSize/4 - 1) / (sceneSize / 4)
	}
	return l.Acts
}

// Run implements eval.Part.
func (l Leases) Run(ctx context.Context, env eval.Env) (result *eval.Result, err error) {
	began := time.Now()
	result = &eval.Result{Part: l.Name(), Engine: env.Engine, Seed: env.Seed, Checked: []string{"answers", "wording", "linearizability"}}
	s, err := open(ctx, env)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	h := &hall{mark: uuid.NewString()[:8], record: check.NewRecorder(time.Now), tokens: make([][]string, l.acts(env)*corners)}
	if err := h.admit(ctx, s); err != nil {
		return result, err
	}
	if err := s.admitted(ctx, func(ctx context.Context) error { return h.act(ctx, env, s) }); err != nil {
		return result, err
	}
	if err := h.admit(ctx, s); err != nil { // a server that has gone has given no order
		return result, err
	}
	calls := h.record.Calls()
	t := newTally()
	t.call(calls)
	found := t.order(calls)
	r := eval.Record{Arm: eval.Opledger, Agent: "crowd", Key: "leases", Started: began, Ended: time.Now(), Calls: calls}
	for _, judge := range []func(eval.Record) []eval.Finding{check.Answers, check.Wording} {
		found = append(found, judge(r)...)
	}
	result.Findings = signed(found, l.Name(), env)
	result.Figures, result.TookMS = []eval.Figures{t.figures()}, time.Since(began).Milliseconds()
	result.Notes = append(result.Notes, t.calls("workflows' agents"), t.ordered.String())
	return result, nil
}

// hall is what the callers of leases share.
type hall struct {
	mark   string
	record *check.Recorder

	mu     sync.Mutex
	tokens [][]string // of the leases of each corner, so that others than their holders try them
}

// admit takes and gives back a lease that nobody else wants: whoever may not is told so at once.
func (h *hall) admit(ctx context.Context, s *site) error {
	api := pb.NewLeaseServiceClient(s.conn)
	m, err := within(ctx, api.AcquireEntityLease, &pb.AcquireEntityLeaseRequest{
		RequestId: uuid.NewString(), WorkflowId: "opledger_eval/" + h.mark, RunId: "run_1", Ttl: durationpb.New(time.Second),
		Entities: []*pb.Entity{{Type: entityType, Id: h.mark}},
	})
	if err == nil && m.Grant != nil {
		_, err = within(ctx, api.ReleaseEntityLease, &pb.ReleaseEntityLeaseRequest{RequestId: uuid.NewString(), LeaseToken: m.Grant.LeaseToken})
	}
	return s.trouble(err)
}

// act lets every caller take its turns at once.
func (h *hall) act(ctx context.Context, env eval.Env, s *site) error {
	var acting sync.WaitGroup
	defer acting.Wait()
	for n := range callers {
		c, err := s.meet(n, h.mark, env.Seed, h.record)
		if err != nil {
			return err
		}
		a := &holder{caller: c, hall: h, api: pb.NewLeaseServiceClient(c.conn)}
		acting.Go(func() {
			defer func() { _ = c.conn.Close() }()
			for act := range len(h.tokens) / corners {
				for turn := 0; turn < actTurns && ctx.Err() == nil; turn++ {
					a.turn(ctx, act)
				}
				env.Step(1)
			}
		})
	}
	return nil
}
