package toolfile

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"buf.build/go/protoyaml"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Marshal writes a definition as a file that Parse reads: short names of enums, and durations as people write them.
func Marshal(m *opledgerv1.ToolDefinition) ([]byte, error) {
	text, err := protoyaml.MarshalOptions{UseProtoNames: true, Indent: 2}.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("the definition cannot be written as YAML: %w", err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("the definition cannot be written as YAML: %w", err)
	}
	if len(document.Content) > 0 {
		beautify(document.Content[0], m.ProtoReflect().Descriptor())
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return nil, fmt.Errorf("the definition cannot be written as YAML: %w", err)
	}
	return out.Bytes(), nil
}

// beautify shortens what stands in one message's mapping.
func beautify(node *yaml.Node, message protoreflect.MessageDescriptor) {
	if node.Kind != yaml.MappingNode || message == nil || strings.HasPrefix(string(message.FullName()), "google.protobuf.") {
		return
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		field := fieldOf(message.Fields(), node.Content[i].Value)
		if field == nil {
			continue
		}
		values := []*yaml.Node{node.Content[i+1]}
		switch {
		case field.IsList():
			values = node.Content[i+1].Content
		case field.IsMap():
			values = nil
			for k := 1; k < len(node.Content[i+1].Content); k += 2 {
				values = append(values, node.Content[i+1].Content[k])
			}
		}
		for _, v := range values {
			switch inner := below(field); {
			case field.Enum() != nil:
				v.Value = strings.TrimPrefix(v.Value, enumPrefix(field.Enum()))
			case inner != nil && inner.FullName() == "google.protobuf.Duration":
				v.Value = readable(v.Value)
			default:
				beautify(v, inner)
			}
		}
	}
}

// readable writes 86400s as 24h. What is no such duration stays.
func readable(text string) string {
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
