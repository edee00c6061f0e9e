package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"time"
)

// callersLook is how often the files that let callers in are looked at: how long a withdrawn credential counts at most.
const callersLook = 5 * time.Second

// watchedFile is a file that lets callers in, and is read again when it changes.
type watchedFile struct {
	name  string // "the file of tokens"
	count string // what it counts
	file  interface {
		Watch(ctx context.Context, look <-chan time.Time, signal <-chan os.Signal, told func(error))
		Count() int
		Warnings() []string
	}
}

// watch keeps what the file says in force up to date.
func (w watchedFile) watch(ctx context.Context, log *slog.Logger) {
	hangup := make(chan os.Signal, 1)
	if len(reloadSignals) > 0 { // none at all would mean every signal
		signal.Notify(hangup, reloadSignals...)
		defer signal.Stop(hangup)
	}
	look := time.NewTicker(callersLook)
	defer look.Stop()
	w.file.Watch(ctx, look.C, hangup, func(err error) {
		if err != nil {
			log.Error(w.name+" cannot be read; what was read before stays in force", "error", err)
			return
		}
		log.Info(w.name+" was read again", w.count, w.file.Count())
		for _, warning := range w.file.Warnings() {
			log.Warn(warning)
		}
	})
}
