package callers

import (
	"context"
	"crypto/sha256"
)

// Store keeps the hashes of tokens, and whom their bearers are let in as. Its answers are safe for concurrent use.
type Store interface {
	// LookupToken finds whose token has the hash. It compares the whole hash in constant time. An error says that the
	// store could not be asked.
	LookupToken(ctx context.Context, hash TokenHash) (caller Caller, found bool, err error)
}

// Tokens lets in the bearers of the tokens whose hashes are in one of several stores, such as a file for the first
// administrator and a database for everybody else. A token that stands in two of them is what the first one says.
type Tokens []Store

var _ Authenticator = Tokens{}

// Authenticate finds the bearer of the request's token.
func (s Tokens) Authenticate(ctx context.Context) (Caller, error) {
	token, given, err := bearerToken(ctx)
	if err != nil {
		return Caller{}, err
	}
	if !given {
		return Caller{}, refuse(FaultNoCredential, "this server lets in the bearers of tokens only: send \"authorization: Bearer "+TokenPrefix+"...\"")
	}
	if looksLikeToken(token) {
		hash := TokenHash(sha256.Sum256([]byte(token)))
		for _, store := range s {
			if caller, found, err := store.LookupToken(ctx, hash); err != nil || found {
				return caller, err
			}
		}
	}
	return Caller{}, refuse(FaultUnknownToken, "the token is not known to this server; obtain a valid one")
}
