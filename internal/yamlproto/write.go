package yamlproto

import (
	"bytes"
	"strings"
	"time"

	"buf.build/go/protoyaml"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Marshal writes a message: short names of enums, and durations as people write them.
func Marshal(m proto.Message) ([]byte, error) {
	text, err := protoyaml.MarshalOptions{UseProtoNames: true, Indent: 2}.Marshal(m)
	if err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	if len(document.Content) > 0 {
		shorten(document.Content[0], m.ProtoReflect().Descriptor())
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// shorten shortens what stands in one message's mapping.
func shorten(node *yaml.Node, message protoreflect.MessageDescriptor) {
	if node.Kind != yaml.MappingNode || message == nil || strings.HasPrefix(string(message.FullName()), "google.protobuf.") {
		return
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		field := FieldOf(message.Fields(), node.Content[i].Value)
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
			switch inner := Below(field); {
			case field.Enum() != nil:
				v.Value = strings.TrimPrefix(v.Value, EnumPrefix(field.Enum()))
			case inner != nil && inner.FullName() == "google.protobuf.Duration":
				v.Value = readable(v.Value)
			default:
				shorten(v, inner)
			}
		}
	}
}

// Below is the message that a field holds, or that the values of a map hold; nil where there is none.
func Below(field protoreflect.FieldDescriptor) protoreflect.MessageDescriptor {
	if field.IsMap() {
		return field.MapValue().Message()
	}
	return field.Message()
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
