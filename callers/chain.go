package callers

import (
	"context"
	"strings"
)

// Chain takes several kinds of credentials. The form of a request's credential alone says who judges it, and what that one
// refuses is refused: no credential is handed on to the next, to pass there as something else. A request with an
// authorization header is judged by that header, whatever certificate its connection has, since in a mesh every
// connection has one.
type Chain struct {
	Tokens       Authenticator // of "opl_..." tokens; nil: none is taken, and so below
	JWT          Authenticator // of JSON Web Tokens
	Certificates Authenticator // of client certificates
}

var _ Authenticator = Chain{}

// Authenticate has the request's credential judged by the one for its form.
func (c Chain) Authenticate(ctx context.Context) (Caller, error) {
	token, given, err := bearerToken(ctx)
	if err != nil {
		return Caller{}, err
	}
	judge := c.Certificates
	switch {
	case given && strings.HasPrefix(token, TokenPrefix):
		judge = c.Tokens
	case given && looksLikeJWT(token):
		judge = c.JWT
	case given:
		return Caller{}, refuse(FaultWrongKind, "the token is none of a kind that is taken here; "+c.taken())
	default:
		certificate, err := certificateOf(ctx)
		if err != nil {
			return Caller{}, err
		}
		if certificate == nil {
			return Caller{}, refuse(FaultNoCredential, "the request bears no credential; "+c.taken())
		}
	}
	if judge == nil {
		return Caller{}, refuse(FaultWrongKind, "a credential of this kind is not taken here; "+c.taken())
	}
	return judge.Authenticate(ctx)
}

// taken says which credentials count.
func (c Chain) taken() string {
	var kinds []string
	if c.Tokens != nil {
		kinds = append(kinds, "\"authorization: Bearer "+TokenPrefix+"...\" with a token of this server")
	}
	if c.JWT != nil {
		kinds = append(kinds, "\"authorization: Bearer ...\" with a JSON Web Token of its issuer")
	}
	if c.Certificates != nil {
		kinds = append(kinds, "a client certificate")
	}
	return "this server takes " + strings.Join(kinds, ", or ")
}
