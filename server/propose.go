package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// maxRebuilds bounds how often a proposal is built anew because the configuration moved under it.
const maxRebuilds = 5

// ProposeOperation answers with the recorded result, the current state, or the one permit to act.
func (s *operationService) ProposeOperation(ctx context.Context, req *pb.ProposeOperationRequest) (*pb.ProposeOperationResponse, error) {
	p := s.newProposal(ctx, req)
	reply, err := p.run(ctx)
	return p.respond(ctx, reply, err)
}

// run builds the command and hands it in. Where the configuration moves under it, it is built anew.
func (p *proposal) run(ctx context.Context) (any, error) {
	for try := 0; ; try++ {
		command, err := p.build(ctx)
		if err != nil && p.outdated(ctx) {
			continue
		}
		if err != nil {
			return nil, err
		}
		reply, err := p.config.Ledger.Do(ctx, command)
		if p.moved(ctx, err) && try < maxRebuilds {
			continue
		}
		return reply, err
	}
}

// proposal is one ProposeOperation on its way. Its identifiers are chosen once and kept however often the command is
// built.
type proposal struct {
	*Server
	call      call
	request   *pb.ProposeOperationRequest
	operation ledger.OperationID
	attempt   ledger.AttemptID
	decision  ledger.DecisionID
	jitter    float64
	undoes    *ledger.Undoes // the step of a compensation that the server itself proposes; nil: a caller's proposal

	epoch   int64 // of the configuration that the newest build saw
	rules   *policy.Set
	lease   *ledger.LeaseProof
	renewed bool  // the configuration was read anew on account of a refusal
	tool    *tool // as the newest build saw it
	forms   []*registry.CallIdentity
}

func (s *Server) newProposal(ctx context.Context, req *pb.ProposeOperationRequest) *proposal {
	return &proposal{
		Server: s, call: callOf(ctx), request: req,
		operation: s.ids.operation(), attempt: s.ids.attempt(), decision: s.ids.decision(), jitter: s.ids.jitter(),
	}
}

// moved reports whether the command is to be built anew, after reading the configuration.
func (p *proposal) moved(ctx context.Context, err error) bool {
	var moved *ledger.EpochMovedError
	if !errors.As(err, &moved) {
		return false
	}
	_, err = p.tools.inspect(ctx, p.call.namespace())
	return err == nil // rules that do not compile any more are told of by the next build
}

// outdated reports whether a refusal may be one of an older configuration, which another server has changed since: a tool
// that is not known here yet, a schema that takes more by now. It reads the configuration anew, once for a proposal.
func (p *proposal) outdated(ctx context.Context) bool {
	if p.renewed {
		return false
	}
	p.renewed = true
	config, err := p.tools.refresh(ctx, p.call.namespace())
	return err == nil && config.epoch != p.epoch
}

// build finds the tool, checks the arguments and makes the command: the order is part of the contract, and nothing is
// recorded of a proposal that is refused here.
func (p *proposal) build(ctx context.Context) (*ledger.Propose, error) {
	req := p.request
	config, err := p.tools.get(ctx, p.call.namespace())
	if err != nil {
		return nil, p.statusOf(ctx, err)
	}
	p.epoch, p.rules = config.epoch, config.policy
	if !p.call.MayTool(req.Tool) {
		return nil, p.call.unreached(req.Tool)
	}
	if p.lease, err = p.optionalProof(p.call.namespace(), req.LeaseToken); err != nil {
		return nil, err
	}
	p.tool = config.tools[req.Tool]
	if p.tool == nil {
		return nil, invalidField(pb.ErrorReason_ERROR_REASON_UNKNOWN_TOOL, "tool", fmt.Sprintf("there is no tool %s in this namespace; list the tools, or apply its definition", req.Tool))
	}
	if v := req.ToolVersion; v != nil && int64(*v) != p.tool.head.Version {
		return nil, invalidField(pb.ErrorReason_ERROR_REASON_UNKNOWN_TOOL_VERSION, "tool_version",
			fmt.Sprintf("proposals are made under the newest version of %s, which is %d; leave the version out or name that one", req.Tool, p.tool.head.Version))
	}
	arguments, faults := argumentsOf(req.GetArgumentsJson(), req.GetArgumentsStruct())
	if len(faults) > 0 {
		return nil, argumentFaults(argumentsField(req.GetArgumentsStruct()), req.Tool, faults)
	}
	if err := p.identify(ctx, arguments); err != nil {
		return nil, err
	}
	return p.command(config.epoch, arguments), nil
}

// argumentsField names where the arguments came in.
func argumentsField(s *structpb.Struct) string {
	if s != nil {
		return "arguments_struct"
	}
	return "arguments_json"
}

