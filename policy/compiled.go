package policy

// Set is a namespace's policy, compiled for one configuration epoch. It is never changed, and may be used by any number
// of goroutines. A nil Set is the empty policy.
type Set struct{}

// Paused reports whether a switch stands against the tool, and why: of the whole namespace, the tool's class, or the tool.
func (s *Set) Paused(tool string) (because string, paused bool) { return "", false }

// Rules gives the rules of the tool's newest version; the zero value where the tool is not known.
func (s *Set) Rules(tool string) ToolRules { return ToolRules{} }

// ToolVersion is the version of the tool that the set was compiled from; zero where the tool is not known.
func (s *Set) ToolVersion(tool string) int64 { return 0 }

// EntityStateAfter gives the state that the entity of an operation gets when it has succeeded with a result (JSON; empty:
// none). It sets none where the tool says nothing of it, or where the template reads what the result lacks.
func (s *Set) EntityStateAfter(tool string, f Facts, result []byte) (state string, sets bool) {
	return "", false
}
