package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// ApplyTool stores a definition as the tool's next version. The same definition again is the same version. It is checked
// against one configuration and stored only while that one holds; where it moved in between, it is checked anew.
func (s *registryService) ApplyTool(ctx context.Context, req *pb.ApplyToolRequest) (*pb.ApplyToolResponse, error) {
	if err := refuseUnknown(pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION, "definition", req.Definition); err != nil {
		return nil, err
	}
	var version int64
	for try := 0; ; try++ {
		a, err := s.checkedTool(ctx, req)
		if err != nil {
			return nil, err
		}
		if try == 0 {
			version = a.definition.Version
		}
		a.definition.Version = version // another version that came in between is a conflict, and not to be built upon unseen
		if a.known != nil && a.known.newest().stored.Digest == a.digest {
			return &pb.ApplyToolResponse{Tool: toolOf(a.known, a.known.newest())}, nil
		}
		m := &pb.ApplyToolResponse{Created: true}
		for _, p := range append(registry.Lint(registry.WithDefaults(a.definition)), a.warnings...) {
			m.Warnings = append(m.Warnings, &pb.DefinitionWarning{Path: p.Path, Code: string(p.Code), Description: p.Message})
		}
		if req.ValidateOnly {
			return m, nil
		}
		moved, err := s.store(ctx, a, req)
		if moved && try < maxRebuilds {
			continue
		}
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		config, err := s.tools.inspect(ctx, callOf(ctx).namespace())
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		t := config.tools[a.definition.Name]
		m.Tool = toolOf(t, t.newest())
		return m, nil
	}
}

// applying is a definition on its way, checked against the configuration of an epoch.
type applying struct {
	definition registry.Definition
	digest     string
	known      *tool // that it would be the next version of; nil: a new one
	epoch      int64
	warnings   []registry.Problem // about what it says of other tools
}

// checkedTool checks a definition against the configuration as it is now.
func (s *registryService) checkedTool(ctx context.Context, req *pb.ApplyToolRequest) (*applying, error) {
	config, err := s.tools.inspect(ctx, callOf(ctx).namespace())
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	definition, problems := toolfile.FromProto(req.Definition)
	if len(problems) > 0 {
		return nil, problemStatus(pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION, problems)
	}
	a := &applying{definition: definition, known: config.tools[definition.Name], epoch: config.epoch}
	if a.digest, err = toolfile.Digest(req.Definition); err != nil {
		return nil, s.statusOf(ctx, err)
	}
	if a.known != nil && a.known.newest().stored.Digest == a.digest {
		return a, nil // also a repeat whose first answer was lost, whatever etag it was made from
	}
	if req.Etag != "" && (a.known == nil || req.Etag != toolEtag(a.known.head)) {
		return nil, fail(codes.Aborted, pb.ErrorReason_ERROR_REASON_ETAG_MISMATCH, "the tool has changed since it was read; look at it and apply again", nil)
	}
	a.definition.Version = 1
	if a.known != nil {
		a.definition.Version = a.known.head.Version + 1
	}
	if err := s.checkDefinition(a.definition, a.known); err != nil {
		return nil, err
	}
	if a.warnings, err = checkPlaybooks(config, a.definition); err != nil {
		return nil, err
	}
	return a, checkToolPolicy(config, a.definition)
}

// checkPlaybooks holds the tool's playbook against the tools of its steps, and the tool against the playbooks that name it,
// so that no version is ever applied by which another tool's effects could not be undone any more.
func checkPlaybooks(config *configuration, d registry.Definition) (warnings []registry.Problem, err error) {
	find := func(name string) *registry.Definition {
		if name == d.Name {
			return &d
		}
		if t := config.tools[name]; t != nil {
			return &t.newest().compiled.Definition
		}
		return nil
	}
	problems, warnings := registry.PlaybookTools(d, find)
	for _, name := range slices.Sorted(maps.Keys(config.tools)) {
		if name != d.Name {
			problems = append(problems, registry.UndoneBy(config.tools[name].newest().compiled.Definition, d)...)
		}
	}
	if len(problems) > 0 {
		return nil, problemStatus(pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION, problems)
	}
	return warnings, nil
}

