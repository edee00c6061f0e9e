package campaign

import (
	"cmp"
	"container/heap"
	"iter"
	"time"
)

// tick is the grain of virtual time: everything that an actor does happens on a tick after its run's start, so that it makes
// no difference to a run which others are played in the same world.
const tick = 5 * time.Second

// actor is a coroutine that lives in virtual time: an agent's process, a worker's handler.
type actor struct {
	play *play
	name string
	next func() (time.Duration, bool)
	stop func()
	rest func(time.Duration) bool
	// gone: its process is no more, and what it would still do it does not.
	gone bool
}

// crash is thrown by an actor whose process ends where it stands.
type crash struct{}

// act starts an actor now.
func (p *play) act(name string, do func(*actor)) *actor {
	a := &actor{play: p, name: name}
	a.next, a.stop = iter.Pull(func(yield func(time.Duration) bool) {
		a.rest = yield
		defer func() {
			a.gone = true
			if r := recover(); r != nil {
				if _, crashed := r.(crash); !crashed {
					panic(r)
				}
			}
		}()
		do(a)
	})
	p.alive++
	p.actors = append(p.actors, a)
	p.stage.queue.add(p, p.stage.now, a)
	return a
}

// sleep lets time pass for this actor, rounded up to whole ticks.
func (a *actor) sleep(d time.Duration) {
	if !a.rest(max(0, (d+tick-1)/tick*tick)) {
		panic(crash{}) // the run is over
	}
}

// crash ends the actor's process.
func (a *actor) crash(where string) {
	a.play.step(a.name, "its process ends %s", where)
	panic(crash{})
}

// event wakes an actor.
type event struct {
	at    time.Time
	run   int // the order of runs
	order int // the order within a run
	actor *actor
}

// queue holds what is to happen, in a fixed order.
type queue struct {
	events []event
	orders int
}

func (q *queue) add(p *play, at time.Time, a *actor) {
	q.orders++
	heap.Push(q, event{at: at, run: p.number, order: q.orders, actor: a})
}

// due takes the next event that is due; false: none is.
func (q *queue) due(now time.Time) (*actor, bool) {
	if len(q.events) == 0 || q.events[0].at.After(now) {
		return nil, false
	}
	return heap.Pop(q).(event).actor, true
}

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (q *queue) Len() int { return len(q.events) }

// Less orders by time, then by run, then by the order in which they were added.
func (q *queue) Less(i, j int) bool {
	a, b := q.events[i], q.events[j]
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.run, b.run), cmp.Compare(a.order, b.order)) < 0
}

// Swap changes places.
func (q *queue) Swap(i, j int) { q.events[i], q.events[j] = q.events[j], q.events[i] }

// Push adds an event at the end.
func (q *queue) Push(x any) { q.events = append(q.events, x.(event)) }

// Pop takes the last one.
func (q *queue) Pop() any {
	last := q.events[len(q.events)-1]
	q.events = q.events[:len(q.events)-1]
	return last
}
