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
	LedgerAddress string
	ProviderURL   string
	RunID         string
	Channel       string
}

// RunAgent is the life of an agent process in the second act: it carries its calls out through the ledger, one after the
// other, and writes what happens to it as lines of JSON.
func RunAgent(ctx context.Context, o AgentOptions, out io.Writer) error {
	conn, err := connect(o.LedgerAddress, os.Getenv(tokenVariable))
	if err != nil {
		return fmt.Errorf("reach the ledger at %s: %w", o.LedgerAddress, err)
	}
	defer conn.Close()
	w := &noteWriter{out: json.NewEncoder(out), who: o.RunID}
	h := &governedHands{
		ledger: pb.NewOperationServiceClient(conn), provider: provider.NewClient(o.ProviderURL, callTimeout),
		workflow: workflowID, runID: o.RunID, say: w.say,
	}
	calls := agentCalls()
	if o.Channel == channelConsole {
		calls = consoleCalls()
	}
	for _, call := range calls {
		if err := loop(ctx, h, call, w.say); err != nil {
			return err
		}
	}
	return nil
}
