package outbox_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/outbox"
)

// store is work in memory: items that are ready until they are claimed.
type store struct {
	mu     sync.Mutex
	ready  []int
	limits []int // of each look
	err    error
}

func (s *store) claim(ctx context.Context, limit int) ([]int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limits = append(s.limits, limit)
	if s.err != nil || ctx.Err() != nil {
		return nil, errors.Join(s.err, ctx.Err())
	}
	n := min(limit, len(s.ready))
	claimed := s.ready[:n]
	s.ready = s.ready[n:]
	return claimed, nil
}

func items(n int) *store {
	s := &store{}
	for i := range n {
		s.ready = append(s.ready, i)
	}
	return s
}

// start runs a loop and answers how to end it and wait for its end.
func start(l *outbox.Loop) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { l.Run(ctx); close(ended) }()
	return func() { cancel(); <-ended }
}

// pauses shows each pause of a loop, and never ends one.
func pauses() (after func(time.Duration) <-chan time.Time, shown chan time.Duration) {
	shown = make(chan time.Duration, 100)
	return func(d time.Duration) <-chan time.Time { shown <- d; return nil }, shown
}

func TestItemsRunSideBySideUpToTheBound(t *testing.T) {
	const bound, all = 3, 10
	s := items(all)
	entered, leave := make(chan int, all), make(chan struct{})
	var most, now atomic.Int64
	l := outbox.New(outbox.Source[int]{Name: "numbers", Claim: s.claim, Handle: func(_ context.Context, item int) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		entered <- item
		<-leave
		now.Add(-1)
	}}, outbox.Config{Concurrency: bound, Batch: 8, FirstPoll: time.Microsecond, LongestPoll: time.Microsecond})
	stop := start(l)
	seen := map[int]bool{}
	for range bound {
		seen[<-entered] = true
	}
	for range all - bound {
		leave <- struct{}{}
		seen[<-entered] = true
	}
	close(leave)
	stop()
	if len(seen) != all || most.Load() != bound {
		t.Errorf("%d items were handled, %d at once", len(seen), most.Load())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, limit := range s.limits {
		if limit < 1 || limit > bound {
			t.Errorf("look %d asked for %d items, with room for at most %d", i, limit, bound)
		}
	}
}

func TestAFullLookIsFollowedAtOnce(t *testing.T) {
	s := items(10)
	after, shown := pauses()
	handled := make(chan int, 10)
	l := outbox.New(outbox.Source[int]{Claim: s.claim, HandleAll: func(_ context.Context, items []int) { handled <- len(items) }},
		outbox.Config{Batch: 5, After: after})
	stop := start(l)
	if a, b := <-handled, <-handled; a != 5 || b != 5 {
		t.Errorf("claims of %d and %d", a, b)
	}
	<-shown // the first pause comes after the third look, which found nothing
	stop()
	if len(s.limits) != 3 {
		t.Errorf("%d looks before the first pause", len(s.limits))
	}
}

func TestADrainEndsWhatIsUnderWay(t *testing.T) {
	s := items(1)
	after, shown := pauses()
	entered, leave := make(chan struct{}), make(chan struct{})
	var cut error
	l := outbox.New(outbox.Source[int]{Claim: s.claim, Handle: func(ctx context.Context, _ int) {
		close(entered)
		<-leave
		cut = ctx.Err()
	}}, outbox.Config{After: after})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { l.Run(ctx); close(ended) }()
	<-entered
	<-shown
	cancel()
	select {
	case <-ended:
		t.Fatal("the loop ended while an item was under way")
	case leave <- struct{}{}:
	}
	<-ended
	if cut != nil {
		t.Errorf("the item was cut off: %v", cut)
	}
}

func TestAClaimUnderWayIsNotCutOff(t *testing.T) {
	asked, answer := make(chan struct{}), make(chan struct{})
	handled := 0
	l := outbox.New(outbox.Source[int]{
		Claim: func(ctx context.Context, _ int) ([]int, error) {
			close(asked)
			<-answer
			return []int{1}, ctx.Err()
		},
		Handle: func(context.Context, int) { handled++ },
	}, outbox.Config{})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { l.Run(ctx); close(ended) }()
	<-asked
	cancel()
	close(answer)
	<-ended
	if handled != 1 {
		t.Error("what was claimed while the loop ended was not handled")
	}
}

// failures counts looks that failed.
type failures struct{ atomic.Int64 }

func (f *failures) DueClaimFailed() { f.Add(1) }

func TestAPokeHurriesNoLookAfterOneThatFailed(t *testing.T) {
	s := &store{err: errors.New("away")}
	shown, end := make(chan time.Duration, 10), make(chan time.Time)
	var told failures
	l := outbox.New(outbox.Source[int]{Claim: s.claim, Handle: func(context.Context, int) {}}, outbox.Config{
		Observer: &told, FirstPoll: time.Second, LongestPoll: time.Minute, Jitter: func() float64 { return 0 },
		After: func(d time.Duration) <-chan time.Time { shown <- d; return end },
	})
	stop := start(l)
	for _, want := range []time.Duration{1, 1, 1, 1, 3} { // the second look's pause is a second and a second, the third's one and three
		l.Poke()
		if got := <-shown; got != want*time.Second {
			t.Fatalf("a pause of %v, want %v", got, want*time.Second)
		}
		end <- time.Time{}
	}
	<-shown
	stop()
	if told.Load() != 4 {
		t.Errorf("%d failures were told of", told.Load())
	}
}

func TestOneItemsPanicIsNobodyElses(t *testing.T) {
	s := items(3)
	handled := make(chan int, 3)
	l := outbox.New(outbox.Source[int]{Claim: s.claim, Handle: func(_ context.Context, item int) {
		handled <- item
		if item == 1 {
			panic("a defect")
		}
	}}, outbox.Config{Concurrency: 1})
	stop := start(l)
	for range 3 {
		<-handled
	}
	stop()
}

func TestAGroupRunsAndPokesAll(t *testing.T) {
	var group outbox.Group
	handled := make(chan string, 2)
	stores := map[string]*store{"a": {}, "b": {}}
	after, shown := pauses()
	for name, s := range stores {
		pause := func(d time.Duration) <-chan time.Time {
			if d == time.Second {
				return time.After(0) // no poke shortens the first part of a pause
			}
			return after(d)
		}
		group = append(group, outbox.New(outbox.Source[int]{Claim: s.claim, Handle: func(context.Context, int) { handled <- name }},
			outbox.Config{After: pause, FirstPoll: time.Second, LongestPoll: time.Hour, Jitter: func() float64 { return 0 }}))
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { group.Run(ctx); close(ended) }()
	_, _ = <-shown, <-shown
	for _, s := range stores {
		s.mu.Lock()
		s.ready = []int{1}
		s.mu.Unlock()
	}
	group.Poke()
	if a, b := <-handled, <-handled; a == b {
		t.Errorf("%s was handled twice", a)
	}
	cancel()
	<-ended
}
