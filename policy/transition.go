package policy

import (
	"slices"
	"time"
)

// Hold puts an operation at the end of the line. Joining twice changes nothing, but that one which waited is held when it
// is released: its place is that of its release, since it held nothing before.
func (h History) Hold(ch Charge, root, op string, now time.Time, waiting bool) History {
	i := slices.IndexFunc(h.Open, func(o Hold) bool { return o.Operation == op })
	if i >= 0 && (waiting || !h.Open[i].Waiting) {
		return h
	}
	h = h.Drop(op)
	h.Open = append(h.Open, Hold{Root: root, Operation: op, Amount: ch.Amount, Since: now, Tool: ch.Tool, Intent: ch.Intent, Waiting: waiting})
	return h
}

// Drop takes out an operation that ended without effect. What is not there is not missed.
func (h History) Drop(op string) History {
	h.Open = slices.DeleteFunc(slices.Clone(h.Open), func(o Hold) bool { return o.Operation == op })
	return h
}

// Settle takes out an operation that ended with effect, and charges it at its last permit's time. It charges one that was
// not held as well, which is a late success. An operation and its revisions are one charge, that of the last permit;
// telling an end twice changes nothing while the operation is kept by name (the newest 64 of a counter, and always where
// a window or a conflict needs it). What no period of the charge's terms contains any more goes.
func (h History) Settle(ch Charge, root, op string, at, now time.Time) History {
	h = h.Drop(op)
	if ch.Kind == ChargeCounter {
		return h.count(ch, root, op, at, now)
	}
	return h.remember(ch, root, op, at, now)
}

// Empty reports whether nothing counts here, so that the row may go.
func (h History) Empty() bool { return len(h.Open) == 0 && len(h.Past) == 0 }

// remember keeps one operation of a window or a conflict by name. Of each tool and intent the newest two roots do: one of
// them is another than whoever asks.
func (h History) remember(ch Charge, root, op string, at, now time.Time) History {
	one := Past{At: at, Root: root, Operation: op, Tool: ch.Tool, Intent: ch.Intent, Keep: ch.Period}
	kept := make([]Past, 0, len(h.Past)+1)
	for _, past := range h.Past {
		same := past.Tool == one.Tool && past.Intent == one.Intent
		if same && past.Keep > one.Keep {
			one.Keep = past.Keep // longer terms hold on: the newest stands for those that it displaces
		}
		switch {
		case past.Root == root && same:
			if past.At.After(one.At) {
				one.At, one.Operation = past.At, past.Operation
			}
		case past.At.Add(past.Keep).After(now):
			kept = append(kept, past)
		}
	}
	if one.At.Add(one.Keep).After(now) {
		kept = append(kept, one)
	}
	slices.SortStableFunc(kept, func(a, b Past) int { return b.At.Compare(a.At) })
	type pair struct{ tool, intent string }
	count := map[pair]int{}
	kept = slices.DeleteFunc(kept, func(p Past) bool {
		count[pair{p.Tool, p.Intent}]++
		return count[pair{p.Tool, p.Intent}] > 2
	})
	slices.Reverse(kept)
	h.Past = kept
	return h
}
