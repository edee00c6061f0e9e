package campaign

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/registry"
)

// Suite says whether what the profiles promise is kept.
type Suite string

// The suites.
const (
	Keeps  Suite = "a" // every provider, clock and process does what the profiles say
	Breaks Suite = "b" // one promise of a profile is broken in each run
)

// The scripted agents that stand in for models.
const (
	RetryLoop   = "retry_loop"   // calls again until it knows, each time as a new request
	Replay      = "replay"       // crashes, and a new process replays the log of its requests
	TwoChannels = "two_channels" // one intent through two channels, spelled differently
	Rephraser   = "rephraser"    // words its notes and writes its amounts anew each time
	TwoRuns     = "two_runs"     // two runs of one workflow, of which the later one takes over
	Liar        = "liar"         // claims success before anything was done
	Repeats     = "repeats"      // means it twice, and says so by an occurrence
)

// Run is what one run is made of. It is a function of its seed.
type Run struct {
	Seed  uint64
	Suite Suite
	Class registry.Class
	Tool  string
	Agent string
	// Provider are the faults that writes meet, in the order of the writes; later writes meet none.
	Provider []eval.Fault
	// Process is what befalls the run's first executor, or the wire to it. Empty: nothing.
	Process eval.Fault
	// Broken is the promise that is broken. Empty: none is.
	Broken eval.Fault
	// Beside is the seed of the run whose operations are on the same account, so that those of the two exclude each other.
	// Zero: the run's account is its own.
	Beside uint64
}

// A run's seed holds what it was drawn as: its place in the cycles below, its suite, and chance. It fits into the whole
// numbers that JSON's readers keep.
const (
	placeBits = 20
	suiteBit  = 1 << placeBits
	luckShift = placeBits + 1
	luckBits  = 32
)

// Draw draws the runs of a campaign. Run number i of two campaigns with other seeds has the same class and faults and
// another fate, so that every fault is drawn as often whatever the seed is.
func Draw(seed uint64, n int, suite Suite) []Run {
	runs := make([]Run, n)
	for i := range runs {
		place := i & (suiteBit - 1)
		luck := rand.New(rand.NewPCG(seed, uint64(i-place+luckPlace(place)))).Uint64() >> (64 - luckBits)
		s := luck<<luckShift | uint64(place)
		if suite == Breaks {
			s |= suiteBit
		}
		runs[i] = One(s)
	}
	return runs
}

// The cycles through which runs are drawn within a class. Their lengths have no common divisor, so that each pair of what
// they hold comes together. Rate limits stand in the first one more often: a second write follows them for certain, and
// meets the next fault.
var (
	firstFaults = append([]eval.Fault{eval.RateLimited, eval.RateLimited, eval.RateLimited, eval.RateLimitedBare, eval.RateLimitedBare}, otherFaults...)
	otherFaults = without(eval.ProviderFaults, eval.RateLimited, eval.RateLimitedBare)
	processes   = append([]eval.Fault{"", "", ""}, eval.ProcessFaults...)
	agents      = []string{
		RetryLoop, Replay, TwoChannels, Rephraser, TwoRuns, Liar, Repeats, RetryLoop, Replay, TwoChannels,
		RetryLoop, Replay, TwoChannels, Rephraser, TwoRuns, Liar, Repeats, RetryLoop, Repeats,
	}
)

// rateLimits is how many places rate limits have at the head of the first cycle.
const rateLimits = 5

// thirdShift keeps the third fault from being the second once more.
const thirdShift = 7

// shares is how many of so many runs each class gets, in the order of the class table. An operation that may not be sent
// again meets fewer of its faults than one that is read as often as one likes.
var shares = []int{3, 3, 4, 4, 6}

// classAt is the class of a place, and which of the class's places it is.
func classAt(place int) (registry.Class, int) {
	all := 0
	for _, share := range shares {
		all += share
	}
	round, in := place/all, place%all
	for i, share := range shares {
		if in < share {
			return registry.Classes[i], round*share + in
		}
		in -= share
	}
	panic("a place is in one of the shares")
}

// One is the run of a seed.
func One(seed uint64) Run {
	r := single(seed)
	if other := single(neighbour(seed)); tools()[r.Tool].account && tools()[other.Tool].account {
		r.Beside = other.Seed
	}
	return r
}

// single is the run of a seed as far as nothing of it hangs on a run beside it.
func single(seed uint64) Run {
	place := int(seed & (suiteBit - 1))
	class, at := classAt(place)
	r := Run{Seed: seed, Suite: Keeps, Class: class}
	turn, in := at/len(firstFaults), at%len(firstFaults)
	second := turn + at
	if in < rateLimits {
		second = turn*rateLimits + in
	}
	r.Provider = []eval.Fault{firstFaults[in], otherFaults[second%len(otherFaults)], otherFaults[(second+turn+thirdShift)%len(otherFaults)]}
	r.Process = processes[at%len(processes)]
	r.Agent = agents[at%len(agents)]
	if seed&suiteBit != 0 {
		r.Suite = Breaks
		r.Broken = eval.BrokenPromises[(at+turn)%len(eval.BrokenPromises)]
	}
	r.Tool = pick(r.luck("tool"), suited(r))
	return r
}

// Faults lists all faults of the run.
func (r Run) Faults() []eval.Fault {
	list := append([]eval.Fault(nil), r.Provider...)
	for _, f := range []eval.Fault{r.Process, r.Broken} {
		if f != "" {
			list = append(list, f)
		}
	}
	return list
}

// luck is the run's chance for one purpose. Purposes do not share a stream, so that a run with one fault less is otherwise
// the same run.
func (r Run) luck(purpose string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(r.Seed, h.Sum64()))
}

func pick[T any](luck *rand.Rand, from []T) T { return from[luck.IntN(len(from))] }

func without(all []eval.Fault, which ...eval.Fault) []eval.Fault {
	var left []eval.Fault
	for _, f := range all {
		keep := true
		for _, w := range which {
			keep = keep && f != w
		}
		if keep {
			left = append(left, f)
		}
	}
	return left
}
