package policy

import (
	"slices"
	"time"
)

// namedInCounter is how many of the newest operations a counter keeps by name. By its name an operation is not weighed
// against its own revisions, and is not charged twice when its end is told twice; older ones are sums of their buckets.
const namedInCounter = 64

// asker is who asks a history: its own root is never weighed against itself, and one that is in the line already only
// against holders before it.
type asker struct {
	root, operation string
	recheck         bool
}

// before gives the holders that the asker is weighed against: those that are held, or that wait. Who holds already
// yields only to holders before it; one that merely waits holds nothing yet.
func (h History) before(who asker, waiting bool) []Hold {
	var others []Hold
	for _, open := range h.Open {
		if who.recheck && open.Operation == who.operation && !open.Waiting {
			break
		}
		if open.Root != who.root && open.Waiting == waiting {
			others = append(others, open)
		}
	}
	return others
}

// held is the sum of what is open.
func (h History) held(who asker) int64 {
	var sum int64
	for _, open := range h.before(who, false) {
		sum = plus(sum, open.Amount)
	}
	return sum
}

// counted is the value of a counter for an asker: what is open and what has happened within the period.
func (h History) counted(who asker, p period, now time.Time) int64 {
	sum := h.held(who)
	for _, past := range h.Past {
		if (past.Root == "" || past.Root != who.root) && p.leaves(past.At).After(now) {
			sum = plus(sum, past.Sum)
		}
	}
	return sum
}

// room tells after how long a counter may have room for an amount: when enough of what has happened has left the period.
// Zero: only an operation that is open can make room.
func (h History) room(who asker, p period, now time.Time, amount, greatest int64) time.Duration {
	type leaving struct {
		at  time.Time
		sum int64
	}
	var past []leaving
	for _, b := range h.Past {
		if at := p.leaves(b.At); (b.Root == "" || b.Root != who.root) && at.After(now) {
			past = append(past, leaving{at, b.Sum})
		}
	}
	slices.SortFunc(past, func(a, b leaving) int { return b.at.Compare(a.at) })
	// The newest stay as long as there is room for them; the first that there is none for has to leave.
	left := greatest - amount
	if left -= h.held(who); left < 0 {
		return 0
	}
	for _, b := range past {
		if left -= b.sum; left < 0 {
			return b.at.Sub(now)
		}
	}
	return 0
}

// count charges one operation, and folds all but the newest into their buckets.
func (h History) count(ch Charge, root, op string, at, now time.Time) History {
	p, sum := ch.period(), ch.Amount
	kept := make([]Past, 0, len(h.Past)+1)
	for _, past := range h.Past {
		switch {
		case root != "" && past.Root == root:
			if past.At.After(at) {
				at, sum, op = past.At, past.Sum, past.Operation // a revision's charge stands; this end was told late
			}
		case p.leaves(past.At).After(now):
			kept = append(kept, past)
		}
	}
	if p.leaves(at).After(now) {
		kept = append(kept, Past{At: at, Sum: sum, Root: root, Operation: op})
	}
	h.Past = fold(kept, p)
	return h
}

// fold keeps the newest by name, and of the others the sum of each bucket; the oldest first.
func fold(past []Past, p period) []Past {
	slices.SortStableFunc(past, func(a, b Past) int { return b.At.Compare(a.At) })
	named := 0
	var folded []Past
	for _, one := range past {
		if one.Root != "" && named < namedInCounter {
			named++
			folded = append(folded, one)
			continue
		}
		start, _ := p.bucket(one.At)
		i := slices.IndexFunc(folded, func(b Past) bool { return b.Root == "" && b.At.Equal(start) })
		if i < 0 {
			folded = append(folded, Past{At: start, Sum: one.Sum})
			continue
		}
		folded[i].Sum = plus(folded[i].Sum, one.Sum)
	}
	slices.SortStableFunc(folded, func(a, b Past) int { return a.At.Compare(b.At) })
	return folded
}
