package server

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// DisableTool switches a tool off, or on again. When it returns, nothing new starts anywhere.
func (s *registryService) DisableTool(ctx context.Context, req *pb.DisableToolRequest) (*pb.DisableToolResponse, error) {
	ns := callOf(ctx).namespace()
	if req.Etag != "" {
		config, err := s.tools.inspect(ctx, ns)
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		// A tool that stands as it is wanted is no conflict: a repeat finds it turned by the first try.
		if t := config.tools[req.Tool]; t != nil && req.Etag != toolEtag(t.head) && (t.head.Disabled == req.EnableAgain || t.head.Reason != req.Reason) {
			return nil, fail(codes.Aborted, pb.ErrorReason_ERROR_REASON_ETAG_MISMATCH, "the tool has changed since it was read; look at it again", nil)
		}
	}
	if _, err := do[ledger.Applied](ctx, s.Server, &ledger.SwitchTool{
		Namespace: ns, Name: req.Tool, Disabled: !req.EnableAgain, Reason: req.Reason, Request: requestOf(callOf(ctx), req),
	}); err != nil {
		return nil, err
	}
	if err := s.holdsEverywhere(ctx); err != nil {
		return nil, err
	}
	config, err := s.tools.inspect(ctx, ns)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	t := config.tools[req.Tool]
	return &pb.DisableToolResponse{Tool: toolOf(t, t.newest())}, nil
}

// GetTool answers one version of a tool, the newest where none is named.
func (s *registryService) GetTool(ctx context.Context, req *pb.GetToolRequest) (*pb.GetToolResponse, error) {
	config, err := s.tools.inspect(ctx, callOf(ctx).namespace())
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	t := config.tools[req.Tool]
	if t == nil {
		return nil, fail(codes.NotFound, pb.ErrorReason_ERROR_REASON_TOOL_NOT_FOUND, "there is no tool "+req.Tool+" in this namespace; list the tools, or apply its definition", nil)
	}
	v := t.newest()
	if req.ToolVersion != nil {
		if v = t.versions[int64(*req.ToolVersion)]; v == nil {
			return nil, fail(codes.NotFound, pb.ErrorReason_ERROR_REASON_UNKNOWN_TOOL_VERSION, "the tool "+req.Tool+" has no such version; list its versions", nil)
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
	config, err := s.tools.inspect(ctx, callOf(ctx).namespace())
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

// holdsEverywhere waits until every transaction that began before has ended: from then on the change holds for all.
func (s *Server) holdsEverywhere(ctx context.Context) error {
	if err := s.config.Ledger.Engine().Barrier(ctx); err != nil {
		return s.statusOf(ctx, err)
	}
	return nil
}
