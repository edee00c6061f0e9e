//go:build unix

package crashtest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/childproc"
)

// stormHand is one worker process of the storm. What may change is the crew's, under its lock.
type stormHand struct {
	*childproc.Process
	post      stormPost
	freezable bool      // it may be frozen at any moment, once
	frozen    time.Time // since when; zero: it runs
	killed    bool
}

// long reports whether it may be frozen for as long as anybody likes: it serves revocations alone.
func (h *stormHand) long() bool { return len(h.post.Tools) == 1 }

// stand is where a worker stands at the failpoint.
type stand struct {
	operation string
	attempt   int
	tool      string
}

// hire starts a worker process, which ends with this one at the latest.
func hire(p stormPost, freezable bool, heard func(*stormHand, stand), ended func(*stormHand)) (*stormHand, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	out, in := io.Pipe()
	h := &stormHand{post: p, freezable: freezable}
	// Not the test's context: a worker is to end by a kill or well.
	h.Process, err = childproc.Start(context.Background(), childproc.Command{
		Executable: self, Environment: []string{stormVariable + "=" + string(text)}, Out: in,
	})
	if err != nil {
		return nil, err
	}
	go func() {
		<-h.Done()
		_ = in.Close()
		ended(h)
	}()
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var s stand
			if n, _ := fmt.Sscanf(lines.Text(), "stands %s %d %s", &s.operation, &s.attempt, &s.tool); n == 3 {
				heard(h, s)
			}
		}
	}()
	return h, nil
}

// watch reads an operation's versions until one is as wanted, whatever becomes of the server that tells them; nil: the
// context ended before.
func watch(ctx context.Context, api pb.OperationServiceClient, id string, wanted func(*pb.Operation) bool) *pb.Operation {
	for ctx.Err() == nil {
		stream, err := api.WatchOperation(ctx, &pb.WatchOperationRequest{OperationId: id})
		for err == nil {
			var m *pb.WatchOperationResponse
			if m, err = stream.Recv(); err == nil && wanted(m.Operation) {
				return m.Operation
			}
		}
	}
	return nil
}
