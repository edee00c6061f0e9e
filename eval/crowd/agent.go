package crowd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// callers is how many agents there are.
const callers = 12

// think is how long an agent thinks at most before it does the next thing.
const think = 20 * time.Millisecond

// callTimeout bounds one call.
const callTimeout = 20 * time.Second

// scene is what all agents share: a few intents, the provider, and one recorder of their calls.
type scene struct {
	mark     string // tells this evaluation from others of the same server
	intents  []*intent
	provider *provider.Provider
	record   *check.Recorder

	mu    sync.Mutex
	costs []time.Duration // what the calls for one effect took
}

// caller is one of a crowd, with luck and a connection of its own.
type caller struct {
	name    string
	mark    string
	luck    *rand.Rand
	conn    *grpc.ClientConn
	drawn   int
	process int // how often another process has come in its place
}

// meet connects a caller. The recorder sees what it sees: also that calls and answers are lost.
func (s *site) meet(number int, mark string, seed uint64, record *check.Recorder) (*caller, error) {
	c := &caller{name: fmt.Sprintf("agent %d", number+1), mark: mark, luck: rand.New(rand.NewPCG(seed, uint64(number+1)))}
	losses := rand.New(rand.NewPCG(seed, uint64(number+1)<<32))
	conn, err := s.dial(number, grpc.WithChainUnaryInterceptor(s.watching, record.Client(c.name), losing(losses)))
	c.conn = conn
	return c, err
}

// losing loses one answer in forty, and one call before it is made. A caller makes one call at a time.
func losing(luck *rand.Rand) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, next grpc.UnaryInvoker, options ...grpc.CallOption) error {
		chance := luck.IntN(40)
		if chance == 0 {
			return status.Error(codes.Unavailable, "the call was lost")
		}
		err := next(ctx, method, request, reply, conn, options...)
		if chance == 1 {
			return status.Error(codes.Unavailable, "the answer was lost")
		}
		return err
	}
}

// id makes a request id: of the words where they name what several callers ask, else the caller's next one.
func (c *caller) id(words ...any) string {
	if len(words) == 0 {
		c.drawn++
		words = []any{c.name, c.drawn}
	}
	return uuid.NewSHA1(uuid.NameSpaceOID, fmt.Append([]byte(c.mark), words...)).String()
}

// nonce is born in the memory of a process.
func (c *caller) nonce() []byte {
	return []byte(fmt.Sprintf("%s, %s, process %d", c.mark, c.name, c.process))
}

// die leaves everything as it is. Another process comes in its place and knows nothing.
func (c *caller) die() { c.process++ }

// pause lets time pass, unless the evaluation ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// within makes one call and gives it the usual time.
func within[Request, Answer any](ctx context.Context, call func(context.Context, *Request, ...grpc.CallOption) (*Answer, error), r *Request) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return call(ctx, r)
}

// lost reports whether a caller cannot know if its call was carried out.
func lost(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Aborted, codes.Unknown, codes.Internal:
		return true
	}
	return false
}

// tries is how often the same request is made that gets no answer.
const tries = 3

// again makes a call, and the very same once more where its answer was lost. It also answers the moment before the try that
// was answered, from which durations in the answer count.
func again[Request, Answer any](ctx context.Context, call func(context.Context, *Request, ...grpc.CallOption) (*Answer, error), r *Request) (answer *Answer, asked time.Time, err error) {
	for range tries {
		asked = time.Now()
		if answer, err = within(ctx, call, r); err == nil || !lost(err) || ctx.Err() != nil {
			break
		}
	}
	return answer, asked, err
}

// agent pursues intents and acts on permits.
type agent struct {
	*caller
	scene *scene
	api   pb.OperationServiceClient
}

// turn is one thing that an agent does to an intent of the scene.
func (a *agent) turn(ctx context.Context) {
	pause(ctx, time.Duration(a.luck.Int64N(int64(think))))
	i := a.scene.intents[a.luck.IntN(len(a.scene.intents))]
	switch choice := a.luck.IntN(20); {
	case choice < 3 && i.operation() != "":
		_, _ = within(ctx, a.api.GetOperation, &pb.GetOperationRequest{OperationId: i.operation()})
	case choice == 3 && i.operation() != "":
		a.reconcile(ctx, i)
	case choice < 7:
		if p := i.copied(a.luck); p != nil {
			a.useCopy(ctx, i, p)
			return
		}
		fallthrough
	default:
		m, asked := a.propose(ctx, i)
		switch {
		case m.GetPermit() != nil:
			a.carryOut(ctx, i, m.Permit, asked, a.fate())
		case len(m.GetLookup().GetQuestions()) > 0 && a.luck.IntN(2) == 0:
			a.lookUp(ctx, i, m.Result.OperationId, m.Lookup)
		}
	}
}

// propose proposes an intent in some wording, under a request id of its own or under one that several agents use: that one
// goes with one wording.
func (a *agent) propose(ctx context.Context, i *intent) (*pb.ProposeOperationResponse, time.Time) {
	wording := a.luck.IntN(len(i.spellings))
	request := &pb.ProposeOperationRequest{
		RequestId: a.id(), Tool: i.tool, Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: i.spellings[wording]},
	}
	if a.luck.IntN(3) == 0 {
		request.RequestId = a.id(i.key, "shared", wording)
	}
	m, asked, err := again(ctx, a.api.ProposeOperation, request)
	if err != nil {
		return nil, asked
	}
	i.learn(m)
	return m, asked
}
