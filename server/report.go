package server

import (
	"context"
	"slices"

	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// ReportAttempt takes what an executor says of its attempt. A stale report is refused, and kept as evidence.
func (s *operationService) ReportAttempt(ctx context.Context, req *pb.ReportAttemptRequest) (*pb.ReportAttemptResponse, error) {
	command, err := s.report(ctx, req)
	if err != nil {
		return nil, err
	}
	reported, err := do[ledger.Reported](ctx, s.Server, command)
	if err != nil {
		return nil, err
	}
	s.learn(command, reported)
	return reportedOf(callOf(ctx), reported), nil
}

func reportedOf(c call, r *ledger.Reported) *pb.ReportAttemptResponse {
	return &pb.ReportAttemptResponse{
		Operation: operationOf(r.Operation, r.Operation.UpdatedAt, c.sensitive),
		Result:    resultOf(r.Operation, r.Told, c.sensitive), Duplicate: r.Repeated,
	}
}

// report makes the ledger's command of a report, its result checked as strictly as arguments are.
func (s *Server) report(ctx context.Context, req *pb.ReportAttemptRequest) (*ledger.Report, error) {
	r := &ledger.Report{
		Bearer: s.bearer(ctx, req), ReportID: ledger.EvidenceID(req.ReportId), NonceHash: nonceHash(req.BeginNonce),
		SenderReturned: req.SenderReturned, Message: req.Message, Jitter: s.ids.jitter(),
	}
	setReported(r, req)
	if a := req.Answer; a != nil {
		r.RequestRef, r.EffectID, r.RawStatusCode = a.ProviderRequestId, effectIn(a), a.RawStatusCode
		r.ObjectID, r.Account, r.Replayed = a.ProviderObjectId, a.ProviderAccount, a.GetProviderReplayed()
		result, err := resultJSON("answer.result_json", a.ResultJson)
		if err != nil {
			return nil, err
		}
		r.ResultJSON, r.Artifacts = result, artifactsFrom(a.Artifacts)
	}
	return r, nil
}

// effectIn is what the provider's answer names as the effect: its own id where the call changes an object, else the object
// that it created.
func effectIn(a *pb.ProviderAnswer) string {
	if a.EffectId != "" {
		return a.EffectId
	}
	return a.ProviderObjectId
}

// setReported takes the outcome with its particulars.
func setReported(r *ledger.Report, req *pb.ReportAttemptRequest) {
	switch o := req.Outcome.(type) {
	case *pb.ReportAttemptRequest_Succeeded:
		r.Outcome = ledger.OutcomeSucceeded
	case *pb.ReportAttemptRequest_Noop:
		r.Outcome = ledger.OutcomeNoop
	case *pb.ReportAttemptRequest_Acknowledged:
		r.Outcome, r.FinishWithin = ledger.OutcomeAcknowledge, o.Acknowledged.GetFinishBy().AsDuration()
	case *pb.ReportAttemptRequest_NotSent:
		r.Outcome, r.Code = ledger.OutcomeNotSent, o.NotSent.GetCode()
	case *pb.ReportAttemptRequest_Rejected:
		r.Outcome, r.Code = ledger.OutcomeRejected, o.Rejected.GetCode()
	case *pb.ReportAttemptRequest_RateLimited:
		r.Outcome, r.RetryAfter = ledger.OutcomeRateLimited, o.RateLimited.GetRetryAfter().AsDuration()
	case *pb.ReportAttemptRequest_Declined:
		r.Outcome, r.Code, r.RetryAfter = ledger.OutcomeDeclined, o.Declined.GetCode(), o.Declined.GetRetryAfter().AsDuration()
	case *pb.ReportAttemptRequest_Ambiguous:
		r.Outcome, r.Category = ledger.OutcomeAmbiguous, ambiguities[o.Ambiguous.GetKind()]
	}
}

var ambiguities = map[pb.AmbiguityKind]ledger.Category{
	pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT:          ledger.CategoryTimeout,
	pb.AmbiguityKind_AMBIGUITY_KIND_CONNECTION_LOST:  ledger.CategoryConnectionLost,
	pb.AmbiguityKind_AMBIGUITY_KIND_MALFORMED_ANSWER: ledger.CategoryMalformedAnswer,
	pb.AmbiguityKind_AMBIGUITY_KIND_PROVIDER_ERROR:   ledger.CategoryProviderError,
	pb.AmbiguityKind_AMBIGUITY_KIND_EXCEPTION:        ledger.CategoryCrash,
}

// inexact are the faults of numbers that identity must refuse. A result is no identity: its numbers are kept as text.
var inexact = []canon.Reason{canon.ReasonNumberChanged, canon.ReasonNumberOverflow, canon.ReasonNumberUnderflow}

// resultLimits are wider than those of arguments: what a provider answered is not the caller's to shorten.
var resultLimits = canon.Limits{Bytes: 1 << 20, Values: 1 << 19, NumberBytes: 4096, NameBytes: 4096}

// resultJSON checks JSON text that an executor brings, byte for byte as it will be handed out again.
func resultJSON(field, text string) ([]byte, error) {
	if text == "" {
		return nil, nil
	}
	_, faults := canon.Parse([]byte(text), resultLimits)
	faults = slices.DeleteFunc(faults, func(f canon.Fault) bool { return slices.Contains(inexact, f.Reason) })
	if len(faults) > 0 {
		return nil, argumentFaults(field, "", faults)
	}
	return []byte(text), nil
}

func artifactsFrom(list []*pb.Artifact) []ledger.Artifact {
	var out []ledger.Artifact
	for _, a := range list {
		out = append(out, ledger.Artifact{Name: a.Name, URI: a.Uri, MediaType: a.MediaType, SHA256: a.Sha256})
	}
	return out
}

// BatchReport takes several reports at once. Each is answered by itself.
func (s *operationService) BatchReport(ctx context.Context, req *pb.BatchReportRequest) (*pb.BatchReportResponse, error) {
	items := make([]*pb.BatchReportItem, len(req.Requests))
	var commands []ledger.Command
	var at []int
	for i, r := range req.Requests {
		command, err := s.report(ctx, r)
		if invalid := s.validate(ctx, r); invalid != nil {
			err = invalid
		}
		if err != nil {
			items[i] = &pb.BatchReportItem{Answer: &pb.BatchReportItem_Error{Error: protoStatus(err)}}
			continue
		}
		commands, at = append(commands, command), append(at, i)
	}
	for n, out := range s.config.Ledger.DoAll(ctx, commands) {
		s.announce(out.Reply, out.Err)
		if out.Err != nil {
			items[at[n]] = &pb.BatchReportItem{Answer: &pb.BatchReportItem_Error{Error: protoStatus(s.statusOf(ctx, out.Err))}}
			continue
		}
		reported := out.Reply.(*ledger.Reported)
		s.learn(commands[n].(*ledger.Report), reported)
		items[at[n]] = &pb.BatchReportItem{Answer: &pb.BatchReportItem_Response{Response: reportedOf(callOf(ctx), reported)}}
	}
	return &pb.BatchReportResponse{Items: items}, nil
}

// BatchPropose answers several proposals at once. Each is answered by itself, as if it had come alone.
func (s *operationService) BatchPropose(ctx context.Context, req *pb.BatchProposeRequest) (*pb.BatchProposeResponse, error) {
	items := make([]*pb.BatchProposeItem, len(req.Requests))
	proposals := make([]*proposal, len(req.Requests))
	var pending []int
	seen := map[string]bool{}
	for i, r := range req.Requests {
		if err := unfitForBatch(r, seen); err != nil {
			items[i] = proposedItem(nil, err)
			continue
		}
		proposals[i], pending = s.newProposal(ctx, r), append(pending, i)
	}
	for try := 0; len(pending) > 0; try++ {
		pending = s.proposeAll(ctx, proposals, pending, items, try < maxRebuilds)
	}
	return &pb.BatchProposeResponse{Items: items}, nil
}

// proposeAll decides the pending proposals together, and answers which of them are to be built anew.
func (s *operationService) proposeAll(ctx context.Context, proposals []*proposal, pending []int, items []*pb.BatchProposeItem, rebuild bool) (again []int) {
	var commands []ledger.Command
	var at []int
	for _, i := range pending {
		var command *ledger.Propose
		err := s.validate(ctx, proposals[i].request)
		if err == nil {
			command, err = proposals[i].build(ctx)
			if err != nil && proposals[i].outdated(ctx) {
				command, err = proposals[i].build(ctx)
			}
		}
		if err != nil {
			items[i] = proposedItem(nil, err)
			continue
		}
		commands, at = append(commands, command), append(at, i)
	}
	for n, out := range s.config.Ledger.DoAll(ctx, commands) {
		p := proposals[at[n]]
		if rebuild && p.moved(ctx, out.Err) {
			again = append(again, at[n])
			continue
		}
		m, err := p.respond(ctx, out.Reply, out.Err)
		items[at[n]] = proposedItem(m, err)
	}
	return again
}

func proposedItem(m *pb.ProposeOperationResponse, err error) *pb.BatchProposeItem {
	if err != nil {
		return &pb.BatchProposeItem{Answer: &pb.BatchProposeItem_Error{Error: protoStatus(err)}}
	}
	return &pb.BatchProposeItem{Answer: &pb.BatchProposeItem_Response{Response: m}}
}

// unfitForBatch refuses an item whose request id came in the batch before, since each item is a proposal of its own, and
// one that would wait, which would hold every other up.
func unfitForBatch(r *pb.ProposeOperationRequest, seen map[string]bool) error {
	twice := r.RequestId != "" && seen[r.RequestId]
	seen[r.RequestId] = true
	switch {
	case twice:
		return invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, "request_id", "this request id came before in the batch; make one for each proposal")
	case r.Wait != nil:
		return invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, "wait", "a batch does not wait; leave it out and ask for the operation afterwards")
	}
	return nil
}
