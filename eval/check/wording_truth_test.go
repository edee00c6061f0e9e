package check

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
)

// TestAClaimIsTrueAtSomeMomentOfItsCall: others act between a call's beginning and its end. Seconds count from dawn; the
// call's order is 5 to 8.
func TestAClaimIsTrueAtSomeMomentOfItsCall(t *testing.T) {
	const notYet, hadIt = "had no effect of op_1 yet", "had the effect of op_1"
	done := says(success, inFlight, "It was sent.", "It was sent.", use)
	failed := says(retryable, inFlight, "It was not sent.", "Wait.", wait)
	refused := says(permanent, replayed, "It was not sent.", "Stop.", stop)
	waits := says(pending, inFlight, "It was not sent yet.", "Wait.", wait)
	takenOn := says(acknowledged, inFlight, "It is not finished yet.", "Wait.", wait)
	before, during, after := [2]int{2, 3}, [2]int{6, 7}, [2]int{9, 10} // places of a request in the order of calls
	for name, c := range map[string]struct {
		tells        func(*eval.Record)
		began, ended int
		effect       int
		sent         [][2]int // requests in the effect's own instant
		undone       bool
		found        string // empty: nothing is
	}{
		"failed, and made before":                          {tells: failed, began: 4, ended: 8, effect: 3, found: hadIt},
		"failed, and made meanwhile":                       {tells: failed, began: 4, ended: 8, effect: 6},
		"failed, and made later":                           {tells: failed, began: 4, ended: 8, effect: 9},
		"failed for good, and made before":                 {tells: refused, began: 4, ended: 8, effect: 3, found: hadIt},
		"failed for good, and made meanwhile":              {tells: refused, began: 4, ended: 8, effect: 6},
		"waits, and made before":                           {tells: waits, began: 4, ended: 8, effect: 3, found: hadIt},
		"waits, and made meanwhile":                        {tells: waits, began: 4, ended: 8, effect: 6},
		"taken on, and finished before":                    {tells: takenOn, began: 4, ended: 8, effect: 3, found: hadIt},
		"taken on, and finished meanwhile":                 {tells: takenOn, began: 4, ended: 8, effect: 6},
		"failed, and made before and undone":               {tells: failed, began: 4, ended: 8, effect: 3, undone: true},
		"failed, and made in the instant, before":          {tells: failed, began: 4, ended: 4, effect: 4, sent: [][2]int{before}, found: hadIt},
		"failed, and made in the instant, meanwhile":       {tells: failed, began: 4, ended: 4, effect: 4, sent: [][2]int{during}},
		"failed, and made in the instant, after":           {tells: failed, began: 4, ended: 4, effect: 4, sent: [][2]int{after}},
		"failed, and made in the instant, by one of two":   {tells: failed, began: 4, ended: 4, effect: 4, sent: [][2]int{before, after}},
		"failed, and made in the instant, under way":       {tells: failed, began: 4, ended: 4, effect: 4, found: hadIt},
		"done, and made before":                            {tells: done, began: 4, ended: 8, effect: 3},
		"done, and made meanwhile":                         {tells: done, began: 4, ended: 8, effect: 6},
		"done, and made later":                             {tells: done, began: 4, ended: 8, effect: 9, found: notYet},
		"done, and made before and undone":                 {tells: done, began: 4, ended: 8, effect: 3, undone: true},
		"done, and made in the instant of its end, before": {tells: done, began: 4, ended: 8, effect: 8, sent: [][2]int{before}},
		"done, and made in the instant of its end, during": {tells: done, began: 4, ended: 8, effect: 8, sent: [][2]int{during, after}},
		"done, and made in the instant of its end, after":  {tells: done, began: 4, ended: 8, effect: 8, sent: [][2]int{after}, found: notYet},
		"done, and made in the instant of its end":         {tells: done, began: 4, ended: 8, effect: 8},
	} {
		t.Run(name, func(t *testing.T) {
			moment := func(seconds int) time.Time { return dawn.Add(time.Duration(seconds) * time.Second) }
			r := sound()
			c.tells(&r)
			r.Effects[0].At, r.Effects[0].Undone = moment(c.effect), c.undone
			r.Calls[0].Began, r.Calls[0].Ended, r.Calls[0].Sequence, r.Calls[0].EndSeq = moment(c.began), moment(c.ended), 5, 8
			for _, s := range c.sent {
				r.Calls = append(r.Calls, eval.Call{Method: "send", Began: moment(c.effect), Ended: moment(c.effect), Sequence: s[0], EndSeq: s[1]})
			}
			found := Wording(r)
			switch {
			case c.found == "" && len(found) > 0:
				t.Errorf("found %+v", found)
			case c.found != "" && (len(found) == 0 || !strings.Contains(found[0].Message, c.found)):
				t.Errorf("found %+v, want %q", found, c.found)
			}
		})
	}
}
