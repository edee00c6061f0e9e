package script

import (
	"go.yaml.in/yaml/v3"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// proposing are the verbs that ask for an effect, or about one.
var proposing = map[string]verb{
	"propose": {
		method:  "OperationService/ProposeOperation",
		subject: renamed("tool"),
		own: map[string]func(*filling, *yaml.Node) error{
			"arguments": arguments("arguments_json"), "vary": vary,
			"run": renamed("run_id"), "workflow": renamed("workflow_id"), "key": renamed("idempotency_key"),
			"call_id": callID, "request": sameRequest, "lease": proving, "overrides": overrides, "repeat_grant": repeatGrant, "revise": revise,
		},
		finish: func(x *filling) error {
			inWorkflow(x)
			return requestID(x)
		},
	},
	"explain": {
		method:  "OperationService/ExplainIdentity",
		subject: renamed("tool"),
		own: map[string]func(*filling, *yaml.Node) error{
			"arguments": func(x *filling, n *yaml.Node) error { return identityInput(x, n, false) },
			"beside":    func(x *filling, n *yaml.Node) error { return identityInput(x, n, true) },
		},
	},
	"poll": {
		method: "WorkService/PollWork",
		subject: func(x *filling, node *yaml.Node) error {
			tools, err := texts(node)
			for _, tool := range tools {
				r := x.request.(*pb.PollWorkRequest)
				r.Credits = append(r.Credits, &pb.ToolCredit{Tool: tool, Dispatches: 1, Lookups: 1})
			}
			return err
		},
		own: map[string]func(*filling, *yaml.Node) error{"worker": renamed("worker_id")},
		finish: func(x *filling) error {
			x.put("worker_id", "worker_1")
			return requestID(x)
		},
	},
	"get": {method: "OperationService/GetOperation", subject: ofOperation},
}

// inWorkflow puts a request into the workflow and run that scenarios are in, unless the step states others, or none.
func inWorkflow(x *filling) {
	for word, usual := range map[string]string{"workflow": "wf_1", "run": "run_1"} {
		if !x.stated(word) {
			x.put(word+"_id", usual)
		}
	}
}

// arguments writes a document into a text field.
func arguments(name string) func(*filling, *yaml.Node) error {
	return func(x *filling, node *yaml.Node) error {
		document, err := jsonOf(node, x.resolve)
		x.put(name, document)
		return err
	}
}

// vary gives each of those that are done at once arguments of a list, in turn.
func vary(x *filling, node *yaml.Node) error {
	if node.Kind != yaml.SequenceNode || len(node.Content) == 0 {
		return at(node, "a list of arguments is wanted here")
	}
	for i, item := range node.Content {
		document, err := jsonOf(item, x.resolve)
		if err != nil {
			return err
		}
		if i == x.index%len(node.Content) {
			x.put("arguments_json", document)
		}
	}
	return nil
}

func callID(x *filling, node *yaml.Node) error {
	id, err := text(node)
	x.request.(*pb.ProposeOperationRequest).Correlation = &pb.Correlation{ToolCallId: id}
	return err
}

// sameRequest repeats the request id of an earlier step: the transport tries that one call again.
func sameRequest(x *filling, node *yaml.Node) error {
	o, err := x.named(node)
	if err != nil {
		return err
	}
	earlier, isProposal := o.request.(*pb.ProposeOperationRequest)
	if !isProposal {
		return at(node, "%s is no proposal", node.Value)
	}
	x.put("request_id", earlier.GetRequestId())
	return nil
}

// proving hands in the lease token that a step was given.
func proving(x *filling, node *yaml.Node) error {
	token, err := x.leaseToken(node)
	x.put("lease_token", token)
	return err
}

func overrides(x *filling, node *yaml.Node) error {
	grants := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		grants = node.Content
	}
	r := x.request.(*pb.ProposeOperationRequest)
	for _, g := range grants {
		id, err := x.grantID(g)
		if err != nil {
			return err
		}
		r.OverrideGrantIds = append(r.OverrideGrantIds, id)
	}
	return nil
}

func repeatGrant(x *filling, node *yaml.Node) error {
	id, err := x.grantID(node)
	x.put("repeat_grant_id", id)
	return err
}

// revise reads {of: label, reason: why, grant: label}. Revision and operation id can be stated as well, as in the API.
func revise(x *filling, node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	r := &pb.Revise{Reason: "the customer wants a fresh try"}
	x.request.(*pb.ProposeOperationRequest).Revise = r
	for k, v := range pairs(node) {
		switch k.Value {
		case "of":
			id, err := x.operationOf(v)
			if err != nil {
				return err
			}
			r.Predecessor = &pb.Revise_OperationId{OperationId: id}
		case "grant":
			id, err := x.grantID(v)
			if err != nil {
				return err
			}
			r.GrantId = id
		default:
			if err := x.decoder().field(k, v, r.ProtoReflect()); err != nil {
				return err
			}
		}
	}
	return nil
}

func identityInput(x *filling, node *yaml.Node, second bool) error {
	document, err := jsonOf(node, x.resolve)
	if err != nil {
		return err
	}
	input := &pb.IdentityInput{Arguments: &pb.IdentityInput_ArgumentsJson{ArgumentsJson: document}}
	if r := x.request.(*pb.ExplainIdentityRequest); second {
		r.B = input
	} else {
		r.A = input
	}
	return nil
}

// ofOperation reads a label as the operation that its step was about.
func ofOperation(x *filling, node *yaml.Node) error {
	id, err := x.operationOf(node)
	x.put("operation_id", id)
	return err
}

// operationOf is the operation of the step whose label a node holds, or an id that a reference gives.
func (x *filling) operationOf(node *yaml.Node) (string, error) {
	if reference.MatchString(node.Value) {
		return x.resolve(node, node.Value)
	}
	o, err := x.named(node)
	if err != nil || x.checking {
		return "", err
	}
	if id := o.operationID(); id != "" {
		return id, nil
	}
	return "", at(node, "the step %q is about no operation", node.Value)
}
