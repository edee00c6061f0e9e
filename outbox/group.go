package outbox

import (
	"context"
	"sync"
)

// Runner is a loop, or what contains some.
type Runner interface {
	Run(ctx context.Context)
	Poke()
	// Once does what is ready now, in the calling goroutine, and answers how many items that was.
	Once(ctx context.Context) int
}

// Group runs loops side by side as one.
type Group []Runner

// Run runs every loop until the context ends, and then returns as soon as what is under way has ended.
func (g Group) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, r := range g {
		running.Go(func() { r.Run(ctx) })
	}
	running.Wait()
}

// Poke pokes every loop.
func (g Group) Poke() {
	for _, r := range g {
		r.Poke()
	}
}

// Once does what is ready in each loop, in order, and answers how many items that was.
func (g Group) Once(ctx context.Context) (found int) {
	for _, r := range g {
		found += r.Once(ctx)
	}
	return found
}
