package demo

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/demo/provider"
)

// The stories that can be played.
const (
	StoryPayments = "payments" // an answer is lost, and the call is made again
	StoryControl  = "control"  // two runs contradict each other, and a large refund waits for two persons
	StoryPlan     = "plan"     // a plan's run dies, its last step fails for good, and it is undone
	StoryAll      = "all"      // one after the other
)

// Stories lists what can be asked for.
func Stories() []string { return []string{StoryPayments, StoryControl, StoryPlan, StoryAll} }

// Options say how a play is given.
type Options struct {
	Executable string    // Opledger's own binary, from which the server and the agents are started
	Story      string    // one of Stories
	Account    string    // at the payment provider: provider.KeyedAccount or provider.PlainAccount; the other stories need none
	Out        io.Writer // where it is shown; io.Discard shows it to nobody
	Colour     bool
	Pauses     bool // give readers time
}

func (o Options) check() error {
	if !slices.Contains(Stories(), o.Story) {
		return fmt.Errorf("there is no story %q; there are %s", o.Story, strings.Join(Stories(), ", "))
	}
	if _, ok := accounts[o.Account]; !ok {
		return fmt.Errorf("the demonstration's provider has no account %q", o.Account)
	}
	return nil
}

// Play gives the play and says what it came to. An error is a play that could not be given; a play whose promise was not
// kept is a Result that says so.
func Play(ctx context.Context, o Options) (*Result, error) {
	began := time.Now()
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &screen{out: o.Out, colour: o.Colour, pauses: o.Pauses}
	r := &Result{}
	var err error
	plays := func(story string) bool { return o.Story == story || o.Story == StoryAll }
	if plays(StoryPayments) {
		if r.Payments, err = playPayments(ctx, o, s); err != nil {
			return nil, err
		}
	}
	if plays(StoryControl) {
		if r.Control, err = playControl(ctx, o, s); err != nil {
			return nil, err
		}
	}
	if plays(StoryPlan) {
		if r.Plan, err = playPlan(ctx, o, s); err != nil {
			return nil, err
		}
	}
	r.judge()
	r.Seconds = time.Since(began).Seconds()
	s.epilogue(r, o)
	return r, nil
}

// newProvider starts a provider with empty books.
func newProvider() (*provider.Provider, error) {
	return provider.Start(provider.Options{Propagation: logLag})
}
