package crowd

import (
	"context"
	_ "embed"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/google/uuid"

	"github.com/opledger/opledger/eval/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

//go:embed tools.yaml
var toolFile []byte

// definitions are the tools' contracts. They are read when a part first needs them.
var definitions = sync.OnceValue(func() []*pb.ToolDefinition {
	sources, problems := toolfile.Parse("tools.yaml", toolFile)
	if len(problems) > 0 {
		panic(fmt.Sprint("the crowd's tools: ", problems)) // they are embedded
	}
	var all []*pb.ToolDefinition
	for _, s := range sources {
		all = append(all, s.Proto)
	}
	return all
})

// The tools, by name. No user's tool begins with "opledger_eval.".
const (
	book   = "opledger_eval.book"
	charge = "opledger_eval.charge"
	mail   = "opledger_eval.mail"
	revoke = "opledger_eval.revoke"
)

var classes = map[string]registry.Class{
	book: registry.InternalDeterministicWrite, charge: registry.ExternalIdempotentWrite, mail: registry.ExternalNonIdempotentWrite,
	revoke: registry.Irreversible,
}

// stated is what the tools say of their providers, and stall how long past its permit's end a sender may wake.
var stated = provider.Profile{Keyed: true, InFlight: 300 * time.Millisecond, Lag: 300 * time.Millisecond, RetryAfter: time.Second}

const stall = time.Second

// keyed are the tools whose provider heeds a key: the internal one's transaction is keyed by its operation.
func keyed(tool string) bool { return tool == book || tool == charge }

// applyTools makes the tools known and switches on what an earlier evaluation has switched off.
func applyTools(ctx context.Context, conn grpc.ClientConnInterface) error {
	api := pb.NewRegistryServiceClient(conn)
	for _, d := range definitions() {
		applied, err := api.ApplyTool(ctx, &pb.ApplyToolRequest{RequestId: uuid.NewString(), Definition: d})
		if err != nil {
			return err
		}
		if applied.Tool.GetDisabled() == nil {
			continue
		}
		_, err = api.DisableTool(ctx, &pb.DisableToolRequest{RequestId: uuid.NewString(), Tool: d.Name, Reason: "An evaluation begins.", EnableAgain: true})
		if err != nil {
			return err
		}
	}
	return nil
}

// disableTools switches the tools off: nothing new starts with them until the next evaluation.
func disableTools(ctx context.Context, conn grpc.ClientConnInterface) error {
	api := pb.NewRegistryServiceClient(conn)
	for _, d := range definitions() {
		_, err := api.DisableTool(ctx, &pb.DisableToolRequest{RequestId: uuid.NewString(), Tool: d.Name, Reason: "An evaluation has ended; the next one switches it on again."})
		if err != nil {
			return err
		}
	}
	return nil
}
