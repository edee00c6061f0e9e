package callers

import (
	"context"
	"crypto/subtle"
)

// File lets in the bearers of the tokens whose hashes a file lists, one a line:
//
//	# A comment. Empty lines are skipped; " #" ends a line early.
//	sha256:<64 hex digits> namespace=shop principal=checkout-agent roles=propose,execute,read tools=payment.*,refund.create
//	sha256:<64 hex digits> namespace=shop principal=ann roles=approve,resolve,read person=ann@example.com teams=finance-lead
//
// The file never holds a token itself. One principal may have several tokens, so that one can be replaced without a
// moment in between, but always with the same rights and person.
type File struct{ reloaded[*table] }

var (
	_ Authenticator = (*File)(nil)
	_ Store         = (*File)(nil)
)

// table finds the callers of one reading of the file.
type table struct {
	// byPrefix finds the few candidates by the first bytes of the hash; the whole hash is compared in constant time.
	byPrefix map[[8]byte][]entry[TokenHash]
	count    int
}

// OpenFile reads the file. Every fault of it is an error that names the line.
func OpenFile(path string) (*File, error) {
	f := &File{reloaded[*table]{path: path, parse: parseTokens, private: true}}
	if err := f.Reload(); err != nil {
		return nil, err
	}
	return f, nil
}

// Count is the number of tokens.
func (f *File) Count() int { return f.content().count }

// LookupToken finds whose token has the hash.
func (f *File) LookupToken(_ context.Context, hash TokenHash) (caller Caller, found bool, err error) {
	for _, e := range f.content().byPrefix[[8]byte(hash[:8])] {
		if subtle.ConstantTimeCompare(e.subject[:], hash[:]) == 1 {
			caller, found = e.caller, true
		}
	}
	return caller, found, nil
}

// Authenticate finds the bearer of the request's token.
func (f *File) Authenticate(ctx context.Context) (Caller, error) { return Tokens{f}.Authenticate(ctx) }

func parseTokens(path string, data []byte) (*table, error) {
	entries, err := parseLines(path, data, lineForm[TokenHash]{
		subject: parseHash,
		empty:   "lists no token, so that nobody would be let in; \"opledger tokens new\" prints a line for it",
	})
	if err != nil {
		return nil, err
	}
	t := &table{byPrefix: map[[8]byte][]entry[TokenHash]{}, count: len(entries)}
	for _, e := range entries {
		prefix := [8]byte(e.subject[:8])
		t.byPrefix[prefix] = append(t.byPrefix[prefix], e)
	}
	return t, nil
}
