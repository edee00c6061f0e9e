package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"buf.build/go/protoyaml"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// ruleText writes a rule as a file that "policy apply" reads: short names of enums, and durations as people write them.
func ruleText(rule *pb.PolicyRule) ([]byte, error) {
	text, err := protoyaml.MarshalOptions{UseProtoNames: true, Indent: 2}.Marshal(rule)
	if err != nil {
		return nil, fmt.Errorf("the rule cannot be written as YAML: %w", err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("the rule cannot be written as YAML: %w", err)
	}
	for _, root := range document.Content {
		shorten(root, rule.ProtoReflect().Descriptor())
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return nil, fmt.Errorf("the rule cannot be written as YAML: %w", err)
	}
	return out.Bytes(), nil
}

// shorten shortens what stands in one message's mapping. Messages of rules hold no maps.
func shorten(node *yaml.Node, message protoreflect.MessageDescriptor) {
	if node.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		field := message.Fields().ByName(protoreflect.Name(node.Content[i].Value))
		if field == nil {
			continue
		}
		values := []*yaml.Node{node.Content[i+1]}
		if field.IsList() {
			values = node.Content[i+1].Content
		}
		for _, v := range values {
			switch inner := field.Message(); {
			case field.Enum() != nil:
				v.Value = strings.TrimPrefix(v.Value, enumPrefix(field.Enum()))
			case inner != nil && inner.FullName() == "google.protobuf.Duration":
				v.Value = plainDuration(v.Value)
			case inner != nil:
				shorten(v, inner)
			}
		}
	}
}

// plainDuration writes 86400s as 24h. What is no such duration stays.
func plainDuration(text string) string {
	d, err := time.ParseDuration(text)
	if err != nil {
		return text
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
