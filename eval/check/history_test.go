package check

import (
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// TestHistory: each rule of histories is broken by a record that breaks it.
func TestHistory(t *testing.T) {
	op := func(r *eval.Record) *pb.Operation { return r.Operations[0] }
	ev := func(r *eval.Record) []*pb.OperationEvent { return r.Events["op_1"] }
	// insert puts an event after the one with a sequence, in the same change, and numbers all anew.
	insert := func(r *eval.Record, after int, e *pb.OperationEvent) {
		before := ev(r)[after-1]
		e.OperationId, e.OperationVersion = "op_1", before.OperationVersion
		if e.Time == nil {
			e.Time = before.Time
		}
		r.Events["op_1"] = slices.Insert(ev(r), after, e)
		for i, e := range ev(r) {
			e.Sequence = int64(i) + 1
		}
	}
	finds(t, History, []broken{
		{"no events", func(r *eval.Record) { r.Events["op_1"] = nil }, "it has no events"},
		{"a gap", func(r *eval.Record) { ev(r)[7].Sequence = 9 }, "event 8 has the sequence 9"},
		{"an event of another operation", func(r *eval.Record) { ev(r)[4].OperationId = "op_2" }, "is of operation op_2"},
		{"no creation", func(r *eval.Record) { ev(r)[0].Type = incident; op(r).Incidents = []*pb.Incident{{}} }, "the first event is the creation"},
		{"two creations", func(r *eval.Record) { insert(r, 1, &pb.OperationEvent{Type: created}) }, "the first event is the creation"},
		{"a version left out", func(r *eval.Record) {
			for _, e := range ev(r)[4:] {
				e.OperationVersion++
			}
			op(r).Version++
		}, "version 4 follows 2"},
		{"time goes back", func(r *eval.Record) { ev(r)[4].Time = at(0) }, "is earlier than the one before it"},
		{"a change at two times", func(r *eval.Record) { ev(r)[1].Time = at(1) }, "was made at two times"},
		{"a step that the table does not have", func(r *eval.Record) {
			ev(r)[7].ToState, op(r).State, op(r).EndTime = pending, pending, nil
			ev(r)[5].Type, ev(r)[6].Detail["outcome"] = needsHuman, "ambiguous"
			op(r).Attempts[0].Verdict = pb.AttemptVerdict_ATTEMPT_VERDICT_OPEN
		}, "which the state table does not have"},
		{"a step from another state", func(r *eval.Record) { ev(r)[7].FromState = unknown }, ""},
		{"a contradiction without an incident", func(r *eval.Record) {
			insert(r, 2, &pb.OperationEvent{Type: stateChanged, FromState: pending, ToState: permanent})
			r.Events["op_1"] = append(ev(r)[:3:3],
				&pb.OperationEvent{OperationId: "op_1", Sequence: 4, OperationVersion: 2, Time: at(1), Type: attributed},
				&pb.OperationEvent{OperationId: "op_1", Sequence: 5, OperationVersion: 2, Time: at(1), Type: stateChanged, FromState: permanent, ToState: success})
			op(r).Version, op(r).UpdateTime, op(r).StateTime, op(r).Attempts = 2, at(1), at(1), nil
		}, "no incident was raised"},
		{"a permit that ends for no reason", func(r *eval.Record) { ev(r)[6].Type = attributed }, "for no reason"},
		{"a dispatch without a permit", func(r *eval.Record) {
			ev(r)[3].Type, ev(r)[4].Type = incident, incident
			op(r).Incidents, op(r).Attempts, ev(r)[5].AttemptNumber = []*pb.Incident{{}}, nil, 0
		}, ""},
		{"a second permit while one is out", func(r *eval.Record) {
			insert(r, 4, &pb.OperationEvent{Type: permitGranted, AttemptNumber: 2, Detail: ev(r)[3].Detail})
		}, ""},
		{"an attempt left out", func(r *eval.Record) {
			for _, e := range ev(r)[3:7] {
				e.AttemptNumber = 2
			}
		}, ""},
		{"a begin after presence", func(r *eval.Record) {
			insert(r, 4, &pb.OperationEvent{Type: attributed, AttemptNumber: 1})
		}, "comes after somebody has said that the effect exists"},
		{"a begin after the wish to cancel", func(r *eval.Record) { insert(r, 4, &pb.OperationEvent{Type: cancelWished}) }, "comes after the wish to cancel"},
		{"a begin after the deadline", func(r *eval.Record) {
			for _, e := range ev(r)[4:] {
				e.Time = at(70)
			}
			op(r).UpdateTime, op(r).StateTime, op(r).EndTime = at(70), at(70), at(70)
		}, "at the deadline of attempt 1 or after it"},
		{"two begins", func(r *eval.Record) { insert(r, 5, &pb.OperationEvent{Type: attemptBegun, AttemptNumber: 1}) }, "a second time"},
		{"a permit that is shortened", func(r *eval.Record) {
			insert(r, 5, &pb.OperationEvent{Type: permitExtended, AttemptNumber: 1, Detail: map[string]string{"deadline": "2026-03-01T09:00:30Z"}})
		}, "shortens the permit"},
		{"a permit that ends before its deadline", func(r *eval.Record) {
			insert(r, 5, &pb.OperationEvent{Type: permitEnded, AttemptNumber: 1})
		}, "before its deadline"},
		{"a permit before its approval", func(r *eval.Record) {
			insert(r, 2, &pb.OperationEvent{Type: approval, Detail: map[string]string{"approval_id": "apr_1", "change": "requested"}})
		}, "no approval of it was given"},
		{"an approval used twice", func(r *eval.Record) {
			insert(r, 2, &pb.OperationEvent{Type: approval, AttemptNumber: 9, Detail: map[string]string{"approval_id": "apr_1", "change": "used"}})
			insert(r, 2, &pb.OperationEvent{Type: approval, Detail: map[string]string{"approval_id": "apr_1", "change": "granted"}})
		}, "no approval of it was given"},
		{"cleared while it could send", func(r *eval.Record) {
			insert(r, 5, &pb.OperationEvent{Type: cleared, AttemptNumber: 1})
		}, "it could still have sent"},
		{"failed while an attempt is open", func(r *eval.Record) {
			failed(r)
			ev(r)[6].Type = evidenceKept
			op(r).Attempts[0].Verdict = pb.AttemptVerdict_ATTEMPT_VERDICT_OPEN
		}, "while attempt 1 may have had the effect"},
		{"failed against presence", func(r *eval.Record) {
			failed(r)
			insert(r, 5, &pb.OperationEvent{Type: evidenceKept, Detail: map[string]string{"says": "happened", "source": "person"}})
		}, ""},
		{"failed against an object of another operation", func(r *eval.Record) {
			failed(r)
			insert(r, 5, &pb.OperationEvent{Type: incident, Detail: map[string]string{"kind": effectElsewhere}})
			op(r).Incidents = []*pb.Incident{{}}
		}, "although somebody has said that the effect exists"},
		{"a permit after a late success by the object of another operation", func(r *eval.Record) {
			sentAgain(r, 70, &pb.OperationEvent{Type: evidenceKept, AttemptNumber: 1, Detail: map[string]string{"says": happened, "source": "late_report"}},
				&pb.OperationEvent{Type: incident, Detail: map[string]string{"kind": effectElsewhere}})
		}, "comes after somebody has said that the effect exists"},
		{"a word against presence that is no overruling", func(r *eval.Record) {
			failed(r)
			insert(r, 5, &pb.OperationEvent{Type: incident, Detail: map[string]string{"kind": presenceUnmatched}})
			insert(r, 6, &pb.OperationEvent{Type: evidenceKept, Detail: map[string]string{"says": didNotHappen, "source": "person", "evidence_id": "ev_1"}})
			op(r).Incidents = []*pb.Incident{{}}
			op(r).Evidence = []*pb.EvidenceRecord{{Evidence: &pb.Evidence{EvidenceId: "ev_1", Source: &pb.Evidence_Person{Person: &pb.PersonSource{}}}}}
		}, "although somebody has said that the effect exists"},
		{"a lookup that did not count", func(r *eval.Record) {
			ev(r)[5].Type, ev(r)[5].Detail = evidenceKept, map[string]string{"says": happened, "source": "lookup", "evidence_id": "ev_1"}
			ev(r)[6].Detail["outcome"] = "ambiguous"
			op(r).Evidence = []*pb.EvidenceRecord{{Evidence: &pb.Evidence{EvidenceId: "ev_1"}, Effect: pb.EvidenceEffect_EVIDENCE_EFFECT_WITHOUT_EFFECT}}
		}, "nobody has said that the effect exists"},
		{"a success that nobody said", func(r *eval.Record) {
			ev(r)[5].Type, ev(r)[6].Detail["outcome"] = evidenceKept, "ambiguous"
		}, "nobody has said that the effect exists"},
		{"unknown although known", func(r *eval.Record) {
			ev(r)[7].ToState, op(r).State, op(r).EndTime = unknown, unknown, nil
		}, "although its effect is known"},
		{"a silent irreversible attempt cleared by a lookup", func(r *eval.Record) {
			failed(r)
			op(r).ToolClass = pb.ToolClass_TOOL_CLASS_IRREVERSIBLE
			ev(r)[5].Type = evidenceKept
			ev(r)[5].Detail = map[string]string{"source": "lookup", "says": "did_not_happen"}
			for _, e := range ev(r)[5:] {
				e.Time = at(70)
			}
			op(r).UpdateTime, op(r).StateTime, op(r).EndTime = at(70), at(70), at(70)
		}, "only a person does"},
		{"stored in another state", func(r *eval.Record) { op(r).State = compensated }, "is stored as compensated"},
		{"stored in another version", func(r *eval.Record) { op(r).Version = 5 }, "is stored with version 5"},
		{"stored as made later", func(r *eval.Record) { op(r).CreateTime = at(1) }, "is stored as made at"},
		{"stored as changed later", func(r *eval.Record) { op(r).UpdateTime = at(9) }, "is stored as changed at"},
		{"stored in its state since later", func(r *eval.Record) { op(r).StateTime = at(9) }, "its events say since"},
		{"an end that has no time", func(r *eval.Record) { op(r).EndTime = nil }, "that it has an end is false"},
		{"an incident that no event tells", func(r *eval.Record) { op(r).Incidents = []*pb.Incident{{}} }, "tell of 0 incidents"},
		{"a person whom no event asked", func(r *eval.Record) { op(r).NeedsHuman = &pb.NeedsHuman{} }, "no event says so"},
		{"an attempt that is not stored", func(r *eval.Record) { op(r).Attempts = nil }, "0 attempts are stored"},
		{"an attempt under another number", func(r *eval.Record) { op(r).Attempts[0].AttemptNumber = 2 }, "is stored with the number 2"},
		{"an attempt that is stored as live", func(r *eval.Record) { op(r).Attempts[0].Live = true }, ""},
		{"a begin that is not stored", func(r *eval.Record) { op(r).Attempts[0].BeginTime = nil }, "began is stored as false"},
		{"a permit without an end", func(r *eval.Record) { op(r).Attempts[0].EndTime = nil }, "its permit has no end"},
		{"a verdict that no event tells", func(r *eval.Record) {
			op(r).Attempts[0].Verdict = pb.AttemptVerdict_ATTEMPT_VERDICT_NONE
		}, "had no effect is stored as true"},
		{"a grant at another time", func(r *eval.Record) { op(r).Attempts[0].GrantTime = at(0) }, "is stored as given at"},
	})
}

// failed makes the sound record one whose attempt was refused.
func failed(r *eval.Record) {
	o, e := r.Operations[0], r.Events["op_1"]
	e[5].Type, e[6].Detail["outcome"], e[7].ToState = reported, "rejected", permanent
	e[5].Detail = e[6].Detail
	e[6].Type = cleared
	o.State, o.Effects, o.Attempts[0].Verdict = permanent, nil, pb.AttemptVerdict_ATTEMPT_VERDICT_NONE
}

// sentAgain makes the sound record one whose attempt was refused, which something is said of later, and which is sent once more.
func sentAgain(r *eval.Record, seconds int, said ...*pb.OperationEvent) {
	failed(r)
	o, e := r.Operations[0], r.Events["op_1"]
	e[7].ToState = retryable
	for _, s := range said {
		s.OperationVersion = 5
		e = append(e, s)
		if s.Type == incident {
			o.Incidents = append(o.Incidents, &pb.Incident{})
		}
	}
	deadline := dawn.Add(time.Duration(seconds+60) * time.Second).Format(time.RFC3339Nano)
	e = append(e,
		&pb.OperationEvent{OperationVersion: 6, Type: stateChanged, FromState: retryable, ToState: dispatched},
		&pb.OperationEvent{OperationVersion: 6, Type: permitGranted, AttemptNumber: 2, Detail: map[string]string{"deadline": deadline}})
	for i, v := range e[8:] {
		v.OperationId, v.Sequence, v.Time = "op_1", int64(i)+9, at(seconds)
	}
	r.Events["op_1"] = e
	o.State, o.Version, o.EndTime, o.UpdateTime, o.StateTime = dispatched, 6, nil, at(seconds), at(seconds)
	o.Attempts = append(o.Attempts, &pb.Attempt{AttemptId: "att_2", AttemptNumber: 2, Live: true, GrantTime: at(seconds), DeadlineTime: at(seconds + 60)})
}

// TestARefusedAttempt: the other sound record, from which some of the broken ones are made.
func TestARefusedAttempt(t *testing.T) {
	r := sound()
	failed(&r)
	if found := History(r); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	r = sound()
	sentAgain(&r, 70, &pb.OperationEvent{Type: needsHuman})
	if found := History(r); len(found) > 0 {
		t.Errorf("sent once more: %+v", found)
	}
}
