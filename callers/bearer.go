package callers

import (
	"context"
	"strings"

	"google.golang.org/grpc/metadata"
)

// bearerToken is the token of the call's authorization header, empty where there is none.
func bearerToken(ctx context.Context) (string, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	values := md.Get("authorization")
	switch len(values) {
	case 0:
		return "", nil
	case 1:
	default: // which of them counts would be a guess
		return "", &UnauthenticatedError{"the request has more than one authorization header"}
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "bearer") {
		return "", &UnauthenticatedError{"the authorization header has to be \"Bearer\" and a token"}
	}
	return strings.TrimSpace(token), nil
}
