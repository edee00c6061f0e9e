//go:build unix

package storm

import (
	"context"
	"fmt"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/internal/childproc"
)

// patience bounds one round, on a busy machine too.
const patience = 2 * time.Minute

// play plays one round, and answers a record for each operation.
func play(ctx context.Context, env eval.Env, r Round) ([]eval.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	f, err := lay(ctx, env, fmt.Sprintf("%s-%s-%s", r.Step, r.Victim, r.Blow), false)
	if err != nil {
		return nil, err
	}
	defer f.clear()
	began := time.Now()
	ref := r.String()
	if r.Step == Sent {
		for _, tool := range workerTools {
			if err := f.provider.holdAfterCommit(ctx, tool, ref); err != nil {
				return nil, err
			}
		}
	}
	f.gate.hold(r.Step)
	agent, err := f.start(ctx, "agent", Proposed, ref)
	if err != nil {
		return nil, err
	}
	proposed, err := agent.await(ctx, "proposed", len(workerTools))
	if err != nil {
		return nil, err
	}
	first, err := f.lead(ctx, r.Step, byTool(proposed))
	if err != nil {
		return nil, err
	}
	agent.goOn() // what the server carries out waits for nobody, so that it is proposed right before the blow
	if proposed, err = agent.await(ctx, "proposed", len(toolNames)); err != nil {
		return nil, err
	}
	ids := byTool(proposed)
	if err := f.leadServers(ctx, r.Step, ids); err != nil {
		return nil, err
	}
	if err := f.strike(ctx, r, agent, first); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if _, err := f.await(ctx, id, ended); err != nil {
			return nil, err
		}
	}
	for _, h := range f.hands {
		h.dismiss()
	}
	for _, h := range f.hands {
		select {
		case <-h.Done():
		case <-ctx.Done():
			return nil, fmt.Errorf("%s does not end: %w", h.post.ID, ctx.Err())
		}
	}
	return f.records(ctx, ref, ids, began)
}

// byTool are the ids of operations that were proposed, by tool.
func byTool(proposed [][]string) map[string]string {
	ids := map[string]string{}
	for _, line := range proposed {
		ids[line[1]] = line[3]
	}
	return ids
}

// leadServers waits until what the servers carry out has come to the step.
func (f *field) leadServers(ctx context.Context, step Step, ids map[string]string) error {
	switch step {
	case Proposed:
		return nil
	case Reported:
		for _, tool := range serverTools {
			if _, err := f.await(ctx, ids[tool], ended); err != nil {
				return err
			}
		}
		return nil
	}
	return f.gate.await(ctx, len(serverTools))
}

// lead leads the operations of workers up to the step. The worker that stands there is answered; nil where none does.
func (f *field) lead(ctx context.Context, step Step, ids map[string]string) (*member, error) {
	if step == Proposed {
		return nil, nil
	}
	first, err := f.start(ctx, "worker_1", step)
	if err != nil {
		return nil, err
	}
	switch step {
	case Sent:
		return first, f.provider.awaitEffects(ctx, len(ids))
	case Reported:
		for _, id := range ids {
			if _, err := f.await(ctx, id, ended); err != nil {
				return nil, err
			}
		}
		return first, nil
	}
	_, err = first.await(ctx, "at", len(ids))
	return first, err
}

// strike hits the victim: of several servers the one that carries out what may not be sent twice. Another worker stands
// ready from then on, and whoever stands at the step goes on: a frozen one as soon as it is woken.
func (f *field) strike(ctx context.Context, r Round, agent, first *member) error {
	defer f.gate.release()
	if first != nil && (r.Victim != Worker || r.Blow != Kill) {
		defer first.goOn()
	}
	server := f.sender(businessKey("storm.call", r.String()))
	var victim *childproc.Process
	switch {
	case r.Victim == Server:
		victim = f.servers[server].Process
	case r.Victim == Agent:
		victim = agent.Process
	case r.Victim == Provider:
		victim = f.provider.process.Process
	case first != nil:
		victim = first.Process
	}
	if victim == nil { // nobody works yet: the worker that comes next is the first
		_, err := f.start(ctx, "worker_2", "")
		return err
	}
	if r.Blow == Freeze {
		if _, err := f.start(ctx, "worker_2", ""); err != nil {
			return err
		}
		if first != nil && r.Victim == Worker {
			first.goOn() // it hears of it when it is woken
		}
		return freeze(ctx, victim)
	}
	switch r.Victim {
	case Server:
		if err := f.restartServer(ctx, server); err != nil {
			return err
		}
	case Provider:
		if err := f.provider.restart(ctx); err != nil {
			return err
		}
	default:
		victim.Kill()
	}
	if r.Victim == Agent { // whoever comes after it knows nothing and proposes the same
		again, err := f.start(ctx, "agent_again", "", r.String())
		if err != nil {
			return err
		}
		if _, err := again.await(ctx, "proposed", len(toolNames)); err != nil {
			return err
		}
	}
	_, err := f.start(ctx, "worker_2", "")
	return err
}

// ended reports whether an operation's outcome is known, or a person has been asked.
func ended(o *pb.Operation) bool {
	switch o.State {
	case pb.Operation_STATE_COMPLETED_SUCCESS, pb.Operation_STATE_COMPLETED_NOOP, pb.Operation_STATE_FAILED_PERMANENT:
		return true
	}
	return o.NeedsHuman != nil
}

// await reads an operation's versions until one is as wanted, whatever becomes of the server that tells them.
func (f *field) await(ctx context.Context, id string, wanted func(*pb.Operation) bool) (*pb.Operation, error) {
	var last *pb.Operation
	for ctx.Err() == nil {
		stream, err := f.api.WatchOperation(ctx, &pb.WatchOperationRequest{OperationId: id})
		for err == nil {
			var m *pb.WatchOperationResponse
			if m, err = stream.Recv(); err == nil {
				if last = m.Operation; wanted(last) {
					return last, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("operation %s did not come to its end, it is %s: %w", id, last.GetState(), ctx.Err())
}
