package demo

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/policy/rulefile"
	"github.com/opledger/opledger/registry/toolfile"
)

//go:embed tools/*.yaml rules/*.yaml
var files embed.FS

// toolsFor reads the definitions of the first story's tools, the payment's for the stated account.
func toolsFor(account string) ([]*pb.ToolDefinition, error) {
	payment, ok := accounts[account]
	if !ok {
		return nil, fmt.Errorf("the demonstration's provider has no account %q", account)
	}
	return readTools(payment, "email.yaml")
}

func readTools(names ...string) ([]*pb.ToolDefinition, error) {
	return readToolsAt(providerAddress, names...)
}

// providerAddress stands in the files for the provider's own, whose port is not known before the play.
const providerAddress = "127.0.0.1:8080"

// readToolsAt reads definitions of tools that are carried out at a provider's address.
func readToolsAt(address string, names ...string) (tools []*pb.ToolDefinition, err error) {
	for _, name := range names {
		text, err := files.ReadFile("tools/" + name)
		if err != nil {
			return nil, err
		}
		text = bytes.ReplaceAll(text, []byte(providerAddress), []byte(address))
		sources, problems := toolfile.Parse(name, text)
		if err := joined(problems); err != nil {
			return nil, err
		}
		for _, s := range sources {
			tools = append(tools, s.Proto)
		}
	}
	return tools, nil
}

func readRules(names ...string) (rules []*pb.PolicyRule, err error) {
	for _, name := range names {
		text, err := files.ReadFile("rules/" + name)
		if err != nil {
			return nil, err
		}
		sources, problems := rulefile.Parse(name, text)
		if err := joined(problems); err != nil {
			return nil, err
		}
		for _, s := range sources {
			rules = append(rules, s.Proto)
		}
	}
	return rules, nil
}

func joined[P error](problems []P) error {
	faults := make([]error, len(problems))
	for i, p := range problems {
		faults[i] = p
	}
	return errors.Join(faults...)
}

// applyTools registers tools at the server.
func (b *backstage) applyTools(ctx context.Context, tools []*pb.ToolDefinition) error {
	registry := pb.NewRegistryServiceClient(b.director)
	for _, t := range tools {
		if _, err := registry.ApplyTool(ctx, &pb.ApplyToolRequest{RequestId: uuid.NewString(), Definition: t}); err != nil {
			return fmt.Errorf("apply %s: %w", t.Name, err)
		}
	}
	return nil
}

// applyRules puts rules in force at the server.
func (b *backstage) applyRules(ctx context.Context, rules []*pb.PolicyRule) error {
	service := pb.NewPolicyServiceClient(b.director)
	for _, r := range rules {
		if _, err := service.ApplyRule(ctx, &pb.ApplyRuleRequest{RequestId: uuid.NewString(), Rule: r}); err != nil {
			return fmt.Errorf("apply the rule %s: %w", r.RuleId, err)
		}
	}
	return nil
}