// checkToolPolicy checks the tool's own rules, and those of the namespace that it comes into the scope of, so that no
// version is ever applied under which a rule that holds could not be asked.
func checkToolPolicy(config *configuration, d registry.Definition) error {
	problems := policy.CheckTool(config.parts, registry.PolicyTool(d))
	if len(problems) == 0 {
		return nil
	}
	reason := pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION
	if config.rule(problems[0].Rule) != nil {
		reason = pb.ErrorReason_ERROR_REASON_INVALID_RULE
	}
	return ruleFaults(reason, problems, toolField(d.Name))
}

// store stores the version and waits until it holds everywhere. Moved: the configuration is another by now.
func (s *registryService) store(ctx context.Context, a *applying, req *pb.ApplyToolRequest) (moved bool, err error) {
	bytes, err := proto.MarshalOptions{Deterministic: true}.Marshal(req.Definition)
	if err != nil {
		return false, err
	}
	who := callOf(ctx)
	_, err = s.config.Ledger.Do(ctx, &ledger.ApplyTool{
		Namespace: who.namespace(), Principal: who.Principal, Name: a.definition.Name, Version: a.definition.Version,
		Definition: bytes, Digest: a.digest, Epoch: &a.epoch, Request: requestOf(who, req),
	})
	var other *ledger.EpochMovedError
	if err != nil {
		return errors.As(err, &other), err
	}
	return false, s.holdsEverywhere(ctx)
}

// checkDefinition checks what can be checked when a definition is applied, so that nothing fails at 2 a.m.
func (s *Server) checkDefinition(d registry.Definition, known *tool) error {
	full := registry.WithDefaults(d)
	if problems := registry.Check(full); len(problems) > 0 {
		return problemStatus(pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION, problems)
	}
	if problems := registry.Missing(full, s.capabilities()); len(problems) > 0 {
		return problemStatus(pb.ErrorReason_ERROR_REASON_CAPABILITY_MISSING, problems)
	}
	if known == nil {
		return nil
	}
	if _, problems := registry.Compare(known.newest().compiled.Definition, full); len(problems) > 0 {
		reason := pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION
		for _, p := range problems {
			if p.Code == registry.CodeChangeUnstated {
				reason = pb.ErrorReason_ERROR_REASON_IDENTITY_CHANGE_UNSTATED
			}
		}
		return problemStatus(reason, problems)
	}
	return nil
}

// definitionFaults refuses a definition that does not compile.
func definitionFaults(err error) error {
	var problems registry.Problems
	if errors.As(err, &problems) {
		return problemStatus(pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION, problems)
	}
	return invalidField(pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION, "definition", err.Error())
}

// problemStatus refuses a definition, one violation per problem. What is missing in this server is no fault of the file.
func problemStatus(reason pb.ErrorReason, problems []registry.Problem) error {
	bad := &errdetails.BadRequest{}
	for _, p := range problems {
		bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{
			Field: "definition." + p.Path, Description: p.Message, Reason: string(p.Code),
		})
	}
	code, message := codes.InvalidArgument, "the tool's definition cannot be applied"
	if reason == pb.ErrorReason_ERROR_REASON_CAPABILITY_MISSING {
		code, message = codes.FailedPrecondition, "this release cannot enforce what the definition asks for"
	}
	return fail(code, reason, fmt.Sprintf("%s: %s: %s", message, problems[0].Path, problems[0].Message), nil, bad)
}

// capabilities are what this release can enforce, as far as this server's operator allows it.
func (s *Server) capabilities() registry.Capabilities {
	can := registry.ThisRelease()
	can.PlainHTTP = s.config.AllowPlainHTTP
	return can
}
