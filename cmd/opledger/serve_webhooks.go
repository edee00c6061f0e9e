package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/server"
)

// webhookOptions say whose webhooks are taken in.
type webhookOptions struct {
	sources  string
	unsigned bool
}

func (o *webhookOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.sources, "webhook-sources", "", "the file that says whose webhooks are taken in at /webhooks/NAMESPACE/SOURCE, and what they mean")
	flags.BoolVar(&o.unsigned, "webhook-unsigned", false, "take a source that signs nothing (preset none); whoever reaches the server can then speak for that provider")
}

// sourcesFile is the file of sources, which is read again when it changes.
type sourcesFile struct {
	*callers.Watched[*inbox.Sources]
	secrets outward.Secrets
}

// open reads the file, where there is one, and lets it be watched with the files of callers.
func (o *webhookOptions) open(l *letIn, secrets outward.Secrets) (server.Inbox, error) {
	if o.sources == "" {
		return server.Inbox{}, nil
	}
	watched, err := callers.OpenWatched(o.sources, func(path string, data []byte) (*inbox.Sources, error) {
		return inbox.Parse(path, data, inbox.Options{Unsigned: o.unsigned})
	})
	if err != nil {
		return server.Inbox{}, fmt.Errorf("--webhook-sources: %w", err)
	}
	f := &sourcesFile{Watched: watched, secrets: secrets}
	l.add(watchedFile{"the file of webhook sources", "webhook_sources", f})
	return server.Inbox{Sources: watched.Content, Secrets: secrets}, nil
}

// Count is the number of sources.
func (f *sourcesFile) Count() int { return len(f.Content().All()) }

// Warnings say which sources' deliveries cannot be checked, or are not.
func (f *sourcesFile) Warnings() []string {
	warnings := f.Watched.Warnings()
	for _, s := range f.Content().All() {
		name := string(s.Namespace) + "/" + s.Name
		if _, err := s.Keys(&f.secrets); err != nil {
			warnings = append(warnings, fmt.Sprintf("no delivery of the webhook source %s can be checked: %v", name, err))
		}
		if !s.Signs() {
			warnings = append(warnings, fmt.Sprintf("the webhook source %s signs nothing: whoever reaches this server can speak for that provider", name))
		}
	}
	return warnings
}
