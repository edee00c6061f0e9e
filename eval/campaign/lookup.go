package campaign

import (
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// lookUp puts a question to the provider as the proposer was asked to, and hands the answer in.
func (a *actor) lookUp(operation string, i *pb.LookupInstruction, q *pb.LookupQuestion) {
	evidence, says := a.ask(operation, i, q)
	answer, _, err := again(a, "reconcile", &pb.ReconcileRequest{OperationId: operation, RequestId: a.play.id(), Evidence: evidence}, a.play.stage.api.Reconcile)
	a.found(operation, evidence, says, answer.GetEvidence(), err)
}

// answerLookup does the same for a question that a worker was given.
func (a *actor) answerLookup(operation string, i *pb.LookupInstruction, q *pb.LookupQuestion) {
	evidence, says := a.ask(operation, i, q)
	answer, _, err := again(a, "reconcile", &pb.AnswerLookupRequest{OperationId: operation, RequestId: a.play.id(), Evidence: evidence}, a.play.stage.api.AnswerLookup)
	a.found(operation, evidence, says, answer.GetEvidence(), err)
}

// ask asks the provider, and writes down what it says: of a find the references that it bears, not those that were asked for.
func (a *actor) ask(operation string, i *pb.LookupInstruction, q *pb.LookupQuestion) (*pb.Evidence, string) {
	e := &pb.Evidence{
		EvidenceId: a.play.id(),
		Source:     &pb.Evidence_Lookup{Lookup: &pb.LookupSource{LookupTicket: i.LookupTicket, By: q.By, Value: q.Value}},
	}
	f := a.play.sim.find(a, a.play.toolOf(operation), q)
	e.Verdict = f.verdict
	if f.effect != "" {
		e.Attribution = &pb.Attribution{VendorIdempotencyKey: f.vendorKey, ClientReference: f.reference}
		e.Answer = &pb.ProviderAnswer{ProviderObjectId: f.effect}
	}
	return e, f.says
}

// finding is what a provider answers to a lookup.
type finding struct {
	verdict                      pb.Verdict
	effect, vendorKey, reference string
	says                         string
}

// found notes what became of an answer.
func (a *actor) found(operation string, e *pb.Evidence, says string, kept *pb.EvidenceRecord, err error) {
	a.play.heard(e.Answer.GetProviderObjectId())
	became := reasonOf(err)
	if err == nil {
		became = kept.GetEffect().String()[len("EVIDENCE_EFFECT_"):]
	}
	a.play.step(a.name, "asks the provider about %s: %s: %s", a.play.name(operation), says, became)
}
