package registry

import (
	"fmt"
	"slices"
)

// lintHTTP finds what an adapter may say and most likely does not mean.
func lintHTTP(d Definition, problems *Problems) {
	a := d.HTTP
	if a == nil {
		return
	}
	conflict := false // an earlier rule decides every 409
	for i, o := range a.Outcomes {
		plain := o.When.Header == "" && o.When.BodyPointer == ""
		hits := len(o.When.Status) == 0 && plain || slices.Contains(o.When.Status, "409") || slices.Contains(o.When.Status, "4xx")
		if hits && plain && !conflict && o.Outcome == HTTPRejected && d.Class != PureRead {
			problems.add(indexed("http.outcomes", i), CodeConflictRejected, "A 409 is taken for a refusal, and most often it says that the effect exists already, or that another request under the key is under way; \"already exists\" is never rejected. Put a rule for 409 in front that says NOOP, or AMBIGUOUS so that it is looked up.")
		}
		conflict = conflict || hits && plain
		if o.Outcome == HTTPSucceeded && d.Class != PureRead && d.Effect == EffectCreatedObject && o.Extract.ProviderObjectID == "" {
			problems.add(indexed("http.outcomes", i)+".extract", CodeNoReceipt, "Without the provider's own id a success is a claim and no receipt, and two of them cannot be told from one; read it by extract.provider_object_id, or state effect_identity: NONE.")
		}
	}
	if d.Class != PureRead && d.Effect == EffectCreatedObject && !slices.ContainsFunc(a.Outcomes, func(o HTTPOutcomeRule) bool { return o.Outcome == HTTPSucceeded }) {
		problems.add("http.outcomes", CodeNoReceipt, "No rule reads the provider's own id of what was created, so a success is a claim and no receipt; write a rule for success with extract.provider_object_id, or state effect_identity: NONE.")
	}
	for i, l := range d.Provider.Lookups {
		if !slices.ContainsFunc(a.Lookups, func(h HTTPLookup) bool { return h.By == l.By }) {
			problems.add(indexed("provider.lookups", i), CodeLookupUnmade, fmt.Sprintf("The profile says that the provider can be asked by %s, and http.lookups does not ask so; nobody else does.", l.By))
		}
	}
	for i, l := range a.Lookups {
		if l.Extract.VendorKey == "" && l.Extract.ClientReference == "" && (l.By == ByVendorKey || l.By == ByClientReference) {
			problems.add(indexed("http.lookups", i)+".extract", CodeNoEcho, "A find counts only if it carries this operation's own vendor key or client reference; say where the object echoes one of them.")
		}
	}
}
