package script

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/eval/world"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// runner carries out one scenario in one world.
type runner struct {
	scenario *Scenario
	engine   string
	world    *world.World
	labels   *labels
	first    *grpc.ClientConn
	twin     *grpc.ClientConn // nil until a step asks for it

	providers map[string]*provider.Provider // by name and account
	keys      map[string][]string           // by business key: the operations for which something was sent
	faults    map[string][]eval.Fault       // by business key
	plans     map[string]*plan              // by operation: what befalls the attempts that servers make of it

	mu       sync.Mutex
	ids      int
	sequence int
	calls    []eval.Call
	history  []string
	began    time.Time
	missed   *mismatch // the first expectation that did not come true
}

// moment is how long a step takes by itself, so that what came first bears the earlier time.
const moment = time.Millisecond

// stopped: what comes after a mismatch would be about another story.
func (r *runner) stopped() bool { return r.missed != nil }

// newID makes an id that is the same in each run.
func (r *runner) newID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ids++
	return uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s/%d", r.scenario.Name, r.ids)).String()
}

func (r *runner) steps(ctx context.Context, steps []*Step) error {
	for _, s := range steps {
		r.world.Pass(moment)
		if err := r.step(ctx, s); err != nil {
			var missed *mismatch
			if !errors.As(err, &missed) {
				return in(r.scenario.File, err)
			}
			r.missed = missed
		}
		if r.stopped() || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// step does one step, and holds what came of it against what it expects.
func (r *runner) step(ctx context.Context, s *Step) error {
	if !r.came(s.When) {
		return nil
	}
	if s.verb.act != nil {
		if s.verb.told {
			r.tell(s, s.subject.Value, "")
		}
		return s.verb.act(ctx, r, s)
	}
	o, err := r.carryOut(ctx, s)
	if err != nil && s.MayFail {
		r.tell(s, s.subject.Value, "cannot be done: "+err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	return r.hold(ctx, s, o)
}

// hold keeps a step's outcome under its label, and holds it against the expectation.
func (r *runner) hold(ctx context.Context, s *Step, o *outcome) error {
	if s.As != "" {
		r.labels.steps[s.As] = o
	}
	if s.expect == nil {
		if o.err != nil && !s.Lost && !s.MayFail {
			return differs(s.node, "refused: %v", o.err)
		}
		return nil
	}
	e := &expectation{labels: r.labels, outcome: o, operation: func() (*pb.Operation, error) {
		id := o.operationID()
		if m, has := o.request.(interface{ GetOperationId() string }); has && id == "" {
			id = m.GetOperationId()
		}
		return r.operation(ctx, s.Caller, id)
	}}
	return e.hold(s.expect)
}

// carryOut makes the step's call, as often at once as it says.
func (r *runner) carryOut(ctx context.Context, s *Step) (*outcome, error) {
	conns, err := r.conns(ctx, s)
	if err != nil {
		return nil, err
	}
	all := make([]reply, max(1, s.Times))
	methods := make([]string, len(all))
	for i := range all {
		x := &filling{
			labels: r.labels, scenario: r.scenario, runner: r, ctx: ctx, newID: r.newID, index: i,
			outcome: &outcome{step: s},
		}
		if err := x.fill(s); err != nil {
			return nil, err
		}
		all[i], methods[i] = reply{request: x.request, answer: x.reply}, x.method
	}
	if s.Times == 0 {
		r.call(ctx, conns[0], s, methods[0], &all[0])
	} else {
		var wait sync.WaitGroup
		for i := range all {
			wait.Go(func() { r.call(ctx, conns[i%len(conns)], s, methods[i], &all[i]) })
		}
		wait.Wait()
	}
	chosen := all[0]
	for _, a := range all {
		if (&outcome{answer: a.answer}).permit() != nil {
			chosen = a
		}
	}
	return &outcome{step: s, request: chosen.request, answer: chosen.answer, err: chosen.err, all: all}, nil
}

// call makes one call, and writes it down.
func (r *runner) call(ctx context.Context, conn *grpc.ClientConn, s *Step, method string, a *reply) {
	c := eval.Call{By: r.callerOf(s.Caller), Method: methodWord(method), Request: a.request, Began: r.world.Now(), Sequence: r.next(), Lost: s.Lost}
	a.err = r.invoke(ctx, conn, s.Caller, method, a.request, a.answer)
	c.Ended, c.EndSeq = r.world.Now(), r.next()
	if a.err != nil {
		c.Error = reasonOf(a.err)
	} else if !s.Lost {
		c.Answer, c.Told = a.answer, toldBy(a.answer)
	}
	r.mu.Lock()
	r.calls = append(r.calls, c)
	r.mu.Unlock()
	said := brief(a.answer)
	if a.err != nil {
		said = reasonOf(a.err) + ": " + withoutIDs(a.err)
	}
	r.tell(s, s.subject.Value, said)
}

// conns are the connections to the step's servers.
func (r *runner) conns(ctx context.Context, s *Step) (conns []*grpc.ClientConn, err error) {
	if !s.Twin && !s.Each {
		return []*grpc.ClientConn{r.first}, nil
	}
	if r.twin == nil {
		if r.twin, err = r.world.Twin(ctx); err != nil {
			return nil, err
		}
	}
	if s.Twin {
		return []*grpc.ClientConn{r.twin}, nil
	}
	return []*grpc.ClientConn{r.first, r.twin}, nil
}

func (r *runner) invoke(ctx context.Context, conn *grpc.ClientConn, caller, method string, req, reply proto.Message) error {
	if name := r.callerOf(caller); len(r.scenario.Callers) > 0 {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+tokenOf(name))
	}
	return conn.Invoke(ctx, "/"+servicePrefix+method, req, reply)
}

// ask makes a call that is no step of the scenario's.
func (r *runner) ask(ctx context.Context, caller, method string, req, reply proto.Message) error {
	return r.invoke(ctx, r.first, caller, method, req, reply)
}

// operation reads an operation.
func (r *runner) operation(ctx context.Context, caller, id string) (*pb.Operation, error) {
	m := &pb.GetOperationResponse{}
	err := r.ask(ctx, caller, "OperationService/GetOperation", &pb.GetOperationRequest{OperationId: id}, m)
	return m.Operation, err
}

// callerOf is who makes a step's call: the one that it names, or the scenario's first.
func (r *runner) callerOf(name string) string {
	if name == "" && len(r.scenario.Callers) > 0 {
		return r.scenario.Callers[0].Name
	}
	return name
}

func (r *runner) next() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sequence++
	return r.sequence
}

// tell adds a line to the history.
func (r *runner) tell(s *Step, subject, said string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	line := fmt.Sprintf("%s:%d +%s %s %s", r.scenario.File, s.Line, r.since(), s.Verb, subject)
	if s.Caller != "" {
		line += " (" + s.Caller + ")"
	}
	if said != "" {
		line += " -> " + said
	}
	r.history = append(r.history, line)
}

// methodWords are the words of a record's calls.
var methodWords = map[string]string{
	"OperationService/ProposeOperation": "propose", "OperationService/BeginAttempt": "begin", "OperationService/ExtendAttempt": "extend",
	"OperationService/ReportAttempt": "report", "OperationService/Reconcile": "reconcile", "LeaseService/AcquireEntityLease": "acquire",
	"LeaseService/ReleaseEntityLease": "release", "OperationService/CancelOperation": "cancel",
}

func methodWord(method string) string {
	if word := methodWords[method]; word != "" {
		return word
	}
	return method
}
