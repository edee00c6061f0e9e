package callers

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

// tokenTypes are the types (RFC 8725, section 3.11) of tokens that let somebody in: the general one, and an access token.
// Others, such as logout tokens and proofs of possession, are signed by the same keys for other ends.
var tokenTypes = []string{"", "jwt", "at+jwt"}

// verify answers the payload of a token that the issuer has signed. What stands in the payload is not judged yet.
func (j *JWT) verify(ctx context.Context, token string) ([]byte, error) {
	if len(token) > maxJWTBytes {
		return nil, refuseJWT(FaultTooLarge, "a token is at most 16 KiB")
	}
	signed, err := jose.ParseSignedCompact(token, j.algorithms)
	var algorithm *jose.ErrUnexpectedSignatureAlgorithm
	if errors.As(err, &algorithm) {
		return nil, refuseJWT(FaultWrongAlgorithm, "it is none of "+strings.Join(j.config.Algorithms, ", "))
	}
	if err != nil || len(signed.Signatures) != 1 {
		return nil, refuseJWT(FaultMalformed, "it is no compact JSON Web Token")
	}
	header := signed.Signatures[0].Protected
	if _, critical := header.ExtraHeaders["crit"]; critical {
		return nil, refuseJWT(FaultWrongType, "the header demands an extension (crit)")
	}
	if !slices.Contains(tokenTypes, typeOf(header)) {
		return nil, refuseJWT(FaultWrongType, "the header's typ is neither JWT nor at+jwt")
	}
	// A stranger's token is turned away before it can make this server ask the issuer for new keys. Nothing is believed
	// of a payload that is not verified.
	if issuerOf(signed.UnsafePayloadWithoutVerification()) != j.config.Issuer {
		return nil, refuseJWT(FaultWrongIssuer, "the iss claim is not "+j.config.Issuer)
	}
	keys, err := j.config.Keys.find(ctx, header.KeyID, jose.SignatureAlgorithm(header.Algorithm))
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if payload, err := signed.Verify(key); err == nil {
			return payload, nil
		}
	}
	return nil, refuseJWT(FaultBadSignature, "")
}

// typeOf is the header's typ as RFC 7515, section 4.1.9, compares it.
func typeOf(header jose.Header) string {
	value, stated := header.ExtraHeaders[jose.HeaderType]
	if !stated {
		return ""
	}
	text, ok := value.(string)
	if !ok {
		return "?"
	}
	return strings.TrimPrefix(strings.ToLower(text), "application/")
}

func issuerOf(payload []byte) string {
	var c struct {
		Issuer string `json:"iss"`
	}
	if json.Unmarshal(payload, &c) != nil {
		return ""
	}
	return c.Issuer
}