// argumentsOf reads the arguments, exactly. Absent arguments are an empty object.
func argumentsOf(text string, s *structpb.Struct) (*canon.Value, canon.Faults) {
	if s != nil {
		return structValue("", structpb.NewStructValue(s))
	}
	if text == "" {
		text = "{}"
	}
	v, faults := canon.Parse([]byte(text), canon.Limits{})
	if len(faults) == 0 && v.Kind() != canon.KindObject {
		faults = canon.Faults{{Reason: "not_an_object", Message: "arguments are a JSON object; send one"}}
	}
	return v, faults
}

// identify works out the proposal's identity under every version that continues, the newest first. Only the newest
// version's schema is asked: it decides what may be proposed today.
func (p *proposal) identify(ctx context.Context, arguments *canon.Value) error {
	newest := p.tool.newest().compiled
	if faults := newest.Validate(arguments); len(faults) > 0 {
		return argumentFaults(argumentsField(p.request.GetArgumentsStruct()), p.request.Tool, faults)
	}
	var chain []*registry.Compiled
	for _, v := range p.tool.continuing {
		chain = append(chain, v.compiled)
	}
	call := registry.Call{Arguments: arguments, Occurrence: p.request.Occurrence, CallerKey: p.request.IdempotencyKey, RepeatGranted: p.request.RepeatGrantId != "" || undoing(p.request.Occurrence)}
	if slices.ContainsFunc(chain, func(c *registry.Compiled) bool { return c.Definition.Identity.SourceEventBucket }) {
		var err error
		if call.EventTime, err = p.sourceEventTime(ctx, p.request.WorkflowId); err != nil {
			return err
		}
	}
	forms, faults := registry.IdentifyAll(chain, call, p.tokens.hasher(p.call.namespace()))
	if len(faults) == 0 {
		var stated *canon.Entity
		if e := p.request.Entity; e != nil {
			stated = &canon.Entity{Type: e.Type, ID: e.Id}
		}
		var touches []canon.Entity
		for _, t := range p.request.Touches {
			touches = append(touches, canon.Entity{Type: t.Type, ID: t.Id})
		}
		faults = forms[0].Agree(stated, touches)
	}
	if len(faults) > 0 {
		return proposalFaults(p.request.Tool, argumentsField(p.request.GetArgumentsStruct()), faults)
	}
	for _, e := range append([]canon.Entity{forms[0].Entity}, forms[0].Touches...) {
		if n := len(locks.Entity(e).String()); n > maxEntityBytes {
			return invalidField(pb.ErrorReason_ERROR_REASON_INVALID_ARGUMENTS, argumentsField(p.request.GetArgumentsStruct()),
				fmt.Sprintf("the arguments name an entity whose name takes %d bytes, at most %d are kept; send its own id", n, maxEntityBytes))
		}
	}
	p.forms = forms
	return nil
}

// command makes the ledger's command.
func (p *proposal) command(epoch int64, arguments *canon.Value) *ledger.Propose {
	req, newest := p.request, p.tool.newest()
	command := &ledger.Propose{
		Namespace: p.call.namespace(), Principal: p.call.Principal, RequestID: ledger.RequestID(req.RequestId), Epoch: epoch,
		Tool: req.Tool, Terms: ledger.TermsOf(&newest.compiled.Definition),
		Arguments: arguments.Canonical(), Ignored: p.forms[0].Ignored, Sensitive: newest.compiled.Definition.Identity.Rules.Sensitive,
		WorkflowID: req.WorkflowId, RunID: req.RunId, IntentNote: req.IntentNote, Correlation: correlationFrom(req.Correlation),
		PlanOnly: req.Mode == pb.ProposalMode_PROPOSAL_MODE_PLAN_ONLY,
		Actor:    p.call.actor(), Rules: p.rules, Lease: p.lease, EntityVersion: req.EntityVersion,
		OverrideGrants: req.OverrideGrantIds, RepeatGrant: req.RepeatGrantId,
		RepeatNeeded: newest.compiled.Definition.Identity.Occurrence == registry.OccurrenceRepeatGrant,
		NewOperation: p.operation, NewAttempt: p.attempt, NewDecision: p.decision, Jitter: p.jitter, Undoes: p.undoes,
	}
	if p.undoes == nil { // what undoes an effect is never put off
		command.QueueFull = p.waiting.full(p.call.namespace(), req.Tool)
	}
	for _, f := range p.forms {
		command.Forms = append(command.Forms, formOf(f))
	}
	if r := req.Revise; r != nil {
		command.Revise = &ledger.Revise{OperationID: ledger.OperationID(r.GetOperationId()), Number: int64(r.GetRevision()), Reason: r.Reason, GrantID: r.GrantId}
	}
	command.RequestHash = requestHash(command)
	return command
}

