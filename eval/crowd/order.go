package crowd

import (
	"fmt"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
)

// ordered counts what was put in order.
type ordered struct {
	objects, calls, undecided int
}

// order looks for an order of the calls on each operation and each lease in which every answer is the right one.
func (o *ordered) order(calls []eval.Call) (found []eval.Finding) {
	for _, h := range check.Histories(calls) {
		o.objects++
		o.calls += h.Calls
		f := eval.Finding{Checker: "linearizability", Dimension: eval.ConcurrencySafety}
		switch h.Verdict {
		case check.Ordered:
			continue
		case check.Undecided:
			o.undecided++
			f.Message = fmt.Sprintf("whether the %d calls on %s have an order was not found out within %s", h.Calls, h.Of, check.Within)
		default:
			f.Message = fmt.Sprintf("no order of the calls on %s makes each answer the right one; this is where it ends", h.Of)
			f.History = h.Shown
		}
		found = append(found, f)
	}
	return found
}

func (o *ordered) String() string {
	return fmt.Sprintf("%d calls on %d objects were put in order; %d objects were left undecided", o.calls, o.objects, o.undecided)
}

// signed are findings with the part, and with what repeats of it: the draws, and not how calls interleave.
func signed(found []eval.Finding, part string, env eval.Env) []eval.Finding {
	for i := range found {
		f := &found[i]
		f.Part = part
		f.History = append([]string{fmt.Sprintf("drawn from seed %d; the same seed draws the same, and calls may interleave otherwise", env.Seed)}, f.History...)
		f.Replay = fmt.Sprintf("opledger eval --suite crowd --part %s --seed %d", part, env.Seed)
		if env.Runs > 0 {
			f.Replay += fmt.Sprintf(" --runs %d", env.Runs)
		}
	}
	return found
}
