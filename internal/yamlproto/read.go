package yamlproto

import (
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// ShortNames lets values of enums be written without their prefix. It is a CustomUnmarshaler of protoyaml that prepares a
// message's fields and leaves the rest to protoyaml.
type ShortNames struct{}

// Unmarshal completes the names among the fields of one message.
func (ShortNames) Unmarshal(node *yaml.Node, message proto.Message) (bool, error) {
	if node.Kind != yaml.MappingNode {
		return false, nil
	}
	fields := message.ProtoReflect().Descriptor().Fields()
	for i := 0; i+1 < len(node.Content); i += 2 {
		field := FieldOf(fields, node.Content[i].Value)
		if field == nil || field.Enum() == nil || field.IsMap() {
			continue
		}
		values := []*yaml.Node{node.Content[i+1]}
		if field.IsList() {
			values = node.Content[i+1].Content
		}
		for _, v := range values {
			if full := protoreflect.Name(EnumPrefix(field.Enum()) + v.Value); field.Enum().Values().ByName(full) != nil {
				v.Value = string(full)
			}
		}
	}
	return false, nil
}
