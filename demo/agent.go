package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/opledger/opledger/demo/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// AgentOptions say what an agent process works with.
type AgentOptions struct {
	LedgerAddress string // empty: there is no ledger
	ProviderURL   string
	RunID         string
	Channel       string
}

// RunAgent is the life of an agent process: it carries its calls out, one after the other, and writes what happens to it as
// lines of JSON.
func RunAgent(ctx context.Context, o AgentOptions, out io.Writer) error {
	w := &noteWriter{out: json.NewEncoder(out), who: o.RunID}
	client := provider.NewClient(o.ProviderURL, callTimeout)
	if o.LedgerAddress == "" {
		return work(ctx, &forgetfulHands{provider: client, say: w.say}, firstCalls(), w.say)
	}
	conn, err := connect(o.LedgerAddress, os.Getenv(tokenVariable))
	if err != nil {
		return fmt.Errorf("reach the ledger at %s: %w", o.LedgerAddress, err)
	}
	defer conn.Close()
	h := &governedHands{
		ledger: pb.NewOperationServiceClient(conn), provider: client, workflow: workflowID, runID: o.RunID, say: w.say,
	}
	switch o.Channel {
	case channelConsole:
		return work(ctx, h, consoleCalls(), w.say)
	case channelPlan:
		p := &planner{governedHands: h, workflows: pb.NewWorkflowServiceClient(conn)}
		if err := p.start(ctx, o.RunID); err != nil {
			return err
		}
		return work(ctx, p, firstCalls(), w.say)
	}
	return work(ctx, h, agentCalls(), w.say)
}

// work carries calls out, one after the other.
func work(ctx context.Context, h hands, calls []toolCall, say func(note)) error {
	for _, call := range calls {
		if err := loop(ctx, h, call, say); err != nil {
			return err
		}
	}
	return nil
}
