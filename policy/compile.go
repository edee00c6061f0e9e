package policy

// Compile checks and compiles a namespace's whole policy for one configuration epoch. Where there are problems, the set
// leaves the faulty rules out: who applies a configuration refuses it then.
func Compile(c Config) (*Set, []Problem) { return &Set{}, nil }

// CheckRule checks a rule against every tool in its scope.
func CheckRule(c Config, r Rule) []Problem { return nil }

// CheckTool checks a tool's own rules, and the namespace's rules that it comes into the scope of.
func CheckTool(c Config, t Tool) []Problem { return nil }
