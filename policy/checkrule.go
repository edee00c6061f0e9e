package policy

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/opledger/opledger/canon"
)

// classes are the words of registry.Class, which imports this package.
var classes = []string{"PURE_READ", "INTERNAL_DETERMINISTIC_WRITE", "EXTERNAL_IDEMPOTENT_WRITE", "EXTERNAL_NON_IDEMPOTENT_WRITE", "IRREVERSIBLE"}

var toolPattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]*(\.[a-zA-Z0-9_-]+)*(\.\*)?$`)

// The bounds of an approval.
const (
	maxApprovals      = 10
	maxApprovalExpiry = 30 * day
)

func (b *builder) checkScope(r *Rule) {
	for i, pattern := range r.Scope.Tools {
		if !toolPattern.MatchString(pattern) {
			b.add(r.ID, fmt.Sprintf("scope.tools[%d]", i), CodeScope, fmt.Sprintf("%q is no tool's name; write one, or payment.* for all that begin with payment.", pattern))
		}
	}
	for i, class := range r.Scope.Classes {
		if !slices.Contains(classes, class) {
			b.add(r.ID, fmt.Sprintf("scope.tool_classes[%d]", i), CodeUnknown, fmt.Sprintf("%q is no class that this release knows.", class))
		}
	}
}

func (b *builder) checkPeriod(rule, path string, d time.Duration) {
	if d < MinPeriod || d > MaxPeriod {
		b.add(rule, path, CodeBounds, "A period is from 1 s to 400 days.")
	}
}

func (b *builder) checkZone(rule, path string, l Limit) {
	if l.Zone == "" {
		return
	}
	if !l.Fixed || l.Period%day != 0 {
		b.add(rule, path+".zone", CodeUnusable, "A zone has a meaning for fixed periods of whole days only; say PERIOD_KIND_FIXED and a period such as 24h, or remove it.")
		return
	}
	if _, known := canon.Zone(l.Zone); !known {
		b.add(rule, path+".zone", CodeZone, fmt.Sprintf("%q is no zone of the IANA database; write one such as Europe/Berlin.", l.Zone))
	}
}

func (b *builder) checkConflict(rule, path string, c Conflict) {
	b.checkPeriod(rule, path+".period", c.Period)
	if len(c.Tools)+len(c.Intents) == 0 {
		b.add(rule, path, CodeRequired, "A conflict names at least one tool or intent.")
	}
}

// checkNeed checks what an approval takes, and fills in what is left out.
func (b *builder) checkNeed(rule, path string, n *ApprovalNeed) {
	if n.Count == 0 {
		n.Count = DefaultApprovals
	}
	if n.ExpiresAfter == 0 {
		n.ExpiresAfter = DefaultApprovalExpiry
	}
	if n.OnExpiry == "" {
		n.OnExpiry = ExpiryDeny
	}
	if n.Count < 1 || n.Count > maxApprovals {
		b.add(rule, path+".count", CodeBounds, fmt.Sprintf("From 1 to %d persons approve.", maxApprovals))
	}
	if len(n.Roles) == 0 {
		b.add(rule, path+".roles", CodeRequired, "Say whose bearers may approve.")
	}
	if n.ExpiresAfter < MinPeriod || n.ExpiresAfter > maxApprovalExpiry {
		b.add(rule, path+".expires_after", CodeBounds, "A request is open from 1 s to 30 days.")
	}
	if n.NoHoldsFor < 0 || n.NoHoldsFor > maxApprovalExpiry {
		b.add(rule, path+".no_holds_for", CodeBounds, "A no holds from 0 s to 30 days.")
	}
	switch {
	case n.OnExpiry != ExpiryDeny && n.OnExpiry != ExpiryEscalate && n.OnExpiry != ExpiryNeedsHuman:
		b.add(rule, path+".on_expiry", CodeUnknown, fmt.Sprintf("%q is no expiry that this release knows.", n.OnExpiry))
	case n.OnExpiry == ExpiryEscalate && len(n.EscalateRoles) == 0:
		b.add(rule, path+".escalate_roles", CodeRequired, "Say which roles are asked next.")
	case n.OnExpiry != ExpiryEscalate && len(n.EscalateRoles) > 0:
		b.add(rule, path+".escalate_roles", CodeUnusable, "Roles are asked next only with APPROVAL_EXPIRY_ESCALATE; say that, or remove them.")
	}
}
