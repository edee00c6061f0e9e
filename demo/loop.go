package demo

import (
	"context"
	"fmt"
	"time"
)

// hands carry out one tool call for a loop. The two acts differ in their hands alone.
type hands interface {
	// do carries the call out, or says why it has no result. The loop then calls again after the stated wait.
	do(ctx context.Context, call toolCall) (step, error)
}

// step is what came of one turn of the loop.
type step struct {
	done   bool
	result string        // with done: the result that the model reads
	why    string        // without: why there is none
	wait   time.Duration // how long before the next turn
}

// loop is an agent's loop: it calls until it has a result. It knows nothing of keys, states or ledgers.
func loop(ctx context.Context, h hands, call toolCall, say func(note)) error {
	for range maxTries {
		s, err := h.do(ctx, call)
		if err != nil {
			return err
		}
		if s.done {
			say(note{Kind: noteResult, Text: s.result})
			return nil
		}
		if s.why != "" {
			say(note{Kind: noteAgain, Text: s.why})
		}
		select {
		case <-time.After(s.wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return fmt.Errorf("%s had no result after %d turns", call.Tool, maxTries)
}
