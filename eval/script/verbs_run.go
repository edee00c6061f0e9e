package script

import (
	"context"
	"strconv"

	"go.yaml.in/yaml/v3"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// running are the verbs of workflows. Their subject is the workflow.
var running = map[string]verb{
	"start": {
		method: "WorkflowService/StartWorkflow", subject: renamed("workflow_id"),
		own: map[string]func(*filling, *yaml.Node) error{"run": renamed("run_id")}, finish: requestID,
	},
	"resume": {
		method: "WorkflowService/ResumeWorkflow", subject: renamed("workflow_id"),
		own: map[string]func(*filling, *yaml.Node) error{"run": renamed("run_id")}, finish: requestID,
	},
	"complete": {
		method: "WorkflowService/CompleteWorkflow", subject: renamed("workflow_id"),
		own: map[string]func(*filling, *yaml.Node) error{"run": renamed("run_id"), "claims": claims}, finish: requestID,
	},
	"event": {
		method: "WorkflowService/RecordInboundEvent", subject: renamed("source"),
		own: map[string]func(*filling, *yaml.Node) error{
			"payload": arguments("payload_json"), "type": renamed("event_type"), "about": eventAbout,
		},
		finish: func(x *filling) error {
			if r := x.request.(*pb.RecordInboundEventRequest); r.Payload == nil {
				r.Payload = &pb.RecordInboundEventRequest_PayloadJson{PayloadJson: "{}"}
			}
			return nil
		},
	},
}

// plain are the verbs that are no call of the API by a short name.
var plain = map[string]verb{
	"pass": {
		told:  true,
		check: func(x *filling, s *Step) error { _, err := duration(s.subject); return firstOf(err, noFields(s)) },
		act: func(_ context.Context, r *runner, s *Step) error {
			d, err := duration(s.subject)
			r.world.Pass(d)
			return err
		},
	},
	"settle": {
		told:  true,
		check: func(_ *filling, s *Step) error { return noFields(s) },
		act:   settle,
	},
	"restart": {
		told:  true,
		check: func(_ *filling, s *Step) error { return noFields(s) },
		act:   func(ctx context.Context, r *runner, _ *Step) error { return r.world.Restart(ctx) },
	},
	"repeat": {
		repeats: true,
		check: func(_ *filling, s *Step) error {
			if n, err := strconv.Atoi(s.subject.Value); err != nil || n < 1 || n > maxTimes || len(s.Steps) == 0 {
				return at(s.subject, "a number of times from 1 to %d is wanted, and steps", maxTimes)
			}
			return noFields(s)
		},
		act: func(ctx context.Context, r *runner, s *Step) error {
			n, err := strconv.Atoi(s.subject.Value)
			if err != nil {
				return err
			}
			for range n {
				if err := r.steps(ctx, s.Steps); err != nil || r.stopped() {
					return err
				}
			}
			return nil
		},
	},
	"call": {
		dynamic: true,
		own:     map[string]func(*filling, *yaml.Node) error{"with": func(x *filling, node *yaml.Node) error { return x.decoder().into(node, x.request.ProtoReflect()) }},
		finish:  requestID,
	},
}

// settle lets the step's server do what is due, or with "each" the first and the twin at once.
func settle(ctx context.Context, r *runner, s *Step) error {
	if _, err := r.conns(ctx, s); err != nil {
		return err
	}
	switch {
	case s.Each:
		return r.world.SettleEach(ctx)
	case s.Twin:
		return r.world.SettleAt(ctx, 1)
	}
	return r.world.Settle(ctx)
}

func noFields(s *Step) error {
	if len(s.fields) > 0 {
		return at(s.fields[0].name, "%s has no %q", s.Verb, s.fields[0].name.Value)
	}
	return nil
}

// claims reads what the user was told of each operation: {first: DONE, second: OPEN}.
func claims(x *filling, node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	r := x.request.(*pb.CompleteWorkflowRequest)
	if r.Conclusion == nil {
		r.Conclusion = &pb.Conclusion{}
	}
	for k, v := range pairs(node) {
		id, err := x.operationOf(k)
		if err != nil {
			return err
		}
		c := &pb.Claim{OperationId: id}
		kind := &yaml.Node{Kind: yaml.ScalarNode, Value: "kind", Line: k.Line}
		if err := x.decoder().field(kind, v, c.ProtoReflect()); err != nil {
			return err
		}
		r.Conclusion.Claims = append(r.Conclusion.Claims, c)
	}
	return nil
}

// eventAbout gives an event the client reference of a label's permit.
func eventAbout(x *filling, node *yaml.Node) error {
	p, err := x.permitOf(node)
	x.put("client_reference", p.GetClientReference())
	return err
}
