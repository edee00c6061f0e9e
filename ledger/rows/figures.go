package rows

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/ledger"
)

// MaxFigures is the greatest number of rules that a sum of figures answers.
const MaxFigures = 1000

// figuresKey names a row of figures.
type figuresKey struct {
	namespace ledger.Namespace
	rule      string
	version   int64
	hour      time.Time
}

// FromFigures makes rows of figures: checked, those of one rule, version and hour added up, and in the order in which
// every server takes them.
func FromFigures(list []ledger.RuleFigures) ([]ledger.RuleFigures, error) {
	sums := map[figuresKey]ledger.RuleFigures{}
	for _, f := range list {
		var c check
		c.name("namespace", string(f.Namespace))
		c.name("rule", f.Rule)
		c.that(!f.Hour.IsZero(), "figures of rule %s lack their hour", f.Rule)
		c.that(min(f.RuleVersion, f.Evaluations, f.Refusals, f.ShadowRefusals, f.Overrides) >= 0, "figures of rule %s are below zero", f.Rule)
		if c.err != nil {
			return nil, c.err
		}
		f.Hour = HourOf(f.Hour)
		key := figuresKey{f.Namespace, f.Rule, f.RuleVersion, f.Hour}
		if sum, have := sums[key]; have {
			f.Evaluations += sum.Evaluations
			f.Refusals += sum.Refusals
			f.ShadowRefusals += sum.ShadowRefusals
			f.Overrides += sum.Overrides
		}
		sums[key] = f
	}
	return slices.SortedFunc(maps.Values(sums), func(a, b ledger.RuleFigures) int {
		return cmp.Or(strings.Compare(string(a.Namespace), string(b.Namespace)), a.Hour.Compare(b.Hour), strings.Compare(a.Rule, b.Rule),
			cmp.Compare(a.RuleVersion, b.RuleVersion))
	}), nil
}

// HourOf is the start of the hour, UTC, that holds a moment.
func HourOf(t time.Time) time.Time { return t.UTC().Truncate(time.Hour) }
