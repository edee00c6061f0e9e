package check

import pb "github.com/opledger/opledger/gen/go/opledger/v1"

// What statements and incidents say, as their events have it.
const (
	happened, didNotHappen = "happened", "did_not_happen"
	effectElsewhere        = "effect_of_another_operation"
	presenceUnmatched      = "presence_not_attributable"
)

// saysPresent reports whether an incident says that the effect exists: an object was named that belongs to another operation,
// or one that cannot be told to be this one's.
func saysPresent(e *pb.OperationEvent) bool {
	return e.Detail["kind"] == effectElsewhere || e.Detail["kind"] == presenceUnmatched
}

// heard: a person, a copy of a permit and a late report are heeded when they say that the effect exists, also of an operation
// that counted as failed: an incident is raised beside it. By a person's word the effect is known, unless the object that it
// names is another operation's. A lookup and an event are heeded where an object is attributed, which another event says; one
// that names no object where it counted, which stands with what is kept of it.
func (h *history) heard(i int, e *pb.OperationEvent) {
	if e.Detail["says"] == didNotHappen {
		h.overruled(i, e)
		h.gaveBack(i, e)
	}
	if e.Detail["says"] != happened {
		return
	}
	switch e.Detail["source"] {
	case "person":
		h.presence, h.effect = true, h.effect || !h.withinKind(i, effectElsewhere)
	case "late_report", "copy_report":
		h.presence = true
	default:
		if e.Detail["effect_id"] == "" && counted(h.kept(e)) {
			h.presence, h.effect = true, true
		}
	}
}

// overruled: that somebody says that an effect exists which nobody could attribute is overruled by a person's recorded
// decision, which counts at once or not at all: it ends the doubt in the same change.
func (h *history) overruled(i int, e *pb.OperationEvent) {
	if e.Detail["source"] == "person" && h.kept(e).GetEvidence().GetPerson().GetOverrule() && !h.effect && h.within(i, stateChanged) {
		h.presence = false
	}
}

// gaveBack: a report that comes to nothing ends its permit all the same if its sender has returned: what the provider took on
// is not undone by "it was not sent", and nothing more is sent.
func (h *history) gaveBack(i int, e *pb.OperationEvent) {
	if e.Detail["source"] == "copy_report" && e.AttemptNumber == h.live && h.within(i, stateChanged) && h.kept(e).GetReport().GetSenderReturned() {
		h.attempt(e).returned = true
	}
}

// kept is the statement that an event tells of, as it is kept with the operation; nil where it is not any more.
func (h *history) kept(e *pb.OperationEvent) *pb.EvidenceRecord {
	for _, kept := range h.operation.Evidence {
		if id := e.Detail["evidence_id"]; same(kept.GetEvidence().GetEvidenceId(), id) || same(kept.GetReport().GetReportId(), id) {
			return kept
		}
	}
	return nil
}

// counted reports whether a statement settled something, or said what was settled already.
func counted(kept *pb.EvidenceRecord) bool {
	return kept.GetEffect() == pb.EvidenceEffect_EVIDENCE_EFFECT_APPLIED || kept.GetEffect() == pb.EvidenceEffect_EVIDENCE_EFFECT_DUPLICATE
}

// withinKind reports whether an incident of a kind belongs to the same change as event i.
func (h *history) withinKind(i int, kind string) bool {
	for _, e := range h.events {
		if e.OperationVersion == h.events[i].OperationVersion && e.Type == incident && e.Detail["kind"] == kind {
			return true
		}
	}
	return false
}
