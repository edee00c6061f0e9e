package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/pflag"

	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/notify"
)

// notifyOptions say what subscriptions to notifications may name.
type notifyOptions struct {
	allowPrivate, allowHTTP bool
	secretsDir              string
	secretsEnvPrefix        string
	secretsPerNamespace     bool
}

func (o *notifyOptions) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.allowPrivate, "notify-allow-private", false,
		"let notifications be sent to this machine and to private networks; whoever administers a namespace can then reach them")
	flags.BoolVar(&o.allowHTTP, "notify-allow-http", false, "let notifications be sent unencrypted")
	flags.StringVar(&o.secretsDir, "secrets-dir", "", "the folder with secrets that tools and subscriptions may name by file")
	flags.StringVar(&o.secretsEnvPrefix, "secrets-env-prefix", notify.DefaultEnvPrefix,
		"how the names of environment variables begin that tools and subscriptions may name as secrets; \"\": none may be")
	flags.BoolVar(&o.secretsPerNamespace, "secrets-per-namespace", false,
		"let tools and subscriptions name secrets of their own namespace alone (OPLEDGER_SECRET_SHOP__KEY, or a file in the folder shop); without it whoever administers any namespace can use every secret, and learn it")
}

// rules are what the options allow.
func (o *notifyOptions) rules() notify.Rules {
	return notify.Rules{
		AllowPrivate: o.allowPrivate, AllowHTTP: o.allowHTTP, Secrets: notify.Secrets{EnvPrefix: o.secretsEnvPrefix, Dir: o.secretsDir, PerNamespace: o.secretsPerNamespace},
	}
}

// deliverer makes the loop that sends notifications.
func (o *notifyOptions) deliverer(l *transact.Ledger, observer notify.Observer, log *slog.Logger) (*notify.Deliverer, error) {
	if o.secretsDir != "" {
		if info, err := os.Stat(o.secretsDir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--secrets-dir %s is no folder that this server can read", o.secretsDir)
		}
	}
	return notify.New(notify.Config{Ledger: l, Claimer: claimerName(), Rules: o.rules(), Observer: observer, Logger: log})
}
