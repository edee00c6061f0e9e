package toolfile

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/opledger/opledger/canon"
	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
)

// digestLimits are wide: a definition was bounded before it came here.
var digestLimits = canon.Limits{Bytes: 8 << 20, Depth: canon.MaxDepth + 16, Values: 1 << 20, NameBytes: 4 << 10}

// Digest gives "sha256:" and the hash of a definition. It is over what the definition says, in canonical JSON, so that
// formatting, the order of members, comments and the form of the schema (value or text) change nothing. Defaults are not
// filled in: a release that changes one makes no new version of anybody's tool.
func Digest(m *opledgerv1.ToolDefinition) (string, error) {
	m = proto.Clone(m).(*opledgerv1.ToolDefinition)
	r := &reader{}
	if text := r.schema(m); len(text) > 0 {
		schema, faults := canon.Parse(text, digestLimits)
		if err := faults.Err(); err != nil {
			return "", fmt.Errorf("the schema has no canonical form: %w", err)
		}
		m.Schema = &opledgerv1.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: string(schema.Canonical())}
	}
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("the definition cannot be written as JSON: %w", err)
	}
	v, faults := canon.Parse(text, digestLimits)
	if err := faults.Err(); err != nil {
		return "", fmt.Errorf("the definition has no canonical form: %w", err)
	}
	return canon.Fingerprint(v.Canonical()), nil
}
