package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/opledger/opledger/callers"
)

// callersOptions say who is let in. Without any, whoever runs on this machine is.
type callersOptions struct {
	tokens                string
	databaseTokens        bool
	clientCA, clientCerts string
	jwt                   jwtOptions
}

func (o *callersOptions) addFlags(flags *pflag.FlagSet) {
	o.addTokenFlags(flags)
	flags.BoolVar(&o.databaseTokens, "database-tokens", false, "let in the bearers of the tokens in the database (\"opledger tokens create\" makes one)")
	flags.StringVar(&o.clientCA, "client-ca", "", "PEM file of the CAs that clients' certificates are verified against")
	flags.StringVar(&o.clientCerts, "client-certs", "", "the file of clients' certificates that let callers in: lines as for --tokens, with spiffe://... or cn:NAME in place of the hash")
}

// addTokenFlags are the flags of what callers send in a header.
func (o *callersOptions) addTokenFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.tokens, "tokens", "", "the file of tokens that let callers in (\"opledger tokens new\" makes a line for it)")
	o.jwt.addFlags(flags)
}

// letIn is who is let in, as the flags say.
type letIn struct {
	authenticator callers.Authenticator
	anybodyHere   bool                // no credential is asked for; only this machine is served
	certificates  *clientCertificates // nil: none counts
	files         []watchedFile
	database      *lateRecords // nil: no tokens of the database are let in
	facts         []any        // for the log's line at the start
	weaker        []string
}

// open reads the files of callers, and asks an issuer for its keys.
func (o callersOptions) open(ctx context.Context, log *slog.Logger) (*letIn, error) {
	l, chain := &letIn{}, callers.Chain{}
	for _, open := range []func() error{
		func() error { return o.openTokens(l, &chain) },
		func() error { return o.openCertificates(l, &chain) },
		func() error { return o.openIssuer(ctx, l, &chain) },
	} {
		if err := open(); err != nil {
			return nil, err
		}
	}
	if o.databaseTokens {
		l.database = &lateRecords{}
		stores := callers.Tokens{callers.Remember(callers.Database{Records: l.database}, time.Now)}
		if f, ok := chain.Tokens.(*callers.File); ok {
			stores = slices.Insert(stores, 0, callers.Store(f))
		}
		chain.Tokens = stores
		l.facts = append(l.facts, "database_tokens", true)
	}
	if chain.Tokens == nil && chain.JWT == nil && chain.Certificates == nil {
		l.authenticator, l.anybodyHere = callers.Local{}, true
		return l, nil
	}
	if l.certificates != nil {
		l.certificates.required = chain.Tokens == nil && chain.JWT == nil
	}
	l.authenticator = callers.NewLogged(chain, log, time.Now)
	return l, nil
}

func (o callersOptions) openTokens(l *letIn, chain *callers.Chain) error {
	if o.tokens == "" {
		return nil
	}
	f, err := callers.OpenFile(o.tokens)
	if err != nil {
		return fmt.Errorf("--tokens: %w", err)
	}
	chain.Tokens = f
	l.add(watchedFile{"the file of tokens", "tokens", f})
	return nil
}

func (o callersOptions) openIssuer(ctx context.Context, l *letIn, chain *callers.Chain) error {
	if !o.jwt.asked() {
		return nil
	}
	jwt, opened, err := o.jwt.open(ctx)
	if err != nil {
		return err
	}
	chain.JWT = jwt
	l.facts = append(l.facts, "issuer", o.jwt.issuerName(), "audience", o.jwt.audience)
	if opened.file != nil {
		l.add(watchedFile{"the file of an issuer's keys", "issuer_keys", opened.file})
	}
	if opened.warning != "" {
		l.weaker = append(l.weaker, opened.warning)
	}
	return nil
}

func (o callersOptions) openCertificates(l *letIn, chain *callers.Chain) error {
	if (o.clientCA == "") != (o.clientCerts == "") {
		return usagef("--client-ca and --client-certs belong together: the one says which certificates are real, the other whom they let in")
	}
	if o.clientCA == "" {
		return nil
	}
	authorities, err := readAuthorities(o.clientCA)
	if err != nil {
		return err
	}
	m, err := callers.OpenCertificates(o.clientCerts)
	if err != nil {
		return fmt.Errorf("--client-certs: %w", err)
	}
	chain.Certificates, l.certificates = m, &clientCertificates{authorities: authorities}
	l.add(watchedFile{"the file of client certificates", "client_certificates", m})
	return nil
}

func (l *letIn) add(f watchedFile) {
	l.files = append(l.files, f)
	l.facts = append(l.facts, f.count, f.file.Count())
}

// warnings say what about the credentials is weaker than it should be.
func (l *letIn) warnings() []string {
	all := l.weaker
	for _, f := range l.files {
		all = append(all, f.file.Warnings()...)
	}
	return all
}

// lateRecords are the records of a database that is opened after it was said who is let in, and before the first call.
type lateRecords struct{ callers.Records }
