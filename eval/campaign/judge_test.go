package campaign

import (
	"fmt"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

// judge is the least that must be true of a run where the profiles keep what they say: no effect too many, none that the
// ledger claims and that is not there, and none lost without a word.
func judge(r eval.Record) []eval.Finding {
	var found []eval.Finding
	add := func(format string, args ...any) {
		found = append(found, eval.Finding{Checker: "effects", Run: r.Run, Key: r.Key, Message: fmt.Sprintf(format, args...), History: r.Steps})
	}
	standing, done, excused := 0, 0, 0
	for _, e := range r.Effects {
		if !e.Undone {
			standing++
		}
	}
	for _, o := range r.Operations {
		switch {
		case o.Tool != r.Tool:
		case o.State == pb.Operation_STATE_COMPLETED_SUCCESS:
			done++
		case rests(o):
			excused++
		default:
			add("%s is %s at the end", o.OperationId, o.State)
		}
	}
	if r.Class == registry.PureRead {
		return found
	}
	if standing > r.Wanted {
		add("%d effects stand, %d were wanted", standing, r.Wanted)
	}
	if len(r.Effects) < done {
		add("%d operations say that they happened, the provider has %d effects", done, len(r.Effects))
	}
	if len(r.Effects)+excused < r.Wanted {
		add("%d effects were wanted, %d are there, and %d operations say why not", r.Wanted, len(r.Effects), excused)
	}
	return found
}
