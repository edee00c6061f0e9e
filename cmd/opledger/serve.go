package main

import (
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/server/admin"
)

// serveOptions are the flags of "opledger serve".
type serveOptions struct {
	databaseURL     string
	listen          string
	adminListen     string
	logFormat       string
	logLevel        string
	execMode        string
	httpHosts       []string
	httpOrigins     []string
	tlsCert, tlsKey string
	writers         int
	shutdownTimeout time.Duration
	profiles        bool
	noMigrate       bool
	allowPlaintext  bool
	callers         callersOptions
	notify          notifyOptions
	webhooks        webhookOptions
	http            httpOptions
}

func newServe() *cobra.Command {
	o := &serveOptions{}
	cmd := &cobra.Command{
		Use: "serve", Short: "Run the server; no flag is needed", Args: cobra.NoArgs,
		Long: "Runs the server. Without any flag it keeps a SQLite file in your data folder, listens on loopback alone, and is open to\n" +
			"whoever runs on this machine, as the principal \"local\" of the namespace \"default\".\n\n" +
			"SIGTERM and Ctrl-C drain it: no new call is taken, those under way end. SIGHUP reads the file of tokens again, which\n" +
			"happens by itself as well when the file changes; so too the files of certificates and of an issuer's keys.",
		Example: "  opledger serve\n" +
			"  opledger serve --database-url postgres://opledger@db/opledger --listen :7117 --tokens /etc/opledger/tokens --tls-cert tls.crt --tls-key tls.key\n" +
			"  opledger serve --oidc-issuer https://login.example --jwt-audience opledger --jwt-role support=approve,ops=administer",
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := newLogger(cmd.ErrOrStderr(), o.logFormat, o.logLevel)
			if err != nil {
				return err
			}
			return serve(cmd.Context(), *o, log)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.databaseURL, "database-url", "", databaseUsage)
	flags.StringVar(&o.listen, "listen", defaultServer, "where calls are taken, gRPC and JSON over HTTP alike")
	flags.StringVar(&o.adminListen, "admin-listen", admin.DefaultAddress, "where metrics, /healthz and /readyz are given; \"off\": nowhere")
	o.callers.addFlags(flags)
	o.notify.addFlags(flags)
	o.webhooks.addFlags(flags)
	o.http.addFlags(flags)
	flags.StringVar(&o.logFormat, "log-format", "text", "text or json")
	flags.StringVar(&o.logLevel, "log-level", "info", "debug, info, warn or error; debug tells of each call")
	flags.StringVar(&o.execMode, "pgx-exec-mode", "", "how statements are sent to PostgreSQL; behind a pooler of transactions: exec or cache_describe")
	flags.StringSliceVar(&o.httpHosts, "http-hosts", nil, "host names beside loopback's under which JSON calls are taken")
	flags.StringVar(&o.tlsCert, "tls-cert", "", "PEM file of the server's certificate chain; with --tls-key every call is encrypted")
	flags.StringVar(&o.tlsKey, "tls-key", "", "PEM file of the certificate's private key")
	flags.BoolVar(&o.allowPlaintext, "allow-plaintext", false, "take calls of other machines unencrypted: something in front of this server encrypts the way to it")
	flags.StringSliceVar(&o.httpOrigins, "http-origins", nil, "origins of web pages that may call")
	flags.IntVar(&o.writers, "writers", transact.DefaultWriters, "transactions at a time; few with many commands are faster than many with few")
	flags.DurationVar(&o.shutdownTimeout, "shutdown-timeout", 20*time.Second, "how long calls under way may take to end when the server stops")
	flags.BoolVar(&o.profiles, "profiles", false, "give profiles of the program at /debug/pprof/ of the admin port")
	flags.BoolVar(&o.noMigrate, "no-migrate", false, "refuse to start where the schema is older, in place of bringing it up to date")
	allowEnvironment(flags)
	must(cmd.RegisterFlagCompletionFunc("log-format", completeWords("text", "json")))
	must(cmd.RegisterFlagCompletionFunc("log-level", completeWords("debug", "info", "warn", "error")))
	must(cmd.MarkFlagDirname("secrets-dir"))
	must(cmd.RegisterFlagCompletionFunc("jwt-algorithms", completeWords(callers.Algorithms...)))
	return cmd
}

// newLogger makes the log of a server.
func newLogger(w io.Writer, format, level string) (*slog.Logger, error) {
	options := &slog.HandlerOptions{}
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, usagef("--log-level %q is none of debug, info, warn, error", level)
	}
	options.Level = l
	switch strings.ToLower(format) {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, usagef("--log-format %q is neither text nor json", format)
}
