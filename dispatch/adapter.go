package dispatch

import (
	"context"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// Adapter makes the requests of tools that the server itself acts for. It turns a provider's weirdness into outcomes;
// nothing above it knows a provider's name.
type Adapter interface {
	// Act sends the one request of an attempt and says what came of it. It never sends twice, follows no redirect of a
	// write, and gives the exchange no more time than is left of the permit. The report's outcome, category, ids, result
	// and SenderReturned are filled in; who reports is the caller's to say.
	Act(ctx context.Context, tool *registry.Definition, effect Effect) ledger.Report
	// Ask puts one question to the provider and says what it answered. The statement's verdict, reference, echoes and
	// ids are filled in; its id and ticket are the caller's.
	Ask(ctx context.Context, tool *registry.Definition, question Question) ledger.Statement
}

// Effect is what an adapter is to bring about under a permit.
type Effect struct {
	Namespace       ledger.Namespace
	OperationID     ledger.OperationID
	Arguments       []byte // canonical, as they are dispatched
	VendorKey       string
	ClientReference string
	// Ready is asked after everything that can be prepared is prepared (rendering, the connection), right before the first
	// byte of the effect: it takes a last look at the clock, says the begin where one is required, and answers how long the
	// exchange may still take. With an error nothing is sent, and the outcome is not_sent.
	Ready func(ctx context.Context) (time.Duration, error)
}

// Question is what an adapter is to ask.
type Question struct {
	Namespace       ledger.Namespace
	OperationID     ledger.OperationID
	By              registry.LookupBy
	Value           string // of the reference
	Arguments       []byte
	VendorKey       string
	ClientReference string
}

// Configuration is a namespace's tools and rules at one epoch.
type Configuration struct {
	Epoch int64
	Rules *policy.Set
	// Tool finds a version of a tool with its defaults filled in, version zero the newest; nil where there is none.
	Tool func(name string, version int64) *registry.Definition
}

// Configurations gives the newest known configuration of a namespace; with fresh it is read anew.
type Configurations interface {
	Configuration(ctx context.Context, ns ledger.Namespace, fresh bool) (*Configuration, error)
}
