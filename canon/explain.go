package canon

import "slices"

// Explanation shows how one set of arguments becomes one operation. Nothing is recorded by making it.
type Explanation struct {
	Canonical   string // RFC 8785 text of the identity
	Fingerprint string
	Key         Key
	Components  []Component
	Changes     []Change
	Ignored     []IgnoredField
	Normalized  *Normalized
}

// Explain normalizes arguments and makes the key, by the template or, where it is nil, without one. The arguments
// among the parts are replaced.
func Explain(n *Normalizer, t *Template, arguments *Value, parts Parts, hasher Hasher) (*Explanation, Faults) {
	normalized, faults := n.Normalize(arguments, hasher)
	if len(faults) > 0 {
		return nil, faults
	}
	return explain(normalized, t, parts)
}

func explain(normalized *Normalized, t *Template, parts Parts) (*Explanation, Faults) {
	parts.Arguments = normalized
	render := DefaultKey
	if t != nil {
		render = t.Render
	}
	key, components, faults := render(parts)
	if len(faults) > 0 {
		return nil, faults
	}
	canonical := normalized.Canonical()
	return &Explanation{
		Canonical:   string(canonical),
		Fingerprint: Fingerprint(canonical),
		Key:         key,
		Components:  components,
		Changes:     normalized.Changes,
		Ignored:     normalized.Ignored,
		Normalized:  normalized,
	}, nil
}

// Verdict says how two sets of arguments stand to each other.
type Verdict string

// The verdicts.
const (
	SameOperation  Verdict = "SAME_OPERATION"  // one key, one canonical form: the second is a repeat of the first
	OtherOperation Verdict = "OTHER_OPERATION" // two keys
	KeyReused      Verdict = "KEY_REUSED"      // one key, two canonical forms: the second would be refused
)

// Comparison says whether two sets of arguments are the same operation, and why.
type Comparison struct {
	Verdict Verdict
	Why     string // one sentence for a person
	// Differing are the fields as sent at which the two identities differ, sorted, at most MaxDifferences.
	Differing []string
	// IgnoredDiffering are pointers of ignored fields that differ or that one side lacks, sorted.
	IgnoredDiffering []string
	// KeyDiffering names the components in which the two keys differ, as they stand in the template's braces.
	KeyDiffering []string
}

// Compare holds two explanations of one tool's arguments against each other.
func Compare(a, b *Explanation) Comparison {
	c := Comparison{
		Differing:        a.Normalized.by.Diff(a.Normalized.Identity, b.Normalized.Identity),
		IgnoredDiffering: DiffIgnored(a.Ignored, b.Ignored),
	}
	for i, component := range a.Components {
		if i >= len(b.Components) || component.Text != b.Components[i].Text {
			c.KeyDiffering = append(c.KeyDiffering, component.Name)
		}
	}
	switch {
	case a.Key != b.Key:
		c.Verdict = OtherOperation
		c.Why = "The keys differ, so these are two operations."
	case len(c.Differing) > 0:
		c.Verdict = KeyReused
		c.Why = "The keys agree but the arguments do not, so the second would be refused as a reused key."
	case len(c.IgnoredDiffering) > 0:
		c.Verdict = SameOperation
		c.Why = "Key and canonical form agree; only fields that identity ignores differ."
	default:
		c.Verdict = SameOperation
		c.Why = "Key and canonical form agree."
	}
	return c
}

// DiffIgnored names ignored fields whose values differ or that one side lacks, sorted, at most MaxDifferences.
func DiffIgnored(a, b []IgnoredField) []string {
	values := map[string]string{}
	for _, f := range a {
		values[f.Pointer] = f.Canonical
	}
	var found []string
	for _, f := range b {
		if canonical, ok := values[f.Pointer]; !ok || canonical != f.Canonical {
			found = append(found, f.Pointer)
		}
		delete(values, f.Pointer)
	}
	for pointer := range values {
		found = append(found, pointer)
	}
	slices.Sort(found)
	return found[:min(len(found), MaxDifferences)]
}
