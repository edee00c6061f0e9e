package callers

import (
	"fmt"

	"github.com/opledger/opledger/ledger"
)

// Fault is a stable word for why a request was not let in. It stands in the server's log, for operators, and is not told
// to the caller: who tries credentials is not to learn how close they came.
type Fault string

// The faults of every kind of credential.
const (
	FaultNoCredential       Fault = "no_credential"
	FaultSeveralCredentials Fault = "several_credentials" // more than one authorization header
	FaultWrongKind          Fault = "wrong_kind"          // a kind of credential that this server does not take
	FaultUnknownToken       Fault = "unknown_token"
	FaultNotLocal           Fault = "not_local" // a server without credentials was called from elsewhere
	FaultRolesNotApart      Fault = "roles_not_apart"
	FaultNoPerson           Fault = "no_person" // a role of a person's, and no person
	FaultUnusableName       Fault = "unusable_name"
)

// The faults of a JSON Web Token.
const (
	FaultMalformed      Fault = "malformed"
	FaultTooLarge       Fault = "too_large"
	FaultWrongType      Fault = "wrong_type" // the header's typ: a token made for something else
	FaultWrongAlgorithm Fault = "wrong_algorithm"
	FaultWrongIssuer    Fault = "wrong_issuer"
	FaultUnknownKey     Fault = "unknown_key"
	FaultBadSignature   Fault = "bad_signature"
	FaultWrongAudience  Fault = "wrong_audience"
	FaultExpired        Fault = "expired"
	FaultNotYetValid    Fault = "not_yet_valid"
)

// The faults of a client certificate.
const (
	FaultUnverifiedCertificate Fault = "unverified_certificate"
	FaultAmbiguousCertificate  Fault = "ambiguous_certificate"
	FaultUnknownCertificate    Fault = "unknown_certificate"
)

// UnauthenticatedError says that a request bears no credential that counts. The message says what to do, and never which
// part of a credential was wrong.
type UnauthenticatedError struct {
	Message string
	Fault   Fault
	// Detail is for operators beside the fault: what the server looked for and did not find. It holds nothing that came
	// with the request.
	Detail string
}

func (e *UnauthenticatedError) Error() string { return e.Message }

func refuse(fault Fault, message string) error {
	return &UnauthenticatedError{Message: message, Fault: fault}
}

// DeniedError says that a caller lacks a role.
type DeniedError struct {
	Principal ledger.Principal
	Role      Role
}

func (e *DeniedError) Error() string {
	return fmt.Sprintf("the credential of %s does not have the role %s", e.Principal, e.Role)
}
