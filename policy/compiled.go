package policy

import (
	"fmt"
	"time"
)

// Set is a namespace's policy, compiled for one configuration epoch. It is never changed, and may be used by any number
// of goroutines. A nil Set is the empty policy.
type Set struct {
	tools    map[string]*compiledTool
	switches []Switch
	standing []*compiledStanding
}

// compiledTool is a tool with every rule that applies to it, in the order in which they are asked.
type compiledTool struct {
	Tool
	rules []*compiledRule
	// conflictPeriod is the longest of the conflicts that the tool takes part in; zero: it takes part in none.
	conflictPeriod time.Duration
}

// kind is a kind of rule, in the order in which they are asked.
type kind int

const (
	kindRoles kind = iota
	kindGuard
	kindDeny
	kindWindow
	kindConflict
	kindLimit
	kindApproval
)

// compiledRule is a rule as it applies to one tool.
type compiledRule struct {
	id          string
	version     int64
	kind        kind
	shadow      bool
	explanation string
	condition   *expression // of a guard, a deny, an approval; of a limit, when it counts
	roles       []string    // of kindRoles
	limit       *compiledLimit
	window      *compiledWindow
	conflict    *compiledConflict
	need        *ApprovalNeed
}

type compiledLimit struct {
	Limit
	per    *template
	amount *amountAt // nil: one for each operation
	prefix string    // of the history's id
}

type compiledWindow struct {
	DedupeWindow
	key    *template
	prefix string
}

// compiledConflict says which operations exclude the tool's. It is one direction of a conflict, or both of them.
type compiledConflict struct {
	tools, intents map[string]bool
	period         time.Duration
}

// Paused reports whether a switch stands against the tool, and why: of the whole namespace, the tool's class, or the tool.
func (s *Set) Paused(tool string) (because string, paused bool) {
	if s == nil {
		return "", false
	}
	class := ""
	if t := s.tools[tool]; t != nil {
		class = t.Class
	}
	for i := range s.switches {
		sw := &s.switches[i]
		if !sw.Paused || !sw.covers(tool, class) {
			continue
		}
		because = "the namespace is paused"
		switch {
		case sw.Tool != "":
			because = fmt.Sprintf("the tool %s is paused", tool)
		case sw.Class != "":
			because = fmt.Sprintf("the class %s is paused", class)
		}
		if sw.Reason != "" {
			because += ": " + sw.Reason
		}
		return because, true
	}
	return "", false
}

// Rules gives the rules of the tool's newest version; the zero value where the tool is not known.
func (s *Set) Rules(tool string) ToolRules {
	if s == nil || s.tools[tool] == nil {
		return ToolRules{}
	}
	return s.tools[tool].Rules
}

// ToolVersion is the version of the tool that the set was compiled from; zero where the tool is not known.
func (s *Set) ToolVersion(tool string) int64 {
	if s == nil || s.tools[tool] == nil {
		return 0
	}
	return s.tools[tool].Version
}
