package servertest

import (
	"context"
	"sync/atomic"

	"github.com/opledger/opledger/ledger"
)

// ForgetfulEngine is a real engine that on demand does not tell of a commit: it runs the same closure once more, as a
// store does when a commit's answer was lost. So every engine meets the fault that only a network's has by itself.
type ForgetfulEngine struct {
	ledger.Engine
	armed   atomic.Bool
	forgot  atomic.Bool
	between func()
}

// Forgetful puts a forgetful engine before the world's; servers that are started from then on use it. Between the commit
// and the second run the function is called.
func Forgetful(w *World, between func()) *ForgetfulEngine {
	f := &ForgetfulEngine{Engine: w.Engine, between: between}
	w.Engine = f
	return f
}

// ForgetOnce arms the fault for the next commit.
func (f *ForgetfulEngine) ForgetOnce() {
	f.forgot.Store(false)
	f.armed.Store(true)
}

// Forgot reports whether the armed fault has happened.
func (f *ForgetfulEngine) Forgot() bool { return f.forgot.Load() }

// Transact runs the transaction, and where the fault is armed runs it again after its commit.
func (f *ForgetfulEngine) Transact(ctx context.Context, fn func(ctx context.Context, tx ledger.Tx) error) error {
	err := f.Engine.Transact(ctx, fn)
	if err == nil && f.armed.CompareAndSwap(true, false) {
		f.forgot.Store(true)
		f.between()
		return f.Engine.Transact(ctx, fn)
	}
	return err
}
