package ledger

import (
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/policy"
)

// grantFor checks a one-use grant that a proposal names. Whoever may use it never gave it.
func (s *proposal) grantFor(id string, kind GrantKind) (*Grant, *Refusal) {
	g, found := recordOf[Grant](s.view, GrantKey(s.Namespace, id))
	no := func(format string, args ...any) (*Grant, *Refusal) {
		return nil, refuse(CodeFailedPrecondition, ReasonGrantNotUsable, "the grant %s cannot be used: %s. Have a new one given", id, fmt.Sprintf(format, args...)).with("grant_id", id)
	}
	f := &s.Forms[0]
	giver := Actor{Principal: g.GivenBy, Person: g.GivenByPerson}.Human()
	switch {
	case !found:
		return no("there is none in this namespace")
	case g.GrantKind != kind:
		return no("it is a grant to %s", g.GrantKind)
	case g.Tool != s.Tool:
		return no("it is for the tool %s", g.Tool)
	case !slices.ContainsFunc(s.Forms, func(f Form) bool { return f.Fingerprint == g.Fingerprint }):
		return no("it is bound to the fingerprint %s, and these arguments have %s", g.Fingerprint, f.Fingerprint)
	case g.ForPrincipal != "" && g.ForPrincipal != s.Principal:
		return no("it is for another principal")
	case (giver == s.who().Human() || g.GivenBy == s.Principal) && !g.GivenLocally:
		return no("who gave it cannot use it")
	case !g.RevokedAt.IsZero():
		return no("it was revoked")
	case g.UsedBy != "" && g.UsedBy != s.NewOperation:
		return no("operation %s has used it", g.UsedBy)
	case !s.view.Now.Before(g.ExpiresAt):
		return no("it expired at %s", g.ExpiresAt.Format(time.RFC3339))
	case kind == GrantRepeat && g.Occurrence != f.Occurrence:
		return no("it is for the occurrence %q", g.Occurrence)
	}
	return g, nil
}

// overrides are the override grants that the proposal names, by the rule that each lets pass.
func (s *proposal) overrides(o *Operation) (map[string]*Grant, *Refusal) {
	grants := map[string]*Grant{}
	for _, id := range s.OverrideGrants {
		if o != nil && slices.Contains(valuesOf(o.Overrides), id) {
			continue // used for this very operation already
		}
		g, refusal := s.grantFor(id, GrantOverride)
		if refusal != nil {
			return nil, refusal
		}
		grants[g.Rule] = g
	}
	return grants, nil
}

func valuesOf(m map[string]string) []string {
	var all []string
	for _, v := range m {
		all = append(all, v)
	}
	return all
}

// useGrant uses up a grant by which a verdict is let pass. From then on the rule is overridden for this operation.
func (d *draft) useGrant(g *Grant, v *policy.Verdict) {
	if g == nil || d.op.Overrides[v.Rule] == g.ID {
		return
	}
	d.takeGrant(g)
	if d.op.Overrides == nil {
		d.op.Overrides = map[string]string{}
	}
	d.op.Overrides[v.Rule] = g.ID
	d.event(EventOverridden, 0, "rule", v.Rule, "grant_id", g.ID, "given_by", string(g.GivenBy), "because", v.Because)
}

// takeGrant marks a grant as used by the draft's operation.
func (d *draft) takeGrant(g *Grant) {
	used, _ := drafted[Grant](d, g.Key())
	used.UsedBy, used.UsedAt = d.op.ID, d.now
	d.put(used)
}
