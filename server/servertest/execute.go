package servertest

import (
	"context"
	"sync"

	"github.com/opledger/opledger/adapter"
	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/ledger/transact"
)

// CarryOut runs the executor of the server that was started last: what tools name as HTTP requests is sent, on this
// machine too. It ends with the returned function or the test.
func (w *World) CarryOut(options ...func(*dispatch.ExecutorConfig)) (stop func()) {
	w.TB.Helper()
	l := transact.New(w.Engine, transact.Options{OnDefect: func(err error) { w.TB.Errorf("defect: %v", err) }})
	s := w.served[len(w.served)-1].server
	config := dispatch.ExecutorConfig{
		Ledger: l, Claimer: "executor", Configurations: s, Adapter: adapter.New(adapter.Config{AllowPrivate: true, AllowHTTP: true}),
		FirstPoll: poll, LongestPoll: poll,
	}
	for _, o := range options {
		o(&config)
	}
	e, err := dispatch.NewExecutor(config)
	if err != nil {
		w.TB.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.Run(ctx)
	}()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			<-done
			l.Close()
		})
	}
	w.TB.Cleanup(stop)
	return stop
}
