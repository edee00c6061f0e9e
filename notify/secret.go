package notify

import (
	"fmt"

	"github.com/opledger/opledger/internal/outward"
)

// SecretRef names where a server finds the secret that signs.
type SecretRef = outward.Place

// Secrets are the places that a server's operator has released.
type Secrets = outward.Secrets

// DefaultEnvPrefix begins the names of the environment variables that are released where nothing else is said.
const DefaultEnvPrefix = outward.DefaultEnvPrefix

// keyAt reads the key that a place holds. Errors name no content.
func keyAt(s *Secrets, ref SecretRef) ([]byte, error) {
	text, err := s.Read(ref)
	if err != nil {
		return nil, err
	}
	k, err := key(text)
	if err != nil {
		return nil, fmt.Errorf("%s %w", ref, err)
	}
	return k, nil
}
