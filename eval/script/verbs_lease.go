package script

import (
	"time"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// leaseTTL is how long a lease lasts, where the step does not say.
const leaseTTL = time.Minute

// leasing are the verbs of leases. Their subject is the entity, or the step that acquired the lease.
var leasing = map[string]verb{
	"acquire": {
		method: "LeaseService/AcquireEntityLease",
		subject: func(x *filling, node *yaml.Node) error {
			items := []*yaml.Node{node}
			if node.Kind == yaml.SequenceNode {
				items = node.Content
			}
			r := x.request.(*pb.AcquireEntityLeaseRequest)
			for _, item := range items {
				e, err := entityOf(item)
				if err != nil {
					return err
				}
				r.Entities = append(r.Entities, e)
			}
			return nil
		},
		own: map[string]func(*filling, *yaml.Node) error{"run": renamed("run_id"), "workflow": renamed("workflow_id"), "lease": proving},
		finish: func(x *filling) error {
			if r := x.request.(*pb.AcquireEntityLeaseRequest); r.Ttl == nil {
				r.Ttl = durationpb.New(leaseTTL)
			}
			inWorkflow(x)
			return requestID(x)
		},
	},
	"renew": {method: "LeaseService/RenewEntityLease", subject: proving, finish: func(x *filling) error {
		if r := x.request.(*pb.RenewEntityLeaseRequest); r.Ttl == nil {
			r.Ttl = durationpb.New(leaseTTL)
		}
		return requestID(x)
	}},
	"release": {method: "LeaseService/ReleaseEntityLease", subject: proving, finish: requestID},
	"break": {
		method: "LeaseService/BreakEntityLease", subject: entity,
		own: map[string]func(*filling, *yaml.Node) error{"seen": func(x *filling, node *yaml.Node) error {
			id, err := x.operationOf(node)
			r := x.request.(*pb.BreakEntityLeaseRequest)
			r.SeenOperationIds = append(r.SeenOperationIds, id)
			return err
		}},
		finish: func(x *filling) error {
			x.put("reason", "the run is gone")
			return requestID(x)
		},
	},
}

// leaseToken is the token that a step was given with its lease.
func (x *filling) leaseToken(node *yaml.Node) (string, error) {
	o, err := x.named(node)
	if err != nil {
		return "", err
	}
	var grant *pb.LeaseGrant
	switch m := o.answer.(type) {
	case *pb.AcquireEntityLeaseResponse:
		grant = m.GetGrant()
	case *pb.RenewEntityLeaseResponse:
		grant = m.GetGrant()
	default:
		return "", at(node, "%s is about no lease", node.Value)
	}
	if grant == nil && !x.checking {
		return "", at(node, "the step %q was given no lease", node.Value)
	}
	return grant.GetLeaseToken(), nil
}
