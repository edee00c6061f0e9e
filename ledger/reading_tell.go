package ledger

import (
	"fmt"
	"time"
)

// tellRead says what the end of a read means, to somebody who asks for it: a result tells how things were, not how they
// are, and a failure changed nothing.
func tellRead(o *Operation) (Told, bool) {
	if o.Terms.Mutates() {
		return Told{}, false
	}
	switch o.State {
	case CompletedSuccess, CompletedNoop:
		return Told{NextAction: NextUseResult, Retry: RetryPropose, SafeUser: "This has been looked up.",
			Model: fmt.Sprintf("This was read at %s or shortly after. Use the recorded result. What has changed since is not in it.", stamp(o.readAt()))}, true
	case FailedPermanent:
		switch o.failureCategory() {
		case CategoryApprovalDenied, CategoryPolicyDenied:
			return Told{}, false
		}
		return Told{NextAction: NextChooseOther, Retry: RetryPropose, SafeUser: "This could not be looked up.",
			Model: "The read failed, so nothing is known by it, and nothing was changed. Tell the person why. The same call makes a new read."}, true
	}
	return Told{}, false
}

// tellReadAgain says what a read's recorded result means to another proposal of it.
func tellReadAgain(o *Operation) Told {
	t, _ := tellRead(o)
	t.Model = fmt.Sprintf("This was read at %s or shortly after, and was not read again now. Use the recorded result. What has changed since is not in it.", stamp(o.readAt()))
	return t
}

func stamp(t time.Time) string { return t.UTC().Format("2 January 2006 15:04:05 MST") }
