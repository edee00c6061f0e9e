package ledger

// LeaseProof says which lease a caller shows the token of. The token itself is checked at the edge, in constant time, and
// never comes here. Whoever takes a lease over gets a new lease of another id, so that the id names the holder too: no
// token of a former owner proves what is held now.
type LeaseProof struct {
	LeaseID string // "lea_…"; empty: no token was shown
	Proven  bool   // the token is this lease's
}
