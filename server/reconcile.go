package server

import (
	"context"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// Reconcile runs reconciliation now, or takes evidence that a system or a person brings.
func (s *operationService) Reconcile(ctx context.Context, req *pb.ReconcileRequest) (*pb.ReconcileResponse, error) {
	c := callOf(ctx)
	if err := s.mayDecideAbout(ctx, req.OperationId); err != nil {
		return nil, err
	}
	command := &ledger.Reconcile{Namespace: c.namespace(), Principal: c.Principal, OperationID: ledger.OperationID(req.OperationId), Jitter: s.ids.jitter()}
	if req.Evidence != nil {
		if err := mayState(c, req.Evidence); err != nil {
			return nil, err
		}
		if w := req.Evidence.GetWebhook(); w != nil {
			if err := s.maySpeakFor(ctx, req.OperationId, w.Source); err != nil {
				return nil, err
			}
		}
		statement, err := statementFrom(req.Evidence)
		if err != nil {
			return nil, err
		}
		command.Statement = statement
	}
	r, err := do[ledger.Reconciliation](ctx, s.Server, command)
	if err != nil {
		return nil, err
	}
	o, told := r.Operation, r.Told
	if wait := req.Wait.AsDuration(); wait > 0 {
		if o, err = s.waitForEnd(ctx, o, wait); err != nil {
			return nil, err
		}
		told = ledger.TellState(o, o.UpdatedAt)
	}
	m := &pb.ReconcileResponse{Operation: operationOf(o, o.UpdatedAt, c.sensitive), Result: resultOf(o, told, c.sensitive)}
	if r.Evidence != nil {
		m.Evidence = evidenceOf(r.Evidence)
	}
	if r.Lookup != nil && o.State == ledger.UnknownOutcome {
		m.Lookup = lookupOf(r.Lookup, o)
	}
	return m, nil
}

// mayState keeps the roles apart: handing in a lookup's answer is an executor's right, settling by a person's word a
// person's, a provider's event whoever receives events.
func mayState(c call, e *pb.Evidence) error {
	need := callers.Execute
	switch e.Source.(type) {
	case *pb.Evidence_Person:
		need = callers.Resolve
	case *pb.Evidence_Webhook:
		need = callers.Webhook
	}
	if !c.May(need) {
		return fail(codes.PermissionDenied, pb.ErrorReason_ERROR_REASON_PERMISSION_DENIED,
			"the credential of "+string(c.Principal)+" may not bring this kind of evidence; it needs the role "+string(need), nil)
	}
	return nil
}

// statementFrom makes the core's statement of a message.
func statementFrom(e *pb.Evidence) (*ledger.Statement, error) {
	s := &ledger.Statement{
		ID: ledger.EvidenceID(e.EvidenceId), Says: says[e.Verdict], Note: e.Note,
		VendorKey: e.GetAttribution().GetVendorIdempotencyKey(), ClientReference: e.GetAttribution().GetClientReference(),
	}
	switch src := e.Source.(type) {
	case *pb.Evidence_Lookup:
		s.Source, s.Ticket, s.By = ledger.SourceLookup, src.Lookup.LookupTicket, registry.LookupBy(strings.TrimPrefix(src.Lookup.By.String(), "LOOKUP_BY_"))
		s.AskedValue, s.Search = src.Lookup.Value, src.Lookup.GetSearch()
	case *pb.Evidence_Webhook:
		s.Source, s.Sender, s.EventID = ledger.SourceWebhook, src.Webhook.Source, src.Webhook.EventId
		if e.ObserveTime != nil {
			s.ObservedAt = e.ObserveTime.AsTime()
		}
	case *pb.Evidence_Person:
		s.Source, s.SeenVersion, s.Reason = ledger.SourcePerson, src.Person.SeenOperationVersion, src.Person.Reason
		s.Overrule = src.Person.Overrule
	}
	if a := e.Answer; a != nil {
		result, err := resultJSON("evidence.answer.result_json", a.ResultJson)
		if err != nil {
			return nil, err
		}
		s.EffectID, s.ProviderRequestID, s.RawStatus, s.ResultJSON = effectIn(a), a.ProviderRequestId, a.RawStatusCode, result
		s.ObjectID, s.Account = a.ProviderObjectId, a.ProviderAccount
	}
	return s, nil
}
