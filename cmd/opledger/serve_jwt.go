package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/ledger"
)

// jwtOptions say which tokens of an issuer let callers in, and as whom.
type jwtOptions struct {
	oidcIssuer       string // its keys are discovered
	issuer, jwksFile string // its keys are in a file
	audience         string
	algorithms       []string
	leeway           time.Duration
	namespace        string
	roles            []string
	mapping          callers.Mapping
}

func (o *jwtOptions) addFlags(flags *pflag.FlagSet) {
	m := &o.mapping
	flags.StringVar(&o.oidcIssuer, "oidc-issuer", "", "URL of the OpenID Connect issuer whose tokens let callers in; its keys are discovered there")
	flags.StringVar(&o.jwksFile, "jwt-jwks-file", "", "in place of --oidc-issuer: JSON file of the issuer's public keys (a JSON Web Key Set)")
	flags.StringVar(&o.issuer, "jwt-issuer", "", "with --jwt-jwks-file: the issuer's name, as the iss claim has it")
	flags.StringVar(&o.audience, "jwt-audience", "", "what the aud claim has to name (required for an issuer's tokens)")
	flags.StringSliceVar(&o.algorithms, "jwt-algorithms", callers.Algorithms, "the algorithms by which a token may be signed")
	flags.DurationVar(&o.leeway, "jwt-leeway", callers.DefaultLeeway, "by how much the issuer's clock and this one may differ")
	flags.StringVar(&o.namespace, "jwt-namespace", "", fmt.Sprintf("the namespace of every bearer (%q unless --jwt-namespace-claim is given)", callers.LocalNamespace))
	flags.StringVar(&m.NamespaceClaim, "jwt-namespace-claim", "", "the claim that names the bearer's namespace")
	flags.StringVar(&m.PrincipalClaim, "jwt-principal-claim", "sub", "the claim under which the bearer is recorded")
	flags.StringVar(&m.PersonClaim, "jwt-person-claim", "email", "the claim that names the human being; email counts only where email_verified is true")
	flags.StringVar(&m.RolesClaim, "jwt-roles-claim", "roles", "the claim that lists the roles, also within others: realm_access.roles")
	flags.StringSliceVar(&o.roles, "jwt-role", nil, "a value of that claim and the role that it stands for, VALUE=ROLE; without any, the values are roles' names")
	flags.StringVar(&m.GroupPrefix, "jwt-group-prefix", "", "what the values of roles and teams begin with that are meant for Opledger; it is cut off")
	flags.StringVar(&m.TeamsClaim, "jwt-teams-claim", "", "the claim that lists the teams by which rules and approvals know the bearer")
	flags.StringVar(&m.ToolsClaim, "jwt-tools-claim", "", "the claim that lists the tools that the bearer may propose; without the flag all of them")
}

// asked reports whether an issuer's tokens let anybody in.
func (o jwtOptions) asked() bool {
	return o.oidcIssuer != "" || o.jwksFile != "" || o.issuer != "" || o.audience != ""
}

func (o jwtOptions) issuerName() string {
	if o.oidcIssuer != "" {
		return o.oidcIssuer
	}
	return o.issuer
}

// openedKeys is where an issuer's keys come from.
type openedKeys struct {
	keys    callers.Keys
	file    *callers.KeysFile // nil: discovered
	warning string
}

// open makes the judge of an issuer's tokens.
func (o jwtOptions) open(ctx context.Context) (*callers.JWT, openedKeys, error) {
	if err := o.check(); err != nil {
		return nil, openedKeys{}, err
	}
	config := callers.JWTConfig{Issuer: o.issuerName(), Audience: o.audience, Algorithms: o.algorithms, Leeway: o.leeway, Mapping: o.mapping}
	if config.Mapping.Namespace = ledger.Namespace(o.namespace); o.namespace == "" && o.mapping.NamespaceClaim == "" {
		config.Mapping.Namespace = callers.LocalNamespace
	}
	var err error
	if config.Mapping.RoleOf, err = parseRoleValues(o.roles); err != nil {
		return nil, openedKeys{}, err
	}
	opened, err := o.openKeys(ctx)
	if err != nil {
		return nil, openedKeys{}, err
	}
	config.Keys = opened.keys
	jwt, err := callers.NewJWT(config)
	if err != nil {
		return nil, openedKeys{}, &usageError{err}
	}
	return jwt, opened, nil
}

func (o jwtOptions) check() error {
	switch {
	case o.oidcIssuer != "" && (o.jwksFile != "" || o.issuer != ""):
		return usagef("--oidc-issuer discovers the issuer's keys; leave it out to read them with --jwt-issuer and --jwt-jwks-file")
	case o.oidcIssuer == "" && (o.jwksFile == "" || o.issuer == ""):
		return usagef("an issuer's tokens need its keys: give --oidc-issuer, or --jwt-issuer with --jwt-jwks-file")
	case o.audience == "":
		return usagef("an issuer's tokens need --jwt-audience: without one, a token made for any other service would count here")
	}
	return nil
}

func (o jwtOptions) openKeys(ctx context.Context) (k openedKeys, err error) {
	if o.jwksFile != "" {
		if k.file, err = callers.OpenKeys(o.jwksFile); err != nil {
			return k, fmt.Errorf("--jwt-jwks-file: %w", err)
		}
		k.keys = k.file
		return k, nil
	}
	keys, warning, err := callers.DiscoverKeys(ctx, o.oidcIssuer, time.Now, nil)
	if err != nil {
		return k, fmt.Errorf("--oidc-issuer: %w", err)
	}
	return openedKeys{keys: keys, warning: warning}, nil
}

// parseRoleValues reads --jwt-role. One value may stand for several roles.
func parseRoleValues(pairs []string) (map[string][]callers.Role, error) {
	roles := map[string][]callers.Role{}
	for _, pair := range pairs {
		at := strings.LastIndex(pair, "=")
		if at < 1 || at == len(pair)-1 {
			return nil, usagef("--jwt-role %q is not of the form VALUE=ROLE", pair)
		}
		roles[pair[:at]] = append(roles[pair[:at]], callers.Role(pair[at+1:]))
	}
	return roles, nil
}
