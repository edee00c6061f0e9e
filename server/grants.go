package server

import (
	"context"
	"slices"
	"strings"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// DefaultGrantExpiry is how long a grant can be used where its giver says nothing: long enough for the proposal that asked
// for it, and short enough to be forgotten.
const DefaultGrantExpiry = time.Hour

// CreateGrant gives a one-use grant.
func (s *policyService) CreateGrant(ctx context.Context, req *pb.CreateGrantRequest) (*pb.CreateGrantResponse, error) {
	who := callOf(ctx)
	if !who.MayTool(req.Tool) {
		return nil, who.unreached(req.Tool)
	}
	if err := grantFaults(req); err != nil {
		return nil, err
	}
	if req.RuleId != "" {
		config, err := s.tools.inspect(ctx, who.namespace())
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		if !config.hasRule(req.Tool, req.RuleId) {
			return nil, noSuch("rule " + req.RuleId + " that the tool " + req.Tool + " could run into")
		}
	}
	expires := DefaultGrantExpiry
	if req.ExpiresAfter != nil {
		expires = req.ExpiresAfter.AsDuration()
	}
	reply, err := do[ledger.GrantKept](ctx, s.Server, &ledger.CreateGrant{
		Namespace: who.namespace(), Giver: who.actor(), ID: s.tokens.requestedID("gr_", who, req.RequestId),
		Kind: grantKindFrom(req.Kind), Tool: req.Tool, Fingerprint: ledger.Fingerprint(req.Fingerprint), Occurrence: req.Occurrence,
		Rule: req.RuleId, OperationID: ledger.OperationID(req.OperationId), ForPrincipal: ledger.Principal(req.ForPrincipal),
		ExpiresAfter: expires, Reason: req.Reason,
	})
	if err != nil {
		return nil, err
	}
	return &pb.CreateGrantResponse{Grant: grantOf(reply.Grant)}, nil
}

// grantFaults refuses what the grant's kind lacks, or does not know.
func grantFaults(req *pb.CreateGrantRequest) error {
	for _, part := range []struct {
		field string
		set   bool
		of    pb.GrantKind
	}{
		{"occurrence", req.Occurrence != "", pb.GrantKind_GRANT_KIND_REPEAT},
		{"rule_id", req.RuleId != "", pb.GrantKind_GRANT_KIND_OVERRIDE},
		{"operation_id", req.OperationId != "", pb.GrantKind_GRANT_KIND_REVISE},
	} {
		kind := strings.ToLower(strings.TrimPrefix(part.of.String(), "GRANT_KIND_"))
		switch {
		case part.set && req.Kind != part.of:
			return invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, part.field, part.field+" belongs to a grant of the kind "+kind+"; leave it out")
		case !part.set && req.Kind == part.of:
			return invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, part.field, "a grant of the kind "+kind+" says its "+part.field+"; send it")
		}
	}
	return nil
}

// hasRule reports whether a rule of that id can say no to the tool's proposals: one of the namespace, or one of the tool's
// own by "tool/name".
func (c *configuration) hasRule(tool, id string) bool {
	if r := c.rule(id); r != nil {
		return c.applies(r.rule.Scope, tool)
	}
	name, own := strings.CutPrefix(id, tool+"/")
	t := c.tools[tool]
	if !own || t == nil {
		return false
	}
	rules := &t.newest().compiled.Definition.Policy
	var names []string
	for _, g := range rules.Guards {
		names = append(names, g.Name)
	}
	for _, l := range rules.Limits {
		names = append(names, l.Name)
	}
	for _, w := range rules.Windows {
		names = append(names, w.Name)
	}
	for _, x := range rules.Conflicts {
		names = append(names, x.Name)
	}
	return slices.Contains(names, name)
}

// GetGrant reads one grant.
func (s *policyService) GetGrant(ctx context.Context, req *pb.GetGrantRequest) (*pb.GetGrantResponse, error) {
	found, err := s.record(ctx, ledger.GrantKey(callOf(ctx).namespace(), req.GrantId), "grant "+req.GrantId)
	if err != nil {
		return nil, err
	}
	return &pb.GetGrantResponse{Grant: grantOf(found.(*ledger.Grant))}, nil
}

// ListGrants lists grants, the newest first.
func (s *policyService) ListGrants(ctx context.Context, req *pb.ListGrantsRequest) (*pb.ListGrantsResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	q := ledger.RecordQuery{Kind: ledger.RecordGrant, Tool: req.Tool, Descending: true}
	if req.GetUsable() {
		q.Statuses = []string{"usable"}
	}
	m := &pb.ListGrantsResponse{}
	m.NextPageToken, err = s.listRecords(ctx, token, pageSize(req.PageSize, DefaultPageSize), q, func(r ledger.Record) {
		g := r.(*ledger.Grant)
		// A grant ends by the passing of time alone, which no row tells of: a page may hold fewer than asked for.
		if req.Usable == nil || *req.Usable == g.Usable(now) {
			m.Grants = append(m.Grants, grantOf(g))
		}
	})
	return m, err
}

// RevokeGrant ends a grant that is not used yet.
func (s *policyService) RevokeGrant(ctx context.Context, req *pb.RevokeGrantRequest) (*pb.RevokeGrantResponse, error) {
	who := callOf(ctx)
	reply, err := do[ledger.GrantKept](ctx, s.Server, &ledger.RevokeGrant{
		Namespace: who.namespace(), Principal: who.Principal, ID: req.GrantId, Reason: req.Reason, Etag: req.Etag,
	})
	if err != nil {
		return nil, err
	}
	return &pb.RevokeGrantResponse{Grant: grantOf(reply.Grant)}, nil
}

func grantKindFrom(k pb.GrantKind) ledger.GrantKind {
	return ledger.GrantKind(wordOf(k.String(), "GRANT_KIND_"))
}

func grantKindOf(k ledger.GrantKind) pb.GrantKind {
	return enumOf[pb.GrantKind](pb.GrantKind_value, "GRANT_KIND_", string(k))
}

func grantOf(g *ledger.Grant) *pb.Grant {
	return &pb.Grant{
		GrantId: g.ID, Kind: grantKindOf(g.GrantKind), Tool: g.Tool, Fingerprint: string(g.Fingerprint), Occurrence: g.Occurrence,
		RuleId: g.Rule, OperationId: string(g.OperationID), ForPrincipal: string(g.ForPrincipal), GivenBy: string(g.GivenBy),
		Reason: g.Reason, CreateTime: stamp(g.CreatedAt), ExpireTime: stamp(g.ExpiresAt), UsedByOperationId: string(g.UsedBy),
		UseTime: stamp(g.UsedAt), RevokeTime: stamp(g.RevokedAt), Etag: g.Etag(),
	}
}
