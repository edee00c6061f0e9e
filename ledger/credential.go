package ledger

import "time"

// credentialNamespace is where credentials are kept: whose namespace a token is of is known only once it is found. No
// namespace of callers has this name.
const credentialNamespace Namespace = "*"

// Credential is a token of a caller. Its id is the hash of the token, which itself is kept nowhere.
type Credential struct {
	row
	Grant     string    `json:"grant"` // opaque to the core: whom the token lets in, as the package callers writes it
	CreatedAt time.Time `json:"created_at"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
}

// Key names it.
func (c *Credential) Key() RecordKey { return c.key(RecordCredential) }

// Index lists credentials by whether they hold.
func (c *Credential) Index() RecordIndex {
	status := "held"
	if !c.RevokedAt.IsZero() {
		status = "revoked"
	}
	return RecordIndex{Status: status, At: c.CreatedAt}
}

// CredentialKey names the credential of a token's hash.
func CredentialKey(hash string) RecordKey {
	return RecordKey{RecordCredential, credentialNamespace, hash}
}

// CredentialQuery lists credentials, oldest first; revoked ones as well where it is asked for.
func CredentialQuery(revoked bool) RecordQuery {
	q := RecordQuery{Kind: RecordCredential, Namespace: credentialNamespace, Statuses: []string{"held"}}
	if revoked {
		q.Statuses = nil
	}
	return q
}

// CreateCredential keeps a token's hash.
type CreateCredential struct{ Hash, Grant string }

// CredentialChanged is the reply: the credential as it is now, nil where there is none.
type CredentialChanged struct{ Credential *Credential }

// Claims are none.
func (c *CreateCredential) Claims() []Claim { return nil }

// Reads are the credential.
func (c *CreateCredential) Reads(*View) []Read { return []Read{CredentialKey(c.Hash).Read()} }

// Decide creates it. Hashes of random tokens never meet, so that one that is there is this command's own write.
func (c *CreateCredential) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Credential](v, CredentialKey(c.Hash))
	if exists {
		return Decided{Reply: &CredentialChanged{have}}
	}
	created := &Credential{row: have.next(), Grant: c.Grant, CreatedAt: v.Now}
	return Decided{Reply: &CredentialChanged{created}, Changes: &Changes{Records: []Record{created}}}
}

// RevokeCredential ends a token. It stays on the record.
type RevokeCredential struct{ Hash string }

// Claims are none.
func (r *RevokeCredential) Claims() []Claim { return nil }

// Reads are the credential.
func (r *RevokeCredential) Reads(*View) []Read { return []Read{CredentialKey(r.Hash).Read()} }

// Decide revokes it. One that was revoked before stays as it is.
func (r *RevokeCredential) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Credential](v, CredentialKey(r.Hash))
	if !exists {
		return Decided{Reply: &CredentialChanged{}}
	}
	if !have.RevokedAt.IsZero() {
		return Decided{Reply: &CredentialChanged{have}}
	}
	revoked := *have
	revoked.row, revoked.RevokedAt = have.next(), v.Now
	return Decided{Reply: &CredentialChanged{&revoked}, Changes: &Changes{Records: []Record{&revoked}}}
}
