package demo

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry/toolfile"
)

//go:embed tools/*.yaml
var toolFiles embed.FS

// toolsFor reads the definitions of the play's tools, the payment's for the stated account.
func toolsFor(account string) ([]*pb.ToolDefinition, error) {
	payment, ok := accounts[account]
	if !ok {
		return nil, fmt.Errorf("the demonstration's provider has no account %q", account)
	}
	var tools []*pb.ToolDefinition
	for _, name := range []string{payment, "email.yaml"} {
		text, err := toolFiles.ReadFile("tools/" + name)
		if err != nil {
			return nil, err
		}
		sources, problems := toolfile.Parse(name, text)
		var faults []error
		for _, p := range problems {
			faults = append(faults, p)
		}
		if err := errors.Join(faults...); err != nil {
			return nil, err
		}
		for _, s := range sources {
			tools = append(tools, s.Proto)
		}
	}
	return tools, nil
}

// applyTools registers the play's tools at the server.
func applyTools(ctx context.Context, registry pb.RegistryServiceClient, account string) error {
	tools, err := toolsFor(account)
	if err != nil {
		return err
	}
	for _, t := range tools {
		if _, err := registry.ApplyTool(ctx, &pb.ApplyToolRequest{RequestId: uuid.NewString(), Definition: t}); err != nil {
			return fmt.Errorf("apply %s: %w", t.Name, err)
		}
	}
	return nil
}
