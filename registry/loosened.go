package registry

import (
	"strconv"

	"github.com/opledger/opledger/policy"
)

// LooserSetting is a setting that is looser than its class's default. It is allowed with a reason, which is recorded.
type LooserSetting struct {
	Path         string
	ClassDefault string
	Reason       string // empty: none is stated, which Check refuses

	reasonPath string
}

// Loosened lists the settings of a definition that are looser than its class. Longer permits are none: they hold an
// operation longer, and let nothing through.
func Loosened(d Definition) []LooserSetting {
	d = WithDefaults(d)
	row, ok := DefaultsOf(d.Class)
	if !ok {
		return nil
	}
	var list []LooserSetting
	add := func(path, was, reason, reasonPath string) {
		list = append(list, LooserSetting{path, was, reason, reasonPath})
	}
	const general = "policy.loosen_reason"
	if d.Retry.MaxAttempts > row.Attempts {
		add(pathAttempts, strconv.Itoa(row.Attempts), d.LooserReason, general)
	}
	if d.Permit.StallAllowance < row.StallAllowance {
		add(pathStall, row.StallAllowance.String(), d.LooserReason, general)
	}
	if row.Begin && !d.Permit.BeginRequired {
		add(pathBegin, "true", d.Permit.WaiveReason, "permit.waive_reason")
	}
	if row.OwnGroup && d.Identity.Entity != nil && d.Exclusive.Group == "" {
		add("exclusive", "group "+d.Name, d.Exclusive.Reason, "exclusive.none.reason")
	}
	if row.Occurrence == OccurrenceRepeatGrant && d.Identity.Occurrence == OccurrenceAnyCaller {
		add("identity.occurrence", string(row.Occurrence), d.LooserReason, general)
	}
	switch need := d.Policy.Approval; {
	case row.StateApproval && need == nil && d.Policy.ApprovalWaived == "":
		add("policy.approval", "required", "", "policy.approval")
	case row.StateApproval && need == nil:
		add("policy.approval", "required", d.Policy.ApprovalWaived, pathWaived)
	case row.StateApproval && need.When != "":
		add("policy.approval.required.when", "always", d.LooserReason, general) // where it does not hold, nobody is asked
	}
	if d.Policy.MaxRevisions > policy.DefaultMaxRevisions {
		add(pathMaxRevisions, strconv.Itoa(policy.DefaultMaxRevisions), d.LooserReason, general)
	}
	return list
}
