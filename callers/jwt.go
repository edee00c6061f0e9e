package callers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	// DefaultLeeway is by how much the clocks of an issuer and of this server may differ unless stated.
	DefaultLeeway = 30 * time.Second
	// MaxLeeway bounds it: a token would live on for longer than anybody expects.
	MaxLeeway = 5 * time.Minute
	// maxJWTBytes bounds a token before anything of it is read. Those of large directories, with hundreds of groups, stay
	// below it.
	maxJWTBytes = 16 << 10
)

// Algorithms are those by which a token may be signed. All of them are asymmetric: who can check a token cannot make one.
// "none" and the HMACs are not among them and cannot be configured.
var Algorithms = []string{
	string(jose.RS256), string(jose.RS384), string(jose.RS512), string(jose.PS256), string(jose.PS384), string(jose.PS512),
	string(jose.ES256), string(jose.ES384), string(jose.ES512), string(jose.EdDSA),
}

// JWTConfig says which tokens of an issuer count, and whom they let in.
type JWTConfig struct {
	// Issuer is the iss claim, letter for letter.
	Issuer string
	// Audience is what the aud claim has to name: this installation, so that a token made for another service is none here.
	Audience string
	// Keys are the issuer's: OpenKeys or DiscoverKeys.
	Keys Keys
	// Algorithms narrows those that count; empty: Algorithms.
	Algorithms []string
	// Leeway is by how much clocks may differ; zero: not at all.
	Leeway  time.Duration
	Mapping Mapping
	// Clock tells whether a token has expired; nil: the system's.
	Clock func() time.Time
}

// JWT lets in the bearers of JSON Web Tokens (RFC 7519) that one issuer has signed.
type JWT struct {
	config     JWTConfig
	algorithms []jose.SignatureAlgorithm
}

var _ Authenticator = (*JWT)(nil)

// NewJWT checks the configuration. An error says which setting is missing or wrong.
func NewJWT(config JWTConfig) (*JWT, error) {
	switch {
	case config.Issuer == "":
		return nil, errors.New("tokens of an issuer need its name: what their iss claim says")
	case config.Audience == "":
		return nil, errors.New("tokens of an issuer need an audience: without one, a token made for any other service would count here")
	case config.Keys == nil:
		return nil, errors.New("tokens of an issuer need its keys")
	case config.Leeway < 0 || config.Leeway > MaxLeeway:
		return nil, fmt.Errorf("the leeway %s is not within 0 and %s", config.Leeway, MaxLeeway)
	}
	if err := config.Mapping.check(); err != nil {
		return nil, err
	}
	if len(config.Algorithms) == 0 {
		config.Algorithms = Algorithms
	}
	if config.Clock == nil {
		config.Clock = time.Now
	}
	j := &JWT{config: config}
	for _, name := range config.Algorithms {
		if !slices.Contains(Algorithms, name) {
			return nil, fmt.Errorf("the algorithm %q is none by which a token may be signed here; they are %s", name, strings.Join(Algorithms, ", "))
		}
		j.algorithms = append(j.algorithms, jose.SignatureAlgorithm(name))
	}
	return j, nil
}

// Authenticate lets in the bearer of the request's token.
func (j *JWT) Authenticate(ctx context.Context) (Caller, error) {
	token, given, err := bearerToken(ctx)
	if err != nil {
		return Caller{}, err
	}
	if !given {
		return Caller{}, refuse(FaultNoCredential, "this server lets in the bearers of an issuer's tokens only: send \"authorization: Bearer\" and a JSON Web Token")
	}
	return j.Identify(ctx, token)
}

// Identify tells whom a token lets in.
func (j *JWT) Identify(ctx context.Context, token string) (Caller, error) {
	payload, err := j.verify(ctx, token)
	if err != nil {
		return Caller{}, err
	}
	c, err := readClaims(payload)
	if err != nil {
		return Caller{}, refuseJWT(FaultMalformed, "the payload is no JSON object")
	}
	if err := j.checkClaims(c); err != nil {
		return Caller{}, err
	}
	return j.config.Mapping.caller(c)
}

// refuseJWT refuses a token. The caller is told that it does not count, and of all reasons only that it has expired, which
// says nothing that its holder could not read in it.
func refuseJWT(fault Fault, detail string) error {
	message := "the token does not count here; obtain one that your issuer made for this server"
	if fault == FaultExpired {
		message = "the token has expired; obtain a new one"
	}
	return &UnauthenticatedError{Message: message, Fault: fault, Detail: detail}
}

// looksLikeJWT tells a compact JSON Web Token, three parts with dots between, from other bearer tokens.
func looksLikeJWT(s string) bool {
	return strings.Count(s, ".") == 2 && !strings.HasPrefix(s, TokenPrefix)
}
