package check

import (
	"context"
	"sync"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/opledger/opledger/eval"
)

// Recorder writes the calls of concurrent clients down, numbered in the order in which they began and ended. One recorder
// serves all clients whose calls are judged together.
type Recorder struct {
	now      func() time.Time
	mu       sync.Mutex
	sequence int
	calls    []eval.Call
}

// NewRecorder makes a recorder. The clock is the one by which the ledger counts deadlines, as near as the clients have it.
func NewRecorder(now func() time.Time) *Recorder { return &Recorder{now: now} }

// Client records what one client calls, by its name. It belongs outermost in the chain of a connection's interceptors: what
// a call comes to for its caller is what is written down.
func (r *Recorder) Client(name string) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, next grpc.UnaryInvoker, options ...grpc.CallOption) error {
		i := r.begin(name, method, request)
		err := next(ctx, method, request, reply, conn, options...)
		r.end(i, reply, err)
		return err
	}
}

func (r *Recorder) begin(name, method string, request any) int {
	c := eval.Call{By: name, Method: methodWord(method), Request: copied(request)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sequence++
	c.Began, c.Sequence = r.now(), r.sequence
	r.calls = append(r.calls, c)
	return len(r.calls) - 1
}

func (r *Recorder) end(i int, reply any, err error) {
	answer := copied(reply)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sequence++
	c := &r.calls[i]
	c.Ended, c.EndSeq = r.now(), r.sequence
	if err != nil {
		c.Error = Reason(err)
		return
	}
	c.Answer = answer
	if m := resultIn(answer); m != nil {
		c.Told = []string{m.SafeUserMessage, m.ModelMessage}
	}
}

// Calls are the calls so far, in the order of their beginning. One that has not ended is lost: its caller may have gone.
func (r *Recorder) Calls() []eval.Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := append([]eval.Call(nil), r.calls...)
	for i := range calls {
		if calls[i].EndSeq == 0 {
			calls[i].Lost, calls[i].Ended, calls[i].EndSeq = true, r.now(), r.sequence+1
		}
	}
	return calls
}

// Reason is an error's stable reason; where it bears none, the name of its code.
func Reason(err error) string {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info.Reason
		}
	}
	return status.Code(err).String()
}

// copied is a message as it is now, whatever its owner does with it afterwards.
func copied(message any) any {
	if m, ok := message.(proto.Message); ok {
		return proto.Clone(m)
	}
	return message
}

// methodWords are the words by which records call methods.
var methodWords = map[string]string{
	"ProposeOperation": "propose", "BeginAttempt": "begin", "ExtendAttempt": "extend", "ReportAttempt": "report",
	"AcquireEntityLease": "acquire", "RenewEntityLease": "renew", "ReleaseEntityLease": "release", "BreakEntityLease": "break",
	"GetOperation": "get", "CancelOperation": "cancel", "CompensateOperation": "compensate",
}

// methodWord is a method's word; its own name, without its service, where records have none for it.
func methodWord(full string) string {
	for i := len(full) - 1; i >= 0; i-- {
		if full[i] == '/' {
			full = full[i+1:]
			break
		}
	}
	if w := methodWords[full]; w != "" {
		return w
	}
	return lower(full, "")
}
