package main

import (
	"context"
	"os"
	"os/signal"
	"time"
)

// tokensLook is how often the file of tokens is looked at: how long a withdrawn token is let in at most.
const tokensLook = 5 * time.Second

// watchTokens keeps the file of tokens in force up to date.
func (p *process) watchTokens(ctx context.Context) {
	if p.tokens == nil {
		return
	}
	hangup := make(chan os.Signal, 1)
	if len(reloadSignals) > 0 { // none at all would mean every signal
		signal.Notify(hangup, reloadSignals...)
		defer signal.Stop(hangup)
	}
	look := time.NewTicker(tokensLook)
	defer look.Stop()
	p.tokens.Watch(ctx, look.C, hangup, func(err error) {
		if err != nil {
			p.log.Error("the file of tokens cannot be read; the tokens read before stay in force", "error", err)
			return
		}
		p.log.Info("the file of tokens was read again", "tokens", p.tokens.Count())
		for _, w := range p.tokens.Warnings() {
			p.log.Warn(w)
		}
	})
}
