package script

import (
	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/internal/yamlproto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// settling are the verbs that find out, end and undo. Their subject is the step that was about the operation.
var settling = map[string]verb{
	"reconcile": {method: "OperationService/Reconcile", subject: ofOperation, finish: reconciling},
	"lookup": {
		method: "OperationService/Reconcile", subject: ofOperation,
		own: map[string]func(*filling, *yaml.Node) error{
			"question": lookupQuestion,
			"found":    func(x *filling, node *yaml.Node) (err error) { x.lookup.found, err = text(node); return err },
			"by":       func(x *filling, node *yaml.Node) (err error) { x.lookup.by, err = text(node); return err },
		},
		finish: lookup,
	},
	"cancel": {method: "OperationService/CancelOperation", subject: ofOperation, finish: requestID},
	"compensate": {
		method: "OperationService/CompensateOperation", subject: ofOperation,
		finish: func(x *filling) error {
			x.put("reason", "the customer wants it undone")
			return requestID(x)
		},
	},
}

// looking is a lookup in the making.
type looking struct {
	instruction *pb.LookupInstruction
	// found is the effect that the scenario says was found, "nothing" or "unavailable"; empty: the provider is asked.
	found string
	by    string
}

func reconciling(x *filling) error {
	if e := x.request.(*pb.ReconcileRequest).Evidence; e != nil && e.EvidenceId == "" {
		e.EvidenceId = x.newID()
	}
	return requestID(x)
}

// lookupQuestion takes up the invitation of an earlier answer: a lookup is as fresh as its question.
func lookupQuestion(x *filling, node *yaml.Node) error {
	o, err := x.named(node)
	if err != nil {
		return err
	}
	m, invites := o.answer.(interface{ GetLookup() *pb.LookupInstruction })
	if !invites || m.GetLookup() == nil && !x.checking {
		return at(node, "the answer of %q invites to no lookup", node.Value)
	}
	x.lookup.instruction = m.GetLookup()
	return nil
}

// lookup asks the ledger what to ask, asks the provider, and hands in the answer.
func lookup(x *filling) error {
	if err := requestID(x); err != nil || x.checking {
		return err
	}
	r := x.request.(*pb.ReconcileRequest)
	if x.lookup.instruction == nil {
		invited := &pb.ReconcileResponse{}
		if err := x.runner.ask(x.ctx, x.caller, "OperationService/Reconcile", &pb.ReconcileRequest{OperationId: r.OperationId, RequestId: x.newID()}, invited); err != nil {
			return at(x.outcome.step.node, "the ledger invites to no lookup: %v", err)
		}
		x.lookup.instruction = invited.Lookup
	}
	q := x.lookup.question()
	if q == nil {
		return at(x.outcome.step.node, "the ledger asks no question of the provider: %v", x.lookup.instruction)
	}
	source := &pb.LookupSource{LookupTicket: x.lookup.instruction.LookupTicket, By: q.By, Value: q.Value}
	if q.Search {
		source.Search = &q.Search
	}
	r.Evidence = &pb.Evidence{EvidenceId: x.newID(), Source: &pb.Evidence_Lookup{Lookup: source}, Verdict: pb.Verdict_VERDICT_DID_NOT_HAPPEN}
	effect := x.lookup.found
	if effect == "" {
		o, err := x.runner.operation(x.ctx, x.caller, r.OperationId)
		if err != nil {
			return at(x.outcome.step.node, "the operation cannot be read: %v", err)
		}
		effect = x.runner.find(o.Tool, q)
	}
	switch effect {
	case "nothing":
	case "unavailable":
		r.Evidence.Verdict = pb.Verdict_VERDICT_STILL_UNKNOWN
	default:
		r.Evidence.Verdict = pb.Verdict_VERDICT_HAPPENED
		r.Evidence.Answer = &pb.ProviderAnswer{EffectId: effect, ProviderObjectId: effect}
		r.Evidence.Attribution = attributed(q)
	}
	return nil
}

// attributed says by what the provider's object is known as this operation's.
func attributed(q *pb.LookupQuestion) *pb.Attribution {
	switch q.By {
	case pb.LookupBy_LOOKUP_BY_VENDOR_KEY:
		return &pb.Attribution{VendorIdempotencyKey: q.Value}
	case pb.LookupBy_LOOKUP_BY_CLIENT_REFERENCE:
		return &pb.Attribution{ClientReference: q.Value}
	}
	return nil
}

// question is the one that is asked: the first, or the one by what the step says.
func (l looking) question() *pb.LookupQuestion {
	for _, q := range l.instruction.GetQuestions() {
		if l.by == "" || l.by == yamlproto.Word[string](q.By) {
			return q
		}
	}
	return nil
}
