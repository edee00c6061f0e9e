package main

import (
	"fmt"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
)

// ruleText writes a rule as a file that "policy apply" reads: short names of enums, and durations as people write them.
func ruleText(rule *pb.PolicyRule) ([]byte, error) {
	text, err := yamlproto.Marshal(rule)
	if err != nil {
		return nil, fmt.Errorf("the rule cannot be written as YAML: %w", err)
	}
	return text, nil
}
