package script

import (
	"strings"

	"go.yaml.in/yaml/v3"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// deciding are the verbs of people, and of whoever changes what holds.
var deciding = map[string]verb{
	"approve": {method: "ApprovalService/DecideApproval", subject: ofApproval, finish: func(x *filling) error {
		x.request.(*pb.DecideApprovalRequest).Word = &pb.DecideApprovalRequest_Approve{Approve: &pb.Approve{}}
		return requestID(x)
	}},
	"deny": {method: "ApprovalService/DecideApproval", subject: ofApproval, finish: func(x *filling) error {
		x.request.(*pb.DecideApprovalRequest).Word = &pb.DecideApprovalRequest_Deny{Deny: &pb.Deny{}}
		return requestID(x)
	}},
	"grant": {
		method: "PolicyService/CreateGrant", subject: renamed("kind"),
		own: map[string]func(*filling, *yaml.Node) error{"for": grantFor},
		finish: func(x *filling) error {
			x.put("reason", "a person has looked at it")
			return requestID(x)
		},
	},
	"set_state": {
		method: "EntityService/SetEntityState", subject: entity,
		finish: func(x *filling) error {
			x.put("reason", "the system of record says so")
			return requestID(x)
		},
	},
	"apply": {
		method: "RegistryService/ApplyTool",
		subject: func(x *filling, node *yaml.Node) (err error) {
			x.request.(*pb.ApplyToolRequest).Definition, err = x.scenario.tool(node)
			return err
		},
		finish: requestID,
	},
	"lift": {
		method: "PolicyService/LiftExclusion",
		subject: func(x *filling, node *yaml.Node) error {
			if err := ofOperation(x, node); err != nil || x.checking {
				return err
			}
			o, err := x.runner.operation(x.ctx, x.caller, x.request.(*pb.LiftExclusionRequest).OperationId)
			if err != nil {
				return at(node, "%v", err)
			}
			r := x.request.(*pb.LiftExclusionRequest)
			r.Entity, r.SeenOperationVersion = o.Entity, o.Version
			return nil
		},
		finish: func(x *filling) error {
			x.put("reason", "the run is gone")
			return requestID(x)
		},
	},
}

// ofApproval reads a label as the approval that its proposal waits for, as it stands now; or an approval's own id.
func ofApproval(x *filling, node *yaml.Node) error {
	r := x.request.(*pb.DecideApprovalRequest)
	if strings.HasPrefix(node.Value, "apr_") {
		r.ApprovalId, r.Etag = node.Value, "v1"
		return nil
	}
	o, err := x.named(node)
	if err != nil || x.checking {
		return err
	}
	m, _ := o.answer.(*pb.ProposeOperationResponse)
	if r.ApprovalId = m.GetApproval().GetApprovalId(); r.ApprovalId == "" {
		return at(node, "the step %q waits for no approval", node.Value)
	}
	r.Etag = "v1"
	shown := &pb.GetApprovalResponse{}
	if err := x.runner.ask(x.ctx, x.caller, "ApprovalService/GetApproval", &pb.GetApprovalRequest{ApprovalId: r.ApprovalId}, shown); err == nil {
		r.Etag = shown.Approval.Etag
	}
	return nil // who may not see it is refused by the decision itself
}

// grantFor binds a grant to what an earlier proposal was: its tool and fingerprint, and what the kind needs besides.
func grantFor(x *filling, node *yaml.Node) error {
	o, err := x.named(node)
	if err != nil {
		return err
	}
	p, isProposal := o.request.(*pb.ProposeOperationRequest)
	m, answered := o.answer.(*pb.ProposeOperationResponse)
	if !isProposal || !answered {
		return at(node, "%s is no proposal", node.Value)
	}
	if x.checking {
		return nil
	}
	r := x.request.(*pb.CreateGrantRequest)
	r.Tool = p.Tool
	switch r.Kind {
	case pb.GrantKind_GRANT_KIND_OVERRIDE:
		x.put("rule_id", m.GetDecidedBy().GetRuleId())
	case pb.GrantKind_GRANT_KIND_REPEAT:
		x.put("occurrence", p.Occurrence)
	case pb.GrantKind_GRANT_KIND_REVISE:
		x.put("operation_id", o.operationID())
	}
	explained := &pb.ExplainIdentityResponse{}
	err = x.runner.ask(x.ctx, x.caller, "OperationService/ExplainIdentity", &pb.ExplainIdentityRequest{
		Contract: &pb.ExplainIdentityRequest_Tool{Tool: p.Tool},
		A:        &pb.IdentityInput{Arguments: &pb.IdentityInput_ArgumentsJson{ArgumentsJson: p.GetArgumentsJson()}, Occurrence: p.Occurrence, IdempotencyKey: p.IdempotencyKey},
	}, explained)
	if err != nil {
		return at(node, "the fingerprint of %s is not to be had: %v", node.Value, err)
	}
	r.Fingerprint = explained.A.GetFingerprint()
	return nil
}

// grantID is the grant that a step gave, or an id as it stands.
func (x *filling) grantID(node *yaml.Node) (string, error) {
	if strings.HasPrefix(node.Value, "gr_") {
		return node.Value, nil
	}
	o, err := x.named(node)
	if err != nil {
		return "", err
	}
	m, isGrant := o.answer.(*pb.CreateGrantResponse)
	if !isGrant {
		return "", at(node, "%s gave no grant", node.Value)
	}
	return m.GetGrant().GetGrantId(), nil
}

// entityOf reads order/order_123.
func entityOf(node *yaml.Node) (*pb.Entity, error) {
	kind, id, found := strings.Cut(node.Value, "/")
	if !found || kind == "" {
		return nil, at(node, "an entity is wanted here, such as order/order_123")
	}
	return &pb.Entity{Type: kind, Id: id}, nil
}

func entity(x *filling, node *yaml.Node) error {
	e, err := entityOf(node)
	if err != nil {
		return err
	}
	switch r := x.request.(type) {
	case *pb.SetEntityStateRequest:
		r.Entity = e
	case *pb.BreakEntityLeaseRequest:
		r.Entity = e
	}
	return nil
}
