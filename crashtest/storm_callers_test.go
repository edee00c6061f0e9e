//go:build unix

package crashtest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

const (
	// stormCallers is how many operations are open at a time: each caller waits until its own has ended.
	stormCallers = 150
	// twinEvery is how often an operation is proposed twice at once, as by an agent that has lost an answer.
	twinEvery = 20
)

// callers propose operations and wait for their ends.
type callers struct {
	t   *testing.T
	api pb.OperationServiceClient
	// next is how many were proposed.
	next  atomic.Int64
	ended chan struct{} // a token for each that has ended, or waits for a person

	mu       sync.Mutex
	accepted map[string]string // the tool of each operation that the ledger has taken, by id
	open     map[string]bool
}

// run proposes so many operations, and returns when each of them is known or waits for a person.
func (c *callers) run(ctx context.Context, operations int64) {
	defer close(c.ended)
	var calling sync.WaitGroup
	for range stormCallers {
		calling.Go(func() {
			for {
				n := c.next.Add(1)
				if n > operations || ctx.Err() != nil || !c.one(ctx, n) {
					return
				}
				c.ended <- struct{}{}
			}
		})
	}
	calling.Wait()
}

// one is one operation from its proposal to its end.
func (c *callers) one(ctx context.Context, n int64) bool {
	tool := stormNames[n%int64(len(stormNames))]
	ref := fmt.Sprint("s", n)
	twin := make(chan string, 1)
	if n%twinEvery == 0 {
		go func() { twin <- c.propose(ctx, tool, ref) }()
	} else {
		twin <- ""
	}
	id := c.propose(ctx, tool, ref)
	if other := <-twin; id == "" || other != "" && other != id {
		if ctx.Err() == nil {
			c.t.Errorf("%s of %s is %q and %q", tool, ref, id, other)
		}
		return false
	}
	c.mu.Lock()
	if c.accepted[id] != "" {
		c.t.Errorf("%s is answered to two different proposals", id)
	}
	c.accepted[id], c.open[id] = tool, true
	c.mu.Unlock()
	if watch(ctx, c.api, id, func(o *pb.Operation) bool { return known(o) || o.NeedsHuman != nil }) == nil {
		return false
	}
	c.mu.Lock()
	delete(c.open, id)
	c.mu.Unlock()
	return true
}

// propose proposes until a server has answered, and answers the operation's id.
func (c *callers) propose(ctx context.Context, tool, ref string) string {
	request := &pb.ProposeOperationRequest{
		RequestId: uuid.NewString(), WorkflowId: "wf_1", RunId: "run_1", Tool: tool,
		Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: `{"ref":"` + ref + `"}`},
	}
	m, err := again(ctx, func(ctx context.Context, o ...grpc.CallOption) (*pb.ProposeOperationResponse, error) {
		return c.api.ProposeOperation(ctx, request, o...)
	})
	if err != nil {
		if ctx.Err() == nil {
			c.t.Errorf("propose %s of %s: %v (%s)", tool, ref, err, reasonOf(err))
		}
		return ""
	}
	return m.Result.GetOperationId()
}

// stuck lists operations that have not come to their end.
func (c *callers) stuck() (ids []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.open {
		ids = append(ids, id)
	}
	return ids
}

// known reports whether it is known of an operation whether it has happened.
func known(o *pb.Operation) bool {
	switch o.State {
	case pb.Operation_STATE_COMPLETED_SUCCESS, pb.Operation_STATE_COMPLETED_NOOP, pb.Operation_STATE_FAILED_PERMANENT:
		return true
	}
	return false
}
