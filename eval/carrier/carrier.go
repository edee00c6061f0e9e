package carrier

import (
	"context"
	"net"
	"strconv"
	"sync"

	"github.com/opledger/opledger/adapter"
	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// Outside is the world outside: who is reached, and what befalls whom. Servers that act at once ask it at once.
type Outside interface {
	// Provider is whom the requests of a tool reach.
	Provider(tool *registry.Definition) *provider.Provider
	// Next says for which business key the next attempt of an operation counts, and what befalls it.
	Next(tool *registry.Definition, id ledger.OperationID) (businessKey string, fault eval.Fault)
	// Sent is told of each request that has left, right before its sender says what came of it, or dies.
	Sent(Sent)
}

// Sent is one request of a server's that has left.
type Sent struct {
	OperationID ledger.OperationID
	BusinessKey string
	Fault       eval.Fault
	Answer      provider.Answer
}

// Befalls reports whether a fault is one that an attempt of a server's can meet: a provider's, or one of the process that
// makes the request.
func Befalls(f eval.Fault) bool {
	switch f {
	case eval.CrashBeforeSend, eval.CrashAfterSend, eval.FreezeBeforeSend, eval.FreezeAfterLook:
		return true
	}
	return provider.Behaves(f)
}

// Carrier carries out the tools of a world's servers.
type Carrier struct {
	outside  Outside
	world    *world.World
	caller   *adapter.Caller
	listener net.Listener

	mu    sync.Mutex
	last  int
	trips map[string]*trip // under way, by their names
}

var _ dispatch.Adapter = (*Carrier)(nil)

// New makes a carrier. It is a world's adapter, and has to be told of that world (Enter) before a server acts.
func New() (*Carrier, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &Carrier{listener: listener, trips: map[string]*trip{}}
	go c.listen()
	return c, nil
}

// Enter says whose servers act, and in what world outside.
func (c *Carrier) Enter(w *world.World, o Outside) {
	c.world, c.outside = w, o
	c.caller = adapter.New(adapter.Config{AllowPrivate: true, AllowHTTP: true, Clock: w.Now})
}

// Close takes no more requests.
func (c *Carrier) Close() error { return c.listener.Close() }

// Act implements dispatch.Adapter.
func (c *Carrier) Act(ctx context.Context, tool *registry.Definition, effect dispatch.Effect) ledger.Report {
	t, here := c.depart(tool)
	defer c.arrive(t)
	t.key, t.fault = c.outside.Next(tool, effect.OperationID)
	ctx, t.giveUp = context.WithCancel(ctx)
	defer t.giveUp()
	t.effect = effect
	effect.Ready = t.ready
	r := c.caller.Act(ctx, here, effect)
	if a, sent := t.sent(); sent {
		c.outside.Sent(Sent{effect.OperationID, t.key, t.fault, a})
		if t.fault == eval.CrashAfterSend {
			world.Die()
		}
	}
	return r
}

// Ask implements dispatch.Adapter.
func (c *Carrier) Ask(ctx context.Context, tool *registry.Definition, q dispatch.Question) ledger.Statement {
	t, here := c.depart(tool)
	defer c.arrive(t)
	t.question = &q
	return c.caller.Ask(ctx, here, q)
}

// depart begins an exchange, and answers the tool as it leads here.
func (c *Carrier) depart(tool *registry.Definition) (*trip, *registry.Definition) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	t := &trip{Carrier: c, name: strconv.Itoa(c.last), tool: tool, provider: c.outside.Provider(tool)}
	c.trips[t.name] = t
	return t, t.lead("http://" + c.listener.Addr().String() + "/" + t.name)
}

func (c *Carrier) arrive(t *trip) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.trips, t.name)
}

// trip finds an exchange that is under way.
func (c *Carrier) trip(name string) *trip {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.trips[name]
}
