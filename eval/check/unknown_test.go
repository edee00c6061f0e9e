package check

import (
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func TestUnknownFor(t *testing.T) {
	type move struct {
		at       int // seconds after dawn
		from, to state
	}
	for name, c := range map[string]struct {
		moves     []move
		seconds   []int
		ambiguous bool
	}{
		"never":                      {moves: []move{{0, absent, pending}, {1, pending, dispatched}, {2, dispatched, success}}},
		"known again":                {moves: []move{{1, dispatched, unknown}, {8, unknown, success}}, seconds: []int{7}, ambiguous: true},
		"never known again":          {moves: []move{{1, dispatched, unknown}}, ambiguous: true},
		"sent again and known":       {moves: []move{{1, dispatched, unknown}, {3, unknown, dispatched}, {4, dispatched, success}}, ambiguous: true},
		"twice":                      {moves: []move{{1, dispatched, unknown}, {3, unknown, retryable}, {4, retryable, dispatched}, {5, dispatched, unknown}, {9, unknown, success}}, seconds: []int{2, 4}, ambiguous: true},
		"something said of it as is": {moves: []move{{1, dispatched, unknown}, {2, unknown, unknown}, {3, unknown, permanent}}, seconds: []int{2}, ambiguous: true},
	} {
		r := eval.Record{Operations: []*pb.Operation{{OperationId: "op_1"}}, Events: map[string][]*pb.OperationEvent{}}
		for _, m := range c.moves {
			r.Events["op_1"] = append(r.Events["op_1"], &pb.OperationEvent{Time: at(m.at), FromState: m.from, ToState: m.to})
		}
		var want []time.Duration
		for _, s := range c.seconds {
			want = append(want, time.Duration(s)*time.Second)
		}
		if times, ambiguous := UnknownFor(r); !slices.Equal(times, want) || ambiguous != c.ambiguous {
			t.Errorf("%s: %v, %t", name, times, ambiguous)
		}
	}
}
