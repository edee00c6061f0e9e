package server

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// capabilities are what this release can enforce of a definition. What it cannot is refused, never accepted and ignored.
var capabilities = registry.Capabilities{}

// ApplyTool stores a definition as the tool's next version. The same definition again is the same version.
func (s *registryService) ApplyTool(ctx context.Context, req *pb.ApplyToolRequest) (*pb.ApplyToolResponse, error) {
	ns := callOf(ctx).namespace()
	config, err := s.tools.refresh(ctx, ns)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	definition, problems := toolfile.FromProto(req.Definition)
	if len(problems) > 0 {
		return nil, problemStatus(pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION, problems)
	}
	known := config.tools[definition.Name]
	if req.Etag != "" && (known == nil || req.Etag != toolEtag(known.head)) {
		return nil, fail(codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_ETAG_MISMATCH, "the tool has changed since it was read; look at it and apply again", nil)
	}
	digest, err := toolfile.Digest(req.Definition)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	if known != nil && known.newest().stored.Digest == digest {
		return &pb.ApplyToolResponse{Tool: toolOf(known, known.newest())}, nil
	}
	definition.Version = 1
	if known != nil {
		definition.Version = known.head.Version + 1
	}
	if err := checkDefinition(definition, known); err != nil {
		return nil, err
	}
	m := &pb.ApplyToolResponse{Created: true}
	for _, p := range registry.Lint(registry.WithDefaults(definition)) {
		m.Warnings = append(m.Warnings, &pb.DefinitionWarning{Path: p.Path, Code: string(p.Code), Description: p.Message})
	}
	if req.ValidateOnly {
		return m, nil
	}
	if err := s.store(ctx, ns, definition, digest, req.Definition); err != nil {
		return nil, err
	}
	if config, err = s.tools.refresh(ctx, ns); err != nil {
		return nil, s.statusOf(ctx, err)
	}
	t := config.tools[definition.Name]
	m.Tool = toolOf(t, t.newest())
	return m, nil
}

// store stores the version and waits until it holds everywhere.
func (s *registryService) store(ctx context.Context, ns ledger.Namespace, d registry.Definition, digest string, message *pb.ToolDefinition) error {
	bytes, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		return s.statusOf(ctx, err)
	}
	_, err = do[ledger.Applied](ctx, s.Server, &ledger.ApplyTool{
		Namespace: ns, Principal: callOf(ctx).Principal, Name: d.Name, Version: d.Version, Definition: bytes, Digest: digest,
	})
	if err != nil {
		return err
	}
	return s.holdsEverywhere(ctx)
}

// holdsEverywhere waits until every transaction that began before has ended: from then on the change holds for all.
func (s *Server) holdsEverywhere(ctx context.Context) error {
	if err := s.config.Ledger.Engine().Barrier(ctx); err != nil {
		return s.statusOf(ctx, err)
	}
	return nil
}

// checkDefinition checks what can be checked when a definition is applied, so that nothing fails at 2 a.m.
func checkDefinition(d registry.Definition, known *tool) error {
	full := registry.WithDefaults(d)
	if problems := registry.Check(full); len(problems) > 0 {
		return problemStatus(pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION, problems)
	}
	if problems := registry.Missing(full, capabilities); len(problems) > 0 {
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

// DisableTool switches a tool off, or on again. When it returns, nothing new starts anywhere.
func (s *registryService) DisableTool(ctx context.Context, req *pb.DisableToolRequest) (*pb.DisableToolResponse, error) {
	ns := callOf(ctx).namespace()
	if req.Etag != "" {
		config, err := s.tools.refresh(ctx, ns)
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		if t := config.tools[req.Tool]; t != nil && req.Etag != toolEtag(t.head) {
			return nil, fail(codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_ETAG_MISMATCH, "the tool has changed since it was read; look at it again", nil)
		}
	}
	if _, err := do[ledger.Applied](ctx, s.Server, &ledger.SwitchTool{Namespace: ns, Name: req.Tool, Disabled: !req.EnableAgain, Reason: req.Reason}); err != nil {
		return nil, err
	}
	if err := s.holdsEverywhere(ctx); err != nil {
		return nil, err
	}
	config, err := s.tools.refresh(ctx, ns)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	t := config.tools[req.Tool]
	return &pb.DisableToolResponse{Tool: toolOf(t, t.newest())}, nil
}

// GetTool answers one version of a tool, the newest where none is named.
func (s *registryService) GetTool(ctx context.Context, req *pb.GetToolRequest) (*pb.GetToolResponse, error) {
	config, err := s.tools.refresh(ctx, callOf(ctx).namespace())
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	t := config.tools[req.Tool]
	if t == nil {
		return nil, fail(codes.NotFound, pb.ErrorReason_ERROR_REASON_TOOL_NOT_FOUND, "there is no tool "+req.Tool+" in this namespace", nil)
	}
	v := t.newest()
	if req.ToolVersion != nil {
		if v = t.versions[int64(*req.ToolVersion)]; v == nil {
			return nil, fail(codes.NotFound, pb.ErrorReason_ERROR_REASON_UNKNOWN_TOOL_VERSION, "the tool "+req.Tool+" has no such version", nil)
		}
	}
	return &pb.GetToolResponse{Tool: toolOf(t, v)}, nil
}

// ListTools lists the namespace's tools by name, each in its newest version or in all.
func (s *registryService) ListTools(ctx context.Context, req *pb.ListToolsRequest) (*pb.ListToolsResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	config, err := s.tools.refresh(ctx, callOf(ctx).namespace())
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	var all []*pb.Tool
	for _, t := range config.tools {
		for _, v := range t.versions {
			if (req.AllVersions || v == t.newest()) && wanted(req, t, v) {
				all = append(all, toolOf(t, v))
			}
		}
	}
	sort.Slice(all, func(i, j int) bool { return toolOrder(all[i]) < toolOrder(all[j]) })
	m := &pb.ListToolsResponse{}
	size := pageSize(req.PageSize, DefaultPageSize)
	for _, t := range all {
		if toolOrder(t) <= token.ID {
			continue
		}
		if len(m.Tools) == size {
			m.NextPageToken = pageToken{ID: toolOrder(m.Tools[size-1]), Filter: token.Filter}.String()
			break
		}
		m.Tools = append(m.Tools, t)
	}
	return m, nil
}

// toolOrder is the order of a list: by name, then by version.
func toolOrder(t *pb.Tool) string { return fmt.Sprintf("%s/%010d", t.Name, t.Version) }

func wanted(req *pb.ListToolsRequest, t *tool, v *toolVersion) bool {
	if !strings.HasPrefix(t.head.Name, req.NamePrefix) || req.Disabled != nil && *req.Disabled != t.head.Disabled {
		return false
	}
	if from := req.ApplyTimeFrom; from != nil && v.stored.AppliedAt.Before(from.AsTime()) {
		return false
	}
	if len(req.ToolClasses) == 0 {
		return true
	}
	for _, c := range req.ToolClasses {
		if className(c) == v.compiled.Definition.Class {
			return true
		}
	}
	return false
}

// toolEtag is a tool's state as a tag: its newest version and its switch.
func toolEtag(h ledger.ToolHead) string {
	if h.Disabled {
		return fmt.Sprintf("v%d-off", h.Version)
	}
	return fmt.Sprintf("v%d", h.Version)
}
