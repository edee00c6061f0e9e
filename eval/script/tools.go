package script

import (
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// readUse names tools of the shared file that the scenario starts with.
func (s *Scenario) readUse(node *yaml.Node) error {
	names, err := texts(node)
	if err != nil {
		return err
	}
	for _, name := range names {
		tool := s.known[name]
		if tool == nil {
			return at(node, "the shared file has no tool %q", name)
		}
		s.Tools = append(s.Tools, tool)
	}
	return nil
}

// readTools reads tools of the scenario's own.
func (s *Scenario) readTools(node *yaml.Node) error {
	if node.Kind != yaml.SequenceNode {
		return at(node, "a list of tools is wanted here")
	}
	for _, item := range node.Content {
		tool, err := s.tool(item)
		if err != nil {
			return err
		}
		s.Tools = append(s.Tools, tool)
		s.known[tool.Name] = tool
	}
	return nil
}

// tool reads one tool, in the form of the tool files. With "from" it is another one that is known, and what stands beside
// that changes it.
func (s *Scenario) tool(node *yaml.Node) (*pb.ToolDefinition, error) {
	if node.Kind == yaml.ScalarNode {
		if tool := s.known[node.Value]; tool != nil {
			return tool, nil
		}
		return nil, at(node, "no tool %q is known here", node.Value)
	}
	tool := &pb.ToolDefinition{}
	if from := member(node, "from"); from != nil {
		base, err := s.tool(from)
		if err != nil {
			return nil, err
		}
		tool = proto.Clone(base).(*pb.ToolDefinition)
	}
	if err := mapping(node); err != nil {
		return nil, err
	}
	d := decoder{resolve: asItStands}
	for k, v := range pairs(node) {
		if k.Value == "from" {
			continue
		}
		if err := d.field(k, v, tool.ProtoReflect()); err != nil {
			return nil, err
		}
	}
	if tool.Name == "" {
		return nil, at(node, "a tool has a name")
	}
	return tool, nil
}

// asItStands resolves nothing: a tool's definition has templates of its own.
func asItStands(_ *yaml.Node, text string) (string, error) { return text, nil }
