package toolfile

import (
	"fmt"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
)

// Marshal writes a definition as a file that Parse reads: short names of enums, and durations as people write them.
func Marshal(m *opledgerv1.ToolDefinition) ([]byte, error) {
	text, err := yamlproto.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("the definition cannot be written as YAML: %w", err)
	}
	return text, nil
}
