package dispatch

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// clock lets a test see each pause and end it.
type clock struct {
	pauses chan time.Duration
	end    chan time.Time
}

func newClock() *clock {
	return &clock{pauses: make(chan time.Duration, 100), end: make(chan time.Time)}
}

func (c *clock) after(d time.Duration) <-chan time.Time {
	c.pauses <- d
	return c.end
}

// run starts the dispatcher and answers how to stop it and wait for its end.
func run(d *Dispatcher) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { d.Run(ctx); close(ended) }()
	return func() { cancel(); <-ended }
}

func TestPausesGrowWhileNothingIsDueAndAPokeEndsThem(t *testing.T) {
	w, c := onSQLite(t), newClock()
	d, told := w.dispatcher(t, "one", func(config *Config) {
		config.After, config.FirstPoll, config.LongestPoll = c.after, 100*time.Millisecond, time.Second
	})
	stop := run(d)
	// Each pause has two parts: the first one that no poke shortens, and the rest.
	expect := func(want time.Duration) {
		t.Helper()
		if got := <-c.pauses; got != want {
			t.Fatalf("a pause of %v, want %v", got, want)
		}
	}
	end := func() { c.end <- time.Time{} }
	expect(100 * time.Millisecond)
	end()
	for _, rest := range []time.Duration{100, 300, 700, 900, 900} {
		expect(100 * time.Millisecond)
		end()
		expect(rest * time.Millisecond)
		end()
	}
	expect(100 * time.Millisecond)
	end()
	expect(900 * time.Millisecond)
	w.propose(t, "a")
	w.advance(permitLasts + time.Second)
	d.Poke()
	d.Poke() // the second one finds the first still waiting, or is the next pause's
	<-told.told
	if told.of(Done) != 1 {
		t.Errorf("outcomes %v", told.outcomes)
	}
	expect(100 * time.Millisecond) // something was found: the pauses begin anew
	stop()
}

func TestAFullBatchIsFollowedAtOnce(t *testing.T) {
	w, c := onSQLite(t), newClock()
	w.proposeMany(t, 10)
	w.advance(permitLasts + time.Second)
	d, told := w.dispatcher(t, "one", func(config *Config) { config.After, config.Batch = c.after, 5 })
	stop := run(d)
	for range 10 {
		<-told.told
	}
	<-c.pauses // the first pause comes after the third look, which found nothing
	stop()
	if told.of(Done) != 10 {
		t.Errorf("outcomes %v", told.outcomes)
	}
}

// away is a database that cannot be asked for due work.
type away struct{ ledger.Engine }

func (away) ClaimDue(context.Context, string, int, time.Duration) ([]ledger.Due, error) {
	return nil, errors.New("away")
}

func TestAPokeDoesNotHurryADatabaseThatIsAway(t *testing.T) {
	w, c := onSQLite(t), newClock()
	gone := &world{offset: w.offset}
	gone.serve(t, away{w.engine})
	d, told := gone.dispatcher(t, "one", func(config *Config) {
		config.After, config.FirstPoll, config.LongestPoll = c.after, 100*time.Millisecond, time.Second
	})
	stop := run(d)
	for _, pauses := range [][]time.Duration{{100}, {100, 100}, {100, 300}} {
		d.Poke()
		for _, want := range pauses {
			if got := <-c.pauses; got != want*time.Millisecond {
				t.Fatalf("a pause of %v, want %v", got, want*time.Millisecond)
			}
			c.end <- time.Time{}
		}
	}
	<-c.pauses
	stop()
	told.mu.Lock()
	defer told.mu.Unlock()
	if told.failures != 4 {
		t.Errorf("%d failures were told of", told.failures)
	}
}

func TestStoppingWaitsForTheBatchUnderWay(t *testing.T) {
	w, c := onSQLite(t), newClock()
	id := w.propose(t, "a").Operation.ID
	w.advance(permitLasts + time.Second)
	slow := &gate{Engine: w.engine, entered: make(chan struct{}), open: make(chan struct{})}
	other := &world{offset: w.offset}
	other.serve(t, slow)
	d, told := other.dispatcher(t, "one", func(config *Config) { config.After = c.after })
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { d.Run(ctx); close(ended) }()
	<-slow.entered
	<-c.pauses
	cancel()
	select {
	case <-ended:
		t.Fatal("the loop ended while a batch was under way")
	case slow.open <- struct{}{}:
	}
	<-ended
	if told.of(Done) != 1 || w.get(t, id).State != ledger.FailedRetryable {
		t.Errorf("outcomes %v, state %s", told.outcomes, w.get(t, id).State)
	}
}

// gate holds a transaction up until it is opened.
type gate struct {
	ledger.Engine
	entered, open chan struct{}
}

func (g *gate) Transact(ctx context.Context, fn func(context.Context, ledger.Tx) error) error {
	close(g.entered)
	<-g.open
	return g.Engine.Transact(ctx, fn)
}
