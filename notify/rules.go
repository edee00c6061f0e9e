package notify

import (
	"errors"
	"fmt"

	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/ledger"
)

// Rules are what a server's operator allows subscriptions to name. A zero value allows public https addresses and no
// secret, hence no subscription at all.
type Rules struct {
	AllowHTTP    bool // addresses that are not encrypted
	AllowPrivate bool // addresses of this machine and of private networks
	Secrets      Secrets
}

// Fault is what is wrong with a part of terms.
type Fault struct {
	Path    string // in the API's SubscriptionTerms
	Message string
}

// Check says what about the terms of a namespace the operator does not allow, or what could not be signed. It reads the secrets, and lets
// them go.
func (r *Rules) Check(ns ledger.Namespace, t *Terms) (faults []Fault) {
	secrets := r.Secrets.Of(string(ns))
	if err := r.checkURL(t.URL); err != nil {
		faults = append(faults, Fault{"url", err.Error()})
	}
	if _, err := keyAt(&secrets, t.Secret); err != nil {
		faults = append(faults, Fault{"signing_secret", secretFault(err)})
	}
	if t.Previous != nil {
		if _, err := keyAt(&secrets, *t.Previous); err != nil {
			faults = append(faults, Fault{"previous_signing_secret", secretFault(err)})
		}
	}
	return faults
}

func secretFault(err error) string {
	if errors.Is(err, outward.ErrNotReleased) {
		return fmt.Sprintf("%s (flags --secrets-env-prefix and --secrets-dir)", err)
	}
	return err.Error()
}
