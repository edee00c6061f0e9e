package ledger

import "slices"

// Every operation ends, and most namespaces tell nobody: a notice of each end would double the rows of a ledger for
// nothing. So ends and unknown outcomes are noted only where a subscription has ever asked for their kind. The other
// kinds are rare, and are always noted.
var notedWhereWanted = []NoticeKind{NoticeUnknown, NoticeEnded}

// wantedKey names the row that says which of these kinds a namespace's subscriptions have ever asked for. It lies among
// the switches, which change seldom and are read by no list unless they pause or shadow something.
func wantedKey(ns Namespace) RecordKey { return RecordKey{RecordSwitch, ns, "notices"} }

// want adds what a subscription asks for; nil where nothing is new. What was ever asked for stays: a subscription that
// has ended costs rows that nobody reads, and forgetting it would cost a count of all others.
func want(v *View, ns Namespace, kinds []NoticeKind) []Record {
	old, _ := recordOf[Switch](v, wantedKey(ns))
	next := *old
	next.Wanted = slices.Clone(old.Wanted)
	for _, k := range notedWhereWanted {
		if slices.Contains(kinds, k) && !slices.Contains(next.Wanted, k) {
			next.Wanted = append(next.Wanted, k)
		}
	}
	if len(next.Wanted) == len(old.Wanted) {
		return nil
	}
	next.Version++
	return []Record{&next}
}

// noticeState tells subscribers that the operation's outcome became unknown, or that it has ended, where one wants that.
func (d *draft) noticeState(to State, because string) {
	kind := NoticeEnded
	switch {
	case to == UnknownOutcome:
		kind = NoticeUnknown
	case !to.Ended():
		return
	}
	if wanted, _ := recordOf[Switch](d.view, wantedKey(d.op.Namespace)); slices.Contains(wanted.Wanted, kind) {
		d.notice(kind, because, "", d.op.Terms.HumanOwner)
	}
}
