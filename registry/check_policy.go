package registry

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/policy"
)

// The bounds of a tool's policy. They are those of the API; each rule is asked at each permit, begin and extension.
const (
	MaxGuards         = 32
	MaxLimits         = 32
	MaxWindows        = 8
	MaxConflicts      = 32
	MaxConflictNames  = 64
	MaxProposerRoles  = 32
	MaxApprovalRoles  = 16
	MaxApprovals      = 10 // persons; more are never found in time
	MaxApprovalExpiry = 30 * 24 * time.Hour
	MaxNoHolds        = 30 * 24 * time.Hour
	MaxRevisionBound  = 100
	MaxStateTemplate  = 256
)

// ruleName is the form of names of rules and of roles.
var ruleName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,62}$`)

const pathWaived = "policy.approval.waived.reason"

// policy checks the rules that decide about now, as far as the definition tells by itself. Expressions are compiled
// where the whole of a namespace's policy is known, by policy.CheckTool.
func (k *checker) policy(c *Compiled) {
	k.approval()
	k.guards()
	k.limits()
	k.windows()
	k.conflicts()
	k.entityRules()
	r := &k.d.Policy
	k.roles("policy.proposer_roles", r.ProposerRoles, MaxProposerRoles)
	if r.MaxRevisions < 0 || r.MaxRevisions > MaxRevisionBound {
		k.add(pathMaxRevisions, CodeBounds, "The revisions of a proposer must be 0 to %d.", MaxRevisionBound)
	}
	k.namedOnce()
	if c.schema != nil {
		k.references(c)
	}
}

// approval checks who must approve, and that what cannot be undone says so.
func (k *checker) approval() {
	need, waived := k.d.Policy.Approval, k.d.Policy.ApprovalWaived
	k.text(pathWaived, waived, MaxReasonChars)
	row, _ := DefaultsOf(k.d.Class)
	switch {
	case need != nil && waived != "":
		k.add("policy.approval", CodeUnusable, "People must approve and nobody is asked at once; keep one of the two.")
	case waived != "" && strings.TrimSpace(waived) == "":
		k.add(pathWaived, CodeReason, "Say why nobody is asked.")
	case need == nil && waived == "" && row.StateApproval:
		k.add("policy.approval", CodeRequired, "What cannot be undone says who approves it: policy.approval.required, or policy.approval.waived with the reason why nobody is asked.")
	}
	if need == nil {
		return
	}
	const path = "policy.approval.required"
	if k.d.Class == PureRead {
		k.add(path, CodeUnusable, "A read changes nothing that a person could approve; restrict who may propose it by policy.proposer_roles, or remove the approval.")
	}
	k.need(path, need)
}

// need checks who must approve.
func (k *checker) need(path string, need *policy.ApprovalNeed) {
	if need.Count < 1 || need.Count > MaxApprovals {
		k.add(path+".count", CodeBounds, "The persons who approve must be 1 to %d.", MaxApprovals)
	}
	if len(need.Roles) == 0 {
		k.add(path+".roles", CodeRequired, "Say which roles may approve.")
	}
	k.roles(path+".roles", need.Roles, MaxApprovalRoles)
	k.roles(path+".escalate_roles", need.EscalateRoles, MaxApprovalRoles)
	k.expression(path+".when", need.When)
	k.between(path+".expires_after", need.ExpiresAfter, time.Second, MaxApprovalExpiry)
	k.between(path+".no_holds_for", need.NoHoldsFor, 0, MaxNoHolds)
	k.text(path+".warning", need.Warning, MaxReasonChars)
	known(k, path+".on_expiry", need.OnExpiry, policy.ExpiryDeny, policy.ExpiryEscalate, policy.ExpiryNeedsHuman)
	switch escalates := need.OnExpiry == policy.ExpiryEscalate; {
	case escalates && len(need.EscalateRoles) == 0:
		k.add(path+".escalate_roles", CodeRequired, "An approval that escalates says which roles are asked next.")
	case !escalates && len(need.EscalateRoles) > 0:
		k.add(path+".escalate_roles", CodeUnusable, "The next roles are asked with on_expiry: ESCALATE only; state it, or remove them.")
	}
}

func (k *checker) guards() {
	k.count("policy.guards", len(k.d.Policy.Guards), MaxGuards)
	for i, g := range k.d.Policy.Guards {
		path := indexed("policy.guards", i)
		if strings.TrimSpace(g.Condition) == "" {
			k.add(path+".condition", CodeRequired, "A guard needs its condition, such as entity.state != \"refunded\".")
		}
		k.expression(path+".condition", g.Condition)
		k.text(path+".explanation", g.Explanation, MaxReasonChars)
	}
}

func (k *checker) limits() {
	k.count("policy.limits", len(k.d.Policy.Limits), MaxLimits)
	for i, l := range k.d.Policy.Limits {
		path := indexed("policy.limits", i)
		if l.Max < 0 {
			k.add(path+".max", CodeBounds, "The greatest value is at least zero, which lets nothing pass.")
		}
		k.between(path+".period", l.Period, policy.MinPeriod, policy.MaxPeriod)
		k.zone(path+".zone", l)
		k.expression(path+".when", l.When)
		k.text(path+".explanation", l.Explanation, MaxReasonChars)
	}
}

// zone checks in which zone a fixed period begins. Only whole days begin at a place's midnight.
func (k *checker) zone(path string, l policy.Limit) {
	const day = 24 * time.Hour
	switch {
	case l.Zone == "":
	case !knownZone(l.Zone):
		k.add(path, CodeZone, "%q is no IANA name, such as Europe/Berlin or UTC.", l.Zone)
	case !l.Fixed:
		k.add(path, CodeUnusable, "A sliding period ends now, wherever that is; state period_kind: FIXED, or remove the zone.")
	case l.Period%day != 0:
		k.add(path, CodeUnusable, "Only periods of whole days begin at a zone's midnight, and this one lasts %s; correct it, or remove the zone.", l.Period)
	}
}

// knownZone asks canon, whose zone data is that of every server, whatever the machine's files say.
func knownZone(name string) bool {
	_, faults := canon.Compile(canon.Rules{Fields: map[string]canon.Rule{"/at": {Kind: canon.RuleBucket, Unit: canon.UnitDay, Zone: name}}})
	return len(faults) == 0
}

func (k *checker) windows() {
	k.count("policy.dedupe_windows", len(k.d.Policy.Windows), MaxWindows)
	for i, w := range k.d.Policy.Windows {
		path := indexed("policy.dedupe_windows", i)
		k.between(path+".period", w.Period, policy.MinPeriod, policy.MaxPeriod)
		k.text(path+".explanation", w.Explanation, MaxReasonChars)
	}
}

func (k *checker) conflicts() {
	k.count("policy.conflicts", len(k.d.Policy.Conflicts), MaxConflicts)
	for i, c := range k.d.Policy.Conflicts {
		path := indexed("policy.conflicts", i)
		if len(c.Tools)+len(c.Intents) == 0 {
			k.add(path, CodeRequired, "A conflict names the tools or the intents that exclude this tool.")
		}
		k.list(path+".tools", c.Tools, MaxConflictNames, func(name string) bool { return toolName.MatchString(name) && len(name) <= MaxNameBytes })
		k.list(path+".intents", c.Intents, MaxConflictNames, func(name string) bool { return name != "" && len(name) <= MaxIntentChars })
		k.between(path+".period", c.Period, policy.MinPeriod, policy.MaxPeriod)
		k.text(path+".explanation", c.Explanation, MaxReasonChars)
	}
}

// entityRules checks the rules that are about the entity.
func (k *checker) entityRules() {
	r := &k.d.Policy
	if r.SetsEntityState != "" && k.d.Class == PureRead {
		k.add("policy.sets_entity_state", CodeUnusable, "A read changes no state; remove the setting, or use the class of a write.")
	}
	if k.d.Identity.Entity != nil {
		return
	}
	need := func(needed bool, path string) {
		if needed {
			k.add(path, CodeNoEntity, "This is about the tool's entity, and the tool names none; name identity.entity, or remove it.")
		}
	}
	need(r.LeaseHeld, "policy.lease")
	need(r.SetsEntityState != "", "policy.sets_entity_state")
	for i := range r.Conflicts {
		need(true, indexed("policy.conflicts", i))
	}
}

// namedOnce checks the names of rules. A decision says tool/name, so a name stands for one rule of any kind.
func (k *checker) namedOnce() {
	seen := map[string]bool{}
	name := func(path, name string) {
		if !ruleName.MatchString(name) {
			k.add(path+".name", CodeName, "A rule's name begins with a small letter and has small letters, digits, _ and -, at most 63 in all, such as per-customer-daily.")
		} else if seen[name] {
			k.add(path+".name", CodeTwice, "The tool has a rule %q already; decisions name rules, so each has a name of its own.", name)
		}
		seen[name] = true
	}
	r := &k.d.Policy
	for i, g := range r.Guards {
		name(indexed("policy.guards", i), g.Name)
	}
	for i, l := range r.Limits {
		name(indexed("policy.limits", i), l.Name)
	}
	for i, w := range r.Windows {
		name(indexed("policy.dedupe_windows", i), w.Name)
	}
	for i, c := range r.Conflicts {
		name(indexed("policy.conflicts", i), c.Name)
	}
}

// expression bounds an expression; what it says is for package policy.
func (k *checker) expression(path, text string) { k.text(path, text, policy.MaxExpression) }

func (k *checker) roles(path string, roles []string, most int) {
	k.list(path, roles, most, ruleName.MatchString)
}

// list checks a list of names: not too many, each a name, each once.
func (k *checker) list(path string, names []string, most int, good func(string) bool) {
	k.count(path, len(names), most)
	for i, name := range names {
		if !good(name) {
			k.add(indexed(path, i), CodeName, "%q is no name that is meant here.", name)
		} else if slices.Contains(names[:i], name) {
			k.add(indexed(path, i), CodeTwice, "%q is listed twice.", name)
		}
	}
}
