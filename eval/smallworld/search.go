package smallworld

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
)

// found is what a search of one world came to.
type found struct {
	states    int
	depth     int    // of the last state that was visited
	exhausted bool   // there is nothing beyond it
	wrong     string // the promise that is broken; empty: every one holds
	history   []string
}

// String is the search in words.
func (f *found) String() string {
	how := "bounded"
	if f.exhausted {
		how = "exhausted"
	}
	return fmt.Sprintf("%d states explored, depth %d, %s", f.states, f.depth, how)
}

// node remembers how a state came about.
type node struct {
	parent int32
	step   step
}

// open is a state whose next states are not known yet.
type open struct {
	world world
	node  int32
}

// next is a state that a step leads to.
type next struct {
	open
	key   key
	step  step
	wrong string
}

// search visits every state of one world, level by level, so that the first history found is a shortest one. Levels are
// expanded on all processors and put together in one order, so that it comes to the same each time.
type search struct {
	rules rules
	seen  map[key]struct{}
	ways  sync.Map // of ledgers from which there is a way
	nodes []node
}

func (s *search) run(ctx context.Context) (*found, error) {
	begin := world{}
	first, _ := begin.keys(s.rules)
	s.seen = map[key]struct{}{first: {}}
	s.nodes = []node{{parent: -1}}
	level := []open{{world: begin}}
	f := &found{}
	for len(level) > 0 {
		if f.depth == s.rules.depth {
			f.states = len(s.seen)
			return f, nil
		}
		reached := s.expand(ctx, level)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		level = level[:0:0]
		for _, n := range reached {
			if _, known := s.seen[n.key]; known {
				continue
			}
			s.seen[n.key] = struct{}{}
			s.nodes = append(s.nodes, node{n.node, n.step})
			n.node = int32(len(s.nodes) - 1)
			if n.wrong != "" {
				f.states, f.depth, f.wrong, f.history = len(s.seen), f.depth+1, n.wrong, s.history(n.node)
				return f, nil
			}
			level = append(level, n.open)
		}
		if len(level) > 0 {
			f.depth++
		}
	}
	f.states, f.exhausted = len(s.seen), true
	return f, nil
}

// chunk is how many states one processor expands at a time.
const chunk = 64

// expand finds the states that a level leads to, in the level's order; not all of them where the context ends first.
func (s *search) expand(ctx context.Context, level []open) []next {
	chunks := slices.Collect(slices.Chunk(level, chunk))
	results := make([][]next, len(chunks))
	work := make(chan int, len(chunks))
	for i := range chunks {
		work <- i
	}
	close(work)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range work {
				if ctx.Err() != nil {
					return
				}
				for _, o := range chunks[i] {
					results[i] = s.from(o, results[i])
				}
			}
		})
	}
	wait.Wait()
	return slices.Concat(results...)
}

// from adds the states that one state leads to and that no earlier level has reached.
func (s *search) from(o open, all []next) (reached []next) {
	reached = all
	last := step{}
	defer func() {
		if p := recover(); p != nil {
			wrong := fmt.Sprintf("defect: %v, after the steps up to %q", p, last)
			reached = append(all, next{open: o, key: keyOf([]byte(wrong)), step: last, wrong: wrong})
		}
	}()
	o.world.steps(s.rules, func(st step, w world) {
		last = st
		state, ledgerOnly := w.keys(s.rules)
		if _, known := s.seen[state]; known && w.wrong == "" {
			return
		}
		n := next{open: open{world: w, node: o.node}, key: state, step: st, wrong: w.promise(s.rules)}
		if n.wrong != "" {
			n.key = keyOf([]byte(n.wrong + st.String()))
		} else if _, sure := s.ways.Load(ledgerOnly); !sure {
			if n.wrong = w.way(s.rules); n.wrong == "" {
				s.ways.Store(ledgerOnly, true)
			}
		}
		reached = append(reached, n)
	})
	return reached
}

// history is how a state came about, in words.
func (s *search) history(at int32) []string {
	var words []string
	for ; at > 0; at = s.nodes[at].parent {
		words = append(words, s.nodes[at].step.String())
	}
	slices.Reverse(words)
	return words
}
