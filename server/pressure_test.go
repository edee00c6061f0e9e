package server_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// TestDrainAnswersWhoWaits: a server that stops answers those who wait with the state of now, long before their time.
func TestDrainAnswersWhoWaits(t *testing.T) {
	w := servertest.SQLite(t)
	begun := make(chan string, 16)
	c := serve(w, func(c *server.Config) { c.Observer = decisions(begun) })
	c.Execute("email.send", mail)
	<-begun
	answered := make(chan error, 1)
	go func() {
		m, err := c.ProposeOperation(t.Context(), servertest.Proposal("email.send", mail, func(r *pb.ProposeOperationRequest) { r.Wait = durationpb.New(time.Minute) }))
		if err == nil && m.Decision != pb.Decision_DECISION_IN_FLIGHT {
			t.Errorf("answered %v", m)
		}
		answered <- err
	}()
	<-begun // it is decided, and waits
	asked := time.Now()
	w.Drain()
	if err := <-answered; err != nil || time.Since(asked) > 30*time.Second {
		t.Fatalf("after %v: %v", time.Since(asked), err)
	}
}

// slow is an engine whose transactions wait until they are let go.
type slow struct {
	ledger.Engine
	entered chan struct{}
	release chan struct{}
}

func (s *slow) Transact(ctx context.Context, fn func(ctx context.Context, tx ledger.Tx) error) error {
	select {
	case s.entered <- struct{}{}:
	default:
	}
	<-s.release
	return s.Engine.Transact(ctx, fn)
}

// TestOverload: more calls than may wait are told so, with the time after which to ask again; none is half done.
func TestOverload(t *testing.T) {
	w := servertest.SQLite(t)
	serve(w)
	engine := &slow{Engine: w.Engine, entered: make(chan struct{}, 1), release: make(chan struct{})}
	small := transact.New(engine, transact.Options{Writers: 1, MaxBatch: 1, Queue: 1})
	t.Cleanup(small.Close)
	release := sync.OnceFunc(func() { close(engine.release) })
	t.Cleanup(release)
	c := w.Serve(func(c *server.Config) { c.Ledger = small })
	const callers = 8
	var wait sync.WaitGroup
	errs := make(chan error, callers)
	propose := func() {
		_, err := c.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", capture))
		errs <- err
	}
	wait.Go(propose)
	<-engine.entered // one is under way, one more may wait
	for range callers - 1 {
		wait.Go(propose)
	}
	for range callers - 2 {
		err := <-errs
		refused(t, err, codes.Unavailable, "OVERLOADED")
		if servertest.DetailOf[*errdetails.RetryInfo](err).GetRetryDelay().AsDuration() <= 0 {
			t.Fatalf("it does not say when to ask again: %v", err)
		}
	}
	release()
	wait.Wait()
	for range 2 {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	if all := c.Operations(); len(all) != 1 {
		t.Fatalf("%d operations were made", len(all))
	}
}
