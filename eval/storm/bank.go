//go:build unix

package storm

import (
	"context"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/provider"
)

// bank is the provider of a round, in a process of its own.
type bank struct{ process *provider.Process }

// profile is what the storm's tools state of it.
var profile = provider.Profile{Keyed: true, InFlight: time.Second}

func openBank(ctx context.Context, binary, journal string) (*bank, error) {
	p, err := provider.Start(ctx, binary, []string{"eval", "provider"}, provider.Settings{Journal: journal, Profile: profile})
	if err != nil {
		return nil, err
	}
	return &bank{p}, nil
}

func (b *bank) url() string { return b.process.URL }

// businessKey is what the provider counts by.
func businessKey(tool, ref string) string { return tool + ":" + ref }

// holdAfterCommit lets the first request make its effect and get no answer.
func (b *bank) holdAfterCommit(ctx context.Context, tool, ref string) error {
	return b.process.Plan(ctx, businessKey(tool, ref), eval.TimeoutAfterCommit)
}

// awaitEffects waits until so many effects were made.
func (b *bank) awaitEffects(ctx context.Context, count int) error {
	_, err := b.process.Await(ctx, func(c provider.Counts) bool {
		made := 0
		for _, n := range c.Effects {
			made += n
		}
		return made >= count
	})
	return err
}

func (b *bank) effects(ctx context.Context, key string) ([]eval.Effect, error) {
	return b.process.Effects(ctx, key)
}

// restart kills the provider and starts it again where it was. What it has done it still knows.
func (b *bank) restart(ctx context.Context) error {
	b.process.Kill()
	again, err := b.process.Restart(ctx)
	if err != nil {
		return err
	}
	b.process = again
	return nil
}

func (b *bank) close() { b.process.Kill() }
