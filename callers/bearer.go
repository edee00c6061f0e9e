package callers

import (
	"context"
	"strings"

	"google.golang.org/grpc/metadata"
)

// bearerToken is the token of the call's authorization header, and whether there is such a header at all.
func bearerToken(ctx context.Context) (token string, given bool, err error) {
	md, _ := metadata.FromIncomingContext(ctx)
	values := md.Get("authorization")
	switch len(values) {
	case 0:
		return "", false, nil
	case 1:
	default: // which of them counts would be a guess
		return "", true, refuse(FaultSeveralCredentials, "the request has more than one authorization header")
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "bearer") || token == "" {
		return "", true, refuse(FaultWrongKind, "the authorization header has to be \"Bearer\" and a token")
	}
	return token, true, nil
}
