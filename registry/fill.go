package registry

import (
	"time"

	"github.com/opledger/opledger/policy"
)

// filler fills absent settings.
type filler struct{ d *Definition }

func (f filler) duration(path string, field *time.Duration, value time.Duration) {
	fill(f, path, field, value)
}

// fill sets a field that is zero and was not stated so.
func fill[T comparable](f filler, path string, field *T, value T) {
	var zero T
	if *field == zero && !f.d.StatedZero[path] {
		*field = value
	}
}

// policy fills in what an approval leaves out. Limits need nothing: a period that says nothing slides, and a zone that
// says nothing is UTC. The approval is copied, since the definition that was given is left alone.
func (f filler) policy() {
	r := &f.d.Policy
	fill(f, pathMaxRevisions, &r.MaxRevisions, policy.DefaultMaxRevisions)
	if r.Approval == nil {
		return
	}
	need := *r.Approval
	fill(f, pathApprovals, &need.Count, policy.DefaultApprovals)
	f.duration(pathExpiresAfter, &need.ExpiresAfter, policy.DefaultApprovalExpiry)
	fill(f, "", &need.OnExpiry, policy.ExpiryDeny)
	f.duration(pathNoHolds, &need.NoHoldsFor, policy.DefaultNoHolds)
	r.Approval = &need
}
