package ledger

import "strconv"

// ApplyTool stores a new version of a tool, checked at the edge, and moves the namespace's configuration epoch.
type ApplyTool struct {
	Namespace  Namespace
	Principal  Principal
	Name       string
	Version    int64 // the next one, as the caller saw it
	Definition []byte
	Digest     string
	Enable     bool // switch a disabled tool on again
	// Epoch is that of the configuration which the definition was checked against; at another one it is to be checked
	// anew, since a rule that came in between may not fit it. Nil: no rules are kept beside it.
	Epoch *int64
	// Request is the caller's, by which its late repeat is told from a new one.
	Request Request
}

// Applied is the reply: the tool as it stands.
type Applied struct {
	Head ToolHead
	// Changed is for people. A switch that was turned by a commit whose answer was lost is found turned by its own next
	// try, and is then said not to have changed: who must know that a change holds everywhere waits whatever this says.
	Changed bool
}

// Claims are the request's.
func (a *ApplyTool) Claims() []Claim { return a.Request.Claims() }

// Reads are the tool's head and the epoch.
func (a *ApplyTool) Reads(*View) []Read {
	return []Read{ReadOf(ReadTool, a.Namespace, a.Name), ReadOf(ReadEpoch, a.Namespace, "")}
}

// Decide makes the version the newest one if nobody was faster. A version that is there already with the same digest is
// this command's own, saved by a commit whose answer was lost, or as good as that.
func (a *ApplyTool) Decide(v *View, _ Env) Decided {
	head, exists := v.Tool(a.Namespace, a.Name)
	if exists && a.Digest != "" && head.Version == a.Version && head.Digest == a.Digest {
		return Decided{Reply: &Applied{Head: head, Changed: true}, Changes: a.Request.kept(&Changes{})}
	}
	switch again, no := a.Request.repeated(v); {
	case no != nil:
		return Decided{Err: no}
	case again:
		return Decided{Reply: &Applied{Head: head}}
	}
	if now := v.Epoch(a.Namespace); a.Epoch != nil && *a.Epoch != now {
		return Decided{Err: &EpochMovedError{Have: *a.Epoch, Now: now}}
	}
	if exists && head.Version+1 != a.Version || !exists && a.Version != 1 {
		return Decided{Err: refuse(CodeAborted, ReasonToolVersionConflict,
			"the tool %s is at version %d by now; look at it and apply again", a.Name, head.Version).with("version", strconv.FormatInt(head.Version, 10))}
	}
	next := ToolHead{
		Namespace: a.Namespace, Name: a.Name, Version: a.Version, Digest: a.Digest, Disabled: head.Disabled && !a.Enable, Reason: head.Reason,
	}
	if !next.Disabled {
		next.Reason = ""
	}
	return Decided{Reply: &Applied{Head: next, Changed: true}, Changes: a.Request.kept(&Changes{
		Tools: []ToolHead{next},
		Versions: []ToolVersion{{
			Namespace: a.Namespace, Name: a.Name, Version: a.Version, Definition: a.Definition, Digest: a.Digest,
			AppliedBy: a.Principal, AppliedAt: v.Now,
		}},
		Epochs: map[Namespace]int64{a.Namespace: v.Epoch(a.Namespace) + 1},
	})}
}

// SwitchTool disables a tool, or enables it again: what is in flight ends, nothing new starts.
type SwitchTool struct {
	Namespace Namespace
	Name      string
	Disabled  bool
	Reason    string
	// Request is the caller's, by which its late repeat is told from a new one.
	Request Request
}

// Claims are the request's.
func (s *SwitchTool) Claims() []Claim { return s.Request.Claims() }

// Reads are the tool's head and the epoch.
func (s *SwitchTool) Reads(*View) []Read {
	return []Read{ReadOf(ReadTool, s.Namespace, s.Name), ReadOf(ReadEpoch, s.Namespace, "")}
}

// Decide turns the switch.
func (s *SwitchTool) Decide(v *View, _ Env) Decided {
	head, exists := v.Tool(s.Namespace, s.Name)
	if !exists {
		return Decided{Err: refuse(CodeNotFound, ReasonToolNotFound, "there is no tool %s in this namespace; list the tools, or apply its definition", s.Name)}
	}
	switch again, no := s.Request.repeated(v); {
	case no != nil:
		return Decided{Err: no}
	case again:
		return Decided{Reply: &Applied{Head: head}}
	}
	if head.Disabled == s.Disabled && head.Reason == s.Reason {
		return Decided{Reply: &Applied{Head: head}, Changes: s.Request.kept(&Changes{})}
	}
	head.Disabled, head.Reason = s.Disabled, s.Reason
	return Decided{Reply: &Applied{Head: head, Changed: true}, Changes: s.Request.kept(&Changes{
		Tools: []ToolHead{head}, Epochs: map[Namespace]int64{s.Namespace: v.Epoch(s.Namespace) + 1},
	})}
}
