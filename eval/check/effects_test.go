package check

import (
	"testing"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

func TestEffects(t *testing.T) {
	op := func(r *eval.Record) *pb.Operation { return r.Operations[0] }
	finds(t, Effects, []broken{
		{"two effects of nobody", func(r *eval.Record) {
			r.Effects, r.Heard = append(r.Effects, eval.Effect{ID: "msg_2"}), false
		}, "2 effects stand at the provider, 1 were wanted"},
		{"two effects of one operation, one undone", func(r *eval.Record) {
			r.Effects = append(r.Effects, eval.Effect{ID: "msg_2", Reference: "ref_1", Undone: true})
		}, "has 2 effects at the provider"},
		{"a heard duplicate without an incident, where a promise was broken", func(r *eval.Record) {
			r.Effects, r.Faults = append(r.Effects, eval.Effect{ID: "msg_2"}), []eval.Fault{eval.LookupLies}
		}, "raised no incident"},
		{"a success without an effect", func(r *eval.Record) { r.Effects = nil }, ""},
		{"a failure with an effect", func(r *eval.Record) { op(r).State = permanent }, "is failed_permanent, and the provider has its effect"},
		{"a noop with an effect of its own", func(r *eval.Record) { op(r).State = noop }, "is completed_noop, and the provider has its effect"},
		{"an undone effect that stands", func(r *eval.Record) { op(r).State = compensated }, "an effect of it stands"},
		{"a success that was undone", func(r *eval.Record) { r.Effects[0].Undone = true }, "its effect was undone"},
		{"a lost effect", func(r *eval.Record) { r.Effects, r.Operations = nil, nil }, "1 effects were wanted and are not there"},
		{"a swallowed repetition", func(r *eval.Record) { r.Wanted, r.Agent = 2, "repeats" }, "wanted repetitions were swallowed"},
		{"effects that nobody can be told apart by", func(r *eval.Record) {
			op(r).ClientReference, op(r).Effects, op(r).State = "", nil, permanent
		}, "no more than 0 operations"},
	})
}

// TestCount: what figures are made of.
func TestCount(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*eval.Record)
		want   Counted
	}{
		"sound":               {func(*eval.Record) {}, Counted{Standing: 1}},
		"a loop that lost it": {func(r *eval.Record) { r.Arm, r.Effects, r.Operations = eval.Naive, nil, nil }, Counted{Lost: 1}},
		"a loop that doubled": {func(r *eval.Record) { r.Arm, r.Effects = eval.Naive, append(r.Effects, eval.Effect{}) }, Counted{Standing: 2, Duplicates: 1}},
		"known as failed":     {func(r *eval.Record) { r.Effects, r.Operations[0].State = nil, permanent }, Counted{}},
		"before a person": {func(r *eval.Record) {
			r.Effects, r.Operations[0].State, r.Operations[0].NeedsHuman = nil, unknown, &pb.NeedsHuman{}
		}, Counted{NeedsHuman: 1}},
		"refused for good":      {func(r *eval.Record) { r.Effects, r.Operations, r.Refusable = nil, nil, true }, Counted{}},
		"a swallowed second":    {func(r *eval.Record) { r.Wanted = 2 }, Counted{Standing: 1, Lost: 1, Swallowed: 1}},
		"never heard of":        {func(r *eval.Record) { r.Heard, r.Effects = false, append(r.Effects, eval.Effect{}) }, Counted{Standing: 2, Duplicates: 1, Unheard: 1}},
		"heard of, not flagged": {func(r *eval.Record) { r.Effects = append(r.Effects, eval.Effect{}) }, Counted{Standing: 2, Duplicates: 1, Unflagged: 1}},
		"heard of, flagged": {func(r *eval.Record) {
			r.Effects, r.Operations[0].Incidents = append(r.Effects, eval.Effect{}), []*pb.Incident{{}}
		}, Counted{Standing: 2, Duplicates: 1, Incidents: 1}},
		"a read": {func(r *eval.Record) { r.Class, r.Effects = registry.PureRead, append(r.Effects, eval.Effect{}) }, Counted{Standing: 2}},
	} {
		r := sound()
		c.change(&r)
		if got := Count(r); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestEnds(t *testing.T) {
	var cases []broken
	for _, s := range []state{planned, pending, dispatched, acknowledged, retryable, unknown, compensating} {
		cases = append(cases, broken{word(s), func(r *eval.Record) { r.Operations[0].State = s }, "no person has been asked"})
	}
	finds(t, Ends, cases)
	r := sound()
	r.Operations[0].State, r.Operations[0].NeedsHuman = unknown, &pb.NeedsHuman{}
	if found := Ends(r); len(found) > 0 {
		t.Errorf("a person was asked: %+v", found)
	}
}

func TestTogether(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *eval.Record)
	}{
		"one operation for two businesses": {func(r *eval.Record) { r.Key = "email:2" }},
		"one key for two operations":       {func(r *eval.Record) { other(r).Effects, other(r).Attempts = nil, nil }},
		"one effect for two operations":    {func(r *eval.Record) { other(r).Keys, other(r).Attempts = nil, nil }},
		"one fencing number twice": {func(r *eval.Record) {
			o := other(r)
			o.Keys, o.Effects, o.Attempts[0].GrantTime, o.Attempts[0].EndTime = nil, nil, at(10), at(11)
		}},
		"a fencing number that falls": {func(r *eval.Record) {
			o := other(r)
			o.Keys, o.Effects, o.Attempts[0].GrantTime, o.Attempts[0].EndTime, o.Attempts[0].FencingNumbers[0].Number = nil, nil, at(10), at(11), 0
		}},
		"two permits in one group": {func(r *eval.Record) {
			o := other(r)
			o.Keys, o.Effects, o.Attempts[0].GrantTime, o.Attempts[0].FencingNumbers[0].Number = nil, nil, at(2), 2
		}},
	} {
		r := sound()
		c.change(&r)
		if found := Together([]eval.Record{sound(), r}); len(found) != 1 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// other makes the record's operation another one.
func other(r *eval.Record) *pb.Operation {
	o := r.Operations[0]
	o.OperationId = "op_2"
	return o
}
