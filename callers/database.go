package callers

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/opledger/opledger/ledger"
)

// Records is what of a database tokens are read from.
type Records interface {
	GetRecord(ctx context.Context, key ledger.RecordKey) (ledger.Record, error)
	ListRecords(ctx context.Context, q ledger.RecordQuery) ([]ledger.Record, error)
}

// Database finds the tokens whose hashes are kept in the ledger's database. It asks for every call; put Remember before it.
type Database struct{ Records Records }

var _ Store = Database{}

// LookupToken finds whose token has the hash. A revoked one is nobody's.
func (d Database) LookupToken(ctx context.Context, hash TokenHash) (Caller, bool, error) {
	record, err := d.Records.GetRecord(ctx, ledger.CredentialKey(hex.EncodeToString(hash[:])))
	if errors.Is(err, ledger.ErrNotFound) {
		return Caller{}, false, nil
	}
	if err != nil {
		return Caller{}, false, err
	}
	c, ok := record.(*ledger.Credential)
	if !ok || !c.RevokedAt.IsZero() {
		return Caller{}, false, nil
	}
	e, err := readGrant(c.ID, c.Grant)
	if err != nil {
		return Caller{}, false, err
	}
	return e.caller, subtle.ConstantTimeCompare(e.subject[:], hash[:]) == 1, nil
}

// StoredToken is one token of the database.
type StoredToken struct {
	Caller     Caller
	Credential *ledger.Credential
}

// maxPage is how many records are read at a time.
const maxPage = 500

// List lists the tokens of the database, oldest first; revoked ones as well where it is asked for.
func (d Database) List(ctx context.Context, revoked bool) ([]StoredToken, error) {
	var all []StoredToken
	q := ledger.CredentialQuery(revoked)
	for q.Limit = maxPage; ; {
		page, err := d.Records.ListRecords(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, record := range page {
			c, ok := record.(*ledger.Credential)
			if !ok {
				continue
			}
			e, err := readGrant(c.ID, c.Grant)
			if err != nil {
				return nil, err
			}
			all = append(all, StoredToken{Caller: e.caller, Credential: c})
			q.After, q.AfterID = c.CreatedAt, c.ID
		}
		if len(page) < maxPage {
			return all, nil
		}
	}
}

// NewCredential is the command that keeps a token's hash. It refuses what a file of tokens would refuse, among the tokens
// that hold already as well.
func (d Database) NewCredential(ctx context.Context, token string, c Caller) (*ledger.CreateCredential, error) {
	line, err := FormatLine(token, c)
	if err != nil {
		return nil, err
	}
	word, grant, _ := strings.Cut(line, " ")
	command := &ledger.CreateCredential{Hash: strings.TrimPrefix(word, hashPrefix), Grant: grant}
	fresh, err := readGrant(command.Hash, grant)
	if err != nil {
		return nil, err
	}
	held, err := d.List(ctx, false)
	if err != nil {
		return nil, err
	}
	for _, other := range held {
		if o := other.Caller; o.Namespace == c.Namespace && o.Principal == c.Principal && !o.sameRights(fresh.caller) {
			return nil, fmt.Errorf("the principal %s has another token with other roles, teams or tools or another person; revoke that one first, or give the second bearer a name of its own", c.Principal)
		}
	}
	return command, nil
}

// readGrant reads a record's hash and grant as a line of a file of tokens.
func readGrant(hash, grant string) (entry[TokenHash], error) {
	e, _, err := parseLine(hashPrefix+hash+" "+grant, lineForm[TokenHash]{subject: parseHash})
	if err != nil {
		return e, fmt.Errorf("a token in the database cannot be read; a newer release may have written it: %w", err)
	}
	return e, nil
}