func formOf(f *registry.CallIdentity) ledger.Form {
	form := ledger.Form{
		ToolVersion: f.ToolVersion, Key: ledger.IdempotencyKey(f.Key), Canonical: f.Canonical, Fingerprint: ledger.Fingerprint(f.Fingerprint),
		Intent: f.Intent, Entity: locks.Entity(f.Entity), Occurrence: f.Occurrence,
	}
	for _, t := range f.Touches {
		form.Touches = append(form.Touches, locks.Entity(t))
	}
	return form
}

// requestHash tells a repeat of a proposal from another one under the same request id. What a transport retry may change
// is left out: correlation, notes, fields that identity ignores, and how long the caller waits.
func requestHash(c *ledger.Propose) string {
	h := sha256.New()
	f := c.Forms[0]
	parts := []string{c.Tool, string(f.Key), string(f.Fingerprint), f.Occurrence, strconv.FormatBool(c.PlanOnly)}
	if c.Revise != nil {
		parts = append(parts, "revise", string(c.Revise.OperationID), strconv.FormatInt(c.Revise.Number, 10))
	}
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// respond turns what was decided into a message, after waiting for an end where the caller asked for that.
func (p *proposal) respond(ctx context.Context, reply any, err error) (*pb.ProposeOperationResponse, error) {
	p.announce(reply, err)
	if err != nil {
		return nil, p.statusOf(ctx, p.withDifferences(err))
	}
	answer := reply.(*ledger.Answer)
	class := string(p.tool.newest().compiled.Definition.Class)
	p.config.Observer.Decision(p.request.Tool, class, string(answer.Decision))
	if answer.Decision != ledger.DecisionPlanned {
		p.figures.count(p.call.namespace(), answer.At, answer.Verdicts)
	}
	if answer, err = p.waited(ctx, answer); err != nil {
		return nil, err
	}
	m := p.answerOf(p.call, answer, p.tool.newest())
	if answer.Recorded {
		m.DecisionId = string(p.decision)
	}
	if answer.Decision == ledger.DecisionPlanned {
		m.Plan = p.plan(answer)
	}
	return m, nil
}

// waited waits for an end where the caller asked for one and holds no permit. An operation that ended meanwhile is
// answered as any later proposal would be.
func (p *proposal) waited(ctx context.Context, a *ledger.Answer) (*ledger.Answer, error) {
	wait := p.request.GetWait().AsDuration()
	if wait <= 0 || a.Permit != nil || a.Operation == nil || a.Decision == ledger.DecisionPlanned {
		return a, nil
	}
	o, err := p.waitForEnd(ctx, a.Operation, wait)
	if err != nil {
		return nil, err
	}
	return a.After(o), nil
}

// withDifferences adds to a reused key the pointers at which the arguments differ, by the rules that made the recorded
// operation.
func (p *proposal) withDifferences(err error) error {
	var refusal *ledger.Refusal
	if !errors.As(err, &refusal) || refusal.Reason != ledger.ReasonKeyReused || refusal.Operation == nil {
		return err
	}
	recorded, faults := canon.Parse(refusal.Operation.Canonical, canon.Limits{})
	if len(faults) > 0 || len(p.forms) == 0 {
		return err
	}
	form := p.forms[0]
	for _, f := range p.forms {
		if f.ToolVersion == refusal.Operation.ToolVersion {
			form = f
		}
	}
	proposed, faults := canon.Parse(form.Canonical, canon.Limits{})
	if len(faults) > 0 {
		return err
	}
	with := *refusal
	if v := p.tools.version(refusal.Operation.Namespace, refusal.Operation.Tool, refusal.Operation.ToolVersion); v != nil {
		with.Pointers = v.compiled.Diff(recorded, proposed)
	} else {
		with.Pointers = canon.Diff(recorded, proposed) // its tool's rules are not known here
	}
	return &with
}

// plan says what a proposal would do.
func (p *proposal) plan(a *ledger.Answer) *pb.Plan {
	f := p.forms[0]
	plan := &pb.Plan{
		Decision: decisionOf(a.Planned), IdempotencyKey: string(f.Key), Fingerprint: f.Fingerprint, Entity: entityOf(locks.Entity(f.Entity)),
	}
	if len(p.tool.newest().compiled.Definition.Identity.Rules.Sensitive) == 0 || p.call.sensitive {
		plan.CanonicalArgumentsJson = string(f.Canonical)
	}
	for i := range a.Verdicts {
		plan.Verdicts = append(plan.Verdicts, ruleVerdictOf(&a.Verdicts[i], p.request.Tool))
	}
	if a.Operation != nil {
		plan.OperationId = string(a.Operation.ID)
	}
	return plan
}
