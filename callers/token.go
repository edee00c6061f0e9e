package callers

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// TokenPrefix begins every token, so that scanners for leaked secrets can find one.
const TokenPrefix = "opl_"

// tokenBytes is the random part: as hard to guess as SHA-256 is to break, so that the hash needs neither salt nor
// stretching.
const tokenBytes = 32

// tokenLength is the length of a whole token.
var tokenLength = len(TokenPrefix) + base64.RawURLEncoding.EncodedLen(tokenBytes)

// hashPrefix begins a hash in the file of tokens.
const hashPrefix = "sha256:"

// NewToken makes a token from 32 bytes of the random source.
func NewToken(random io.Reader) (string, error) {
	var secret [tokenBytes]byte
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return "", fmt.Errorf("no random bytes for a token: %w", err)
	}
	return TokenPrefix + base64.RawURLEncoding.EncodeToString(secret[:]), nil
}

// HashToken is what a file keeps of a token: "sha256:" and 64 hex digits. The token cannot be had back from it.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hashPrefix + hex.EncodeToString(sum[:])
}

// looksLikeToken tells a token from other things that are pasted in its place, before anything is hashed.
func looksLikeToken(s string) bool {
	return len(s) == tokenLength && strings.HasPrefix(s, TokenPrefix)
}

// TokenHash is what is kept of a token.
type TokenHash [sha256.Size]byte

func parseHash(s string) (TokenHash, error) {
	var hash TokenHash
	digits, ok := strings.CutPrefix(s, hashPrefix)
	if !ok || len(digits) != 2*len(hash) {
		return hash, fmt.Errorf("a line begins with the hash of a token: %s and 64 hex digits (\"opledger tokens new\" prints one)", hashPrefix)
	}
	if _, err := hex.Decode(hash[:], []byte(digits)); err != nil {
		return hash, fmt.Errorf("the hash of the token is no hex: %w", err)
	}
	return hash, nil
}
