package script

import (
	"context"
	"strconv"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// final is what must be true when every step is done: effects at the provider, operations, and what never came.
type final struct {
	scenario *Scenario
	labels   *labels
	runner   *runner
}

// check finds faults before anything runs.
func (f *final) check(node *yaml.Node) error { return f.hold(context.Background(), node) }

func (f *final) hold(ctx context.Context, node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	parts := map[string]func(context.Context, *yaml.Node) error{
		"effects": f.effects, "operations": f.operations, "operation_count": f.count, "no_permit": f.noPermit,
	}
	for k, v := range pairs(node) {
		part := parts[k.Value]
		if part == nil {
			return unknown(k, "part of the end", keysOf(parts))
		}
		if err := part(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// effects counts at the provider, by business key: {mail: 1}. "all" counts every effect.
func (f *final) effects(_ context.Context, node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	for k, v := range pairs(node) {
		want, err := strconv.Atoi(v.Value)
		if err != nil {
			return at(v, "a number of effects is wanted here")
		}
		if f.labels.checking {
			continue
		}
		if n := f.runner.effects(k.Value); n != want {
			return differs(v, "the provider counts %d effects of %q, want %d", n, k.Value, want)
		}
	}
	return nil
}

// operations holds the operations of labels against what they must be.
func (f *final) operations(ctx context.Context, node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	x := matcher{resolve: f.labels.resolve, checking: f.labels.checking}
	for k, v := range pairs(node) {
		o, err := f.labels.named(k)
		if err != nil {
			return err
		}
		read := &pb.Operation{}
		if !f.labels.checking {
			if read, err = f.runner.operation(ctx, o.step.Caller, o.operationID()); err != nil {
				return differs(k, "the operation of %q cannot be read: %v", k.Value, err)
			}
		}
		if err := x.message(v, read.ProtoReflect(), k.Value+"."); err != nil {
			return err
		}
	}
	return nil
}

// count counts every operation that there is.
func (f *final) count(ctx context.Context, node *yaml.Node) error {
	want, err := strconv.Atoi(node.Value)
	if err != nil {
		return at(node, "a number of operations is wanted here")
	}
	if f.labels.checking {
		return nil
	}
	all, err := f.runner.operations(ctx)
	if err == nil && len(all) != want {
		return differs(node, "there are %d operations, want %d", len(all), want)
	}
	return err
}

// noPermit lists {of: label, after: label}: after the one step nobody was given a permit of the other's operation. Where
// the first of them is left out, no permit of any operation.
func (f *final) noPermit(_ context.Context, node *yaml.Node) error {
	if node.Kind != yaml.SequenceNode {
		return at(node, "a list of {of: label, after: label} is wanted here")
	}
	for _, item := range node.Content {
		of, after := member(item, "of"), member(item, "after")
		if after == nil {
			return at(item, "{of: label, after: label} is wanted here")
		}
		from, err := f.labels.named(after)
		if err != nil {
			return err
		}
		operation := ""
		if of != nil {
			o, err := f.labels.named(of)
			if err != nil {
				return err
			}
			operation = o.operationID()
		}
		if f.labels.checking {
			continue
		}
		if p := f.runner.permitAfter(from, operation); p != nil {
			return differs(item, "attempt %d of %s was permitted after %q", p.AttemptNumber, p.OperationId, after.Value)
		}
	}
	return nil
}

// permitAfter finds a permit that an answer after a step brought. A step that the scenario calls "after" has an answer.
func (r *runner) permitAfter(from *outcome, operation string) *pb.Permit {
	after := false
	for _, c := range r.calls {
		m, answered := c.Answer.(proto.Message)
		if !answered {
			continue
		}
		if p := (&outcome{answer: m}).permit(); after && p != nil && (operation == "" || p.OperationId == operation) {
			return p
		}
		after = after || m == from.answer
	}
	return nil
}
