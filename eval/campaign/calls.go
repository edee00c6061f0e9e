package campaign

import (
	"context"
	"errors"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// errLost is what a caller sees of a call whose answer did not reach it: nothing.
var errLost = errors.New("no answer came")

// callTries is how often the same request is made that gets no answer.
const callTries = 3

// unary is a call of a generated client.
type unary[Q, A any] func(context.Context, *Q, ...grpc.CallOption) (*A, error)

// once makes one call and keeps what came of it. Its answer is lost where the run says so.
func once[Q, A any](a *actor, method string, request *Q, call unary[Q, A]) (*A, error) {
	p := a.play
	c := p.opened(a, method)
	c.Request = request
	began := time.Now()
	answer, err := call(p.stage.ctx, request)
	p.added += time.Since(began)
	switch {
	case p.lose[method] > 0:
		p.lose[method]--
		c.Lost = true
	case err != nil:
		c.Error = reasonOf(err)
	default:
		c.Answer, c.Told = answer, told(answer)
	}
	p.done(c)
	if c.Lost {
		p.step(a.name, "%s: its answer is lost", method)
		return nil, errLost
	}
	if code := status.Code(err); code == codes.Unavailable || code == codes.Internal || code == codes.Unknown && err != nil || code == codes.InvalidArgument {
		p.stage.fail(err) // no fault of a run does this
	}
	return answer, err
}

// opened notes the beginning of a call.
func (p *play) opened(a *actor, method string) *eval.Call {
	c := &eval.Call{By: a.name, Method: method, Began: p.clock(), Sequence: p.sequence}
	p.sequence++
	return c
}

// done keeps a call that has come to its end.
func (p *play) done(c *eval.Call) {
	c.Ended, c.EndSeq = p.clock(), p.sequence
	p.sequence++
	p.calls = append(p.calls, *c)
}

// again makes a call, and the very same once more where its answer was lost. It also answers the moment before the try that
// was answered, from which durations in the answer count.
func again[Q, A any](a *actor, method string, request *Q, call unary[Q, A]) (answer *A, asked time.Time, err error) {
	for try := 1; ; try++ {
		asked = a.play.stage.clock()
		if answer, err = once(a, method, request, call); !errors.Is(err, errLost) || try == callTries {
			return answer, asked, err
		}
		a.sleep(tick)
	}
}

// reasonOf is an error's stable reason; its code where the ledger stated none.
func reasonOf(err error) string {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info.Reason
		}
	}
	return status.Code(err).String()
}

// told lists the sentences that an answer brings for the customer and for the model.
func told(answer any) []string {
	m, ok := answer.(interface{ GetResult() *pb.ToolResult })
	if !ok || m.GetResult() == nil {
		return nil
	}
	return []string{m.GetResult().SafeUserMessage, m.GetResult().ModelMessage}
}
