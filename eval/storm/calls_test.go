//go:build unix

package storm_test

import (
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/storm"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// TestAServerIsKilledWithItsRequestUnderWay: the blow falls where it is said to fall, between what the server sent and its
// report. What has no key is not sent again on a guess: it is found by a lookup, or known by one to be lost and then sent.
func TestAServerIsKilledWithItsRequestUnderWay(t *testing.T) {
	for step, attempts := range map[storm.Step]int{
		storm.Handed: 2, // the request was lost on its way
		storm.Looked: 1, // it arrived when its sender was dead
		storm.Sent:   1, // it had its effect, and the answer was lost
	} {
		t.Run(string(step), func(t *testing.T) {
			t.Parallel()
			judged := 0
			round := storm.Round{Step: step, Victim: storm.Server, Blow: storm.Kill}
			on(t, storm.Part{Only: round.String(), Judge: func(r eval.Record) []eval.Finding {
				if r.Tool == "storm.call" {
					judged++
					neverReported(t, r, attempts)
				}
				return check.All(r)
			}})
			if judged == 0 {
				t.Error("the tool took no part")
			}
		})
	}
}

// neverReported checks that the first attempt was begun and ended without its sender's word, that a lookup told of it, and
// that the operation succeeded after so many attempts.
func neverReported(t *testing.T, r eval.Record, attempts int) {
	t.Helper()
	o := r.Operations[0]
	if o.State != pb.Operation_STATE_COMPLETED_SUCCESS || len(o.Attempts) != attempts || len(r.Effects) != 1 {
		t.Fatalf("%s after %d attempts with %d effects", o.State, len(o.Attempts), len(r.Effects))
	}
	if first := o.Attempts[0]; first.BeginTime == nil || first.Report != nil {
		t.Errorf("the first attempt was not begun, or reported: %v", first)
	}
	ended, looked := false, false
	for _, e := range r.Events[o.OperationId] {
		switch e.Type {
		case pb.OperationEventType_OPERATION_EVENT_TYPE_PERMIT_ENDED:
			ended = ended || e.AttemptNumber == 1
		case pb.OperationEventType_OPERATION_EVENT_TYPE_EVIDENCE_KEPT:
			looked = looked || ended && e.Detail["source"] == "lookup" && e.Detail["says"] != "unknown"
		}
	}
	if !ended || !looked {
		t.Errorf("the first permit ended by itself: %t; a lookup told what had become of it: %t", ended, looked)
	}
}
