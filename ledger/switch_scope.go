package ledger

import (
	"strings"

	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// SwitchScope is a part of a namespace that is switched as a whole: one class, one tool, or all of it.
type SwitchScope struct {
	Class registry.Class
	Tool  string
}

// The identifiers of switches.
const (
	switchAll   = "namespace"
	switchClass = "class/"
	switchTool  = "tool/"
)

// ID is the identifier of the scope's switch.
func (s SwitchScope) ID() string {
	switch {
	case s.Tool != "":
		return switchTool + s.Tool
	case s.Class != "":
		return switchClass + string(s.Class)
	}
	return switchAll
}

// String names the scope for people.
func (s SwitchScope) String() string {
	switch {
	case s.Tool != "":
		return "the tool " + s.Tool
	case s.Class != "":
		return "the class " + string(s.Class)
	}
	return "the namespace"
}

// Scope is what the switch is of.
func (s *Switch) Scope() SwitchScope {
	if tool, ok := strings.CutPrefix(s.ID, switchTool); ok {
		return SwitchScope{Tool: tool}
	}
	class, _ := strings.CutPrefix(s.ID, switchClass)
	if class == switchAll {
		class = ""
	}
	return SwitchScope{Class: registry.Class(class)}
}

// Policy is the switch as the policy reads it.
func (s *Switch) Policy() policy.Switch {
	scope := s.Scope()
	return policy.Switch{Class: string(scope.Class), Tool: scope.Tool, Paused: s.Paused, Reason: s.PauseReason, Shadow: s.Shadow}
}

// SwitchKey names a scope's switch.
func SwitchKey(ns Namespace, scope SwitchScope) RecordKey {
	return RecordKey{RecordSwitch, ns, scope.ID()}
}

// Switched is the reply of every command on a switch: the switch as it stands, and whether this changed it.
type Switched struct {
	Switch  *Switch
	Changed bool
}

// switchReads are the rows that a command on a switch depends on.
func switchReads(ns Namespace, scope SwitchScope) []Read {
	reads := []Read{SwitchKey(ns, scope).Read(), ReadOf(ReadEpoch, ns, "")}
	if scope.Tool != "" {
		reads = append(reads, ReadOf(ReadTool, ns, scope.Tool))
	}
	return reads
}

// find gives the scope's switch, and whether the request was carried out before. A tool that does not exist is refused: a
// slip of the pen would otherwise pause nothing and look as if it did.
func (s SwitchScope) find(v *View, r *Request) (have *Switch, again bool, no *Refusal) {
	if again, no = r.repeated(v); no != nil {
		return nil, false, no
	}
	if s.Tool != "" {
		if _, exists := v.Tool(r.Namespace, s.Tool); !exists {
			return nil, false, refuse(CodeNotFound, ReasonToolNotFound, "there is no tool %s in this namespace; list the tools, or apply its definition", s.Tool)
		}
	}
	have, _ = recordOf[Switch](v, SwitchKey(r.Namespace, s))
	return have, again, nil
}

// turned saves a changed switch.
func turned(v *View, r *Request, s *Switch) Decided {
	return Decided{Reply: &Switched{Switch: s, Changed: true}, Changes: r.kept(configured(v, s.Namespace, s))}
}
