package callers

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-jose/go-jose/v4"
)

// Keys are the public keys of an issuer: those of a file (OpenKeys) or those that it publishes (DiscoverKeys).
type Keys interface {
	// find answers the keys that may have made a signature by the algorithm, of the key id that the token's header states
	// or of any where it states none. Where there is none, the error is an UnauthenticatedError.
	find(ctx context.Context, id string, algorithm jose.SignatureAlgorithm) ([]any, error)
}

const (
	// maxKeys bounds a set, and so how often a signature of an unnamed key is tried.
	maxKeys = 100
	// minRSABits is what NIST SP 800-131A still allows for signatures.
	minRSABits = 2048
)

// keySet are the keys of a JSON Web Key Set (RFC 7517) that can check a token's signature.
type keySet []jose.JSONWebKey

// parseKeySet reads a set. Keys of other kinds and for other uses are passed over. A set with a secret in it is refused
// whole: who can read it could make tokens.
func parseKeySet(data []byte) (keySet, error) {
	var raw struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("it is no JSON Web Key Set: %w", err)
	}
	if len(raw.Keys) > maxKeys {
		return nil, fmt.Errorf("it has %d keys; at most %d are read", len(raw.Keys), maxKeys)
	}
	var set keySet
	for i, text := range raw.Keys {
		var key jose.JSONWebKey
		if err := json.Unmarshal(text, &key); errors.Is(err, jose.ErrUnsupportedKeyType) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("key %d of the set cannot be read", i+1) // the error may show a part of a private key
		}
		if _, symmetric := key.Key.([]byte); symmetric || !key.IsPublic() {
			return nil, fmt.Errorf("key %d of the set is no public key: whoever reads it could make tokens. Replace it everywhere, and publish public keys only", i+1)
		}
		if len(algorithmsOf(key)) > 0 && (key.Use == "" || key.Use == "sig") {
			set = append(set, key)
		}
	}
	if len(set) == 0 {
		return nil, errors.New("it has no key that can check a signature (RSA of 2048 bits or more, P-256, P-384, P-521, Ed25519)")
	}
	return set, nil
}

// fitting are the keys of the id, or of any where it is empty, that can have signed by the algorithm.
func (s keySet) fitting(id string, algorithm jose.SignatureAlgorithm) []any {
	var found []any
	for _, key := range s {
		if (id == "" || key.KeyID == id) && slices.Contains(algorithmsOf(key), algorithm) {
			found = append(found, key.Key)
		}
	}
	return found
}

// algorithmsOf are the algorithms that a key can sign by: the one that the key itself states, or those of its kind. Empty
// where there is none.
func algorithmsOf(key jose.JSONWebKey) []jose.SignatureAlgorithm {
	var all []jose.SignatureAlgorithm
	switch k := key.Key.(type) {
	case *rsa.PublicKey:
		if k.N.BitLen() >= minRSABits {
			all = []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512}
		}
	case *ecdsa.PublicKey:
		switch k.Curve {
		case elliptic.P256():
			all = []jose.SignatureAlgorithm{jose.ES256}
		case elliptic.P384():
			all = []jose.SignatureAlgorithm{jose.ES384}
		case elliptic.P521():
			all = []jose.SignatureAlgorithm{jose.ES512}
		}
	case ed25519.PublicKey:
		all = []jose.SignatureAlgorithm{jose.EdDSA}
	}
	if key.Algorithm == "" {
		return all
	}
	return slices.DeleteFunc(all, func(a jose.SignatureAlgorithm) bool { return string(a) != key.Algorithm })
}

// KeysFile are the keys in a file, which is read again when it changes.
type KeysFile struct{ reloaded[keySet] }

var _ Keys = (*KeysFile)(nil)

// OpenKeys reads a file with a JSON Web Key Set.
func OpenKeys(path string) (*KeysFile, error) {
	f := &KeysFile{reloaded[keySet]{path: path, parse: func(path string, data []byte) (keySet, error) {
		set, err := parseKeySet(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return set, nil
	}}}
	if err := f.Reload(); err != nil {
		return nil, err
	}
	return f, nil
}

// Count is the number of keys.
func (f *KeysFile) Count() int { return len(f.content()) }

func (f *KeysFile) find(_ context.Context, id string, algorithm jose.SignatureAlgorithm) ([]any, error) {
	if found := f.content().fitting(id, algorithm); len(found) > 0 {
		return found, nil
	}
	return nil, refuseJWT(FaultUnknownKey, "the file of keys has none of the token's key id and algorithm")
}
