package toolfile

import (
	"fmt"
	"reflect"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/policy/rulefile"
	"github.com/opledger/opledger/registry"
)

// The paths of what a policy may state as zero.
const (
	pathMaxRevisions = "policy.max_revisions"
	pathNeed         = "policy.approval.required"
)

// policy reads the rules that decide about now. A policy that is absent says nothing, and the registry fills it in; one
// that is there is read with the defaults that the API states.
func (r *reader) policy(m *opledgerv1.ToolDefinition) policy.ToolRules {
	p := m.GetPolicy()
	if p == nil {
		return policy.ToolRules{}
	}
	rules, problems := rulefile.ToolFromProto(m.GetName(), p)
	for _, found := range problems {
		r.add(found.Path, registry.Code(found.Code), found.Message)
	}
	if _, ok := opledgerv1.LeaseNeed_name[int32(p.GetLease())]; !ok {
		r.add("policy.lease", registry.CodeValue, fmt.Sprintf("The need %d is not known; say NONE or HELD.", p.GetLease()))
	}
	if waived := p.GetApproval().GetWaived(); waived != nil && waived.GetReason() == "" {
		r.add("policy.approval.waived.reason", registry.CodeReason, "Say why nobody is asked.")
	}
	stated(r, pathMaxRevisions, p.MaxRevisions)
	if need := p.GetApproval().GetRequired(); need != nil {
		stated(r, pathNeed+".count", need.Count)
		r.duration(pathNeed+".expires_after", need.GetExpiresAfter())
		r.duration(pathNeed+".no_holds_for", need.GetNoHoldsFor())
	}
	return rules
}

// policy writes the rules, and why a setting is looser than the class's.
func (w writer) policy(d *registry.Definition) *opledgerv1.ToolPolicy {
	m := &opledgerv1.ToolPolicy{}
	if !reflect.ValueOf(d.Policy).IsZero() {
		m = rulefile.ToolToProto(d.Policy)
	}
	m.MaxRevisions = set(w, pathMaxRevisions, int32(d.Policy.MaxRevisions))
	if need := m.GetApproval().GetRequired(); need != nil {
		need.Count = set(w, pathNeed+".count", need.GetCount())
		need.ExpiresAfter = w.duration(pathNeed+".expires_after", d.Policy.Approval.ExpiresAfter)
		need.NoHoldsFor = w.duration(pathNeed+".no_holds_for", d.Policy.Approval.NoHoldsFor)
	}
	m.LoosenReason = d.LooserReason
	return orNil(m)
}
