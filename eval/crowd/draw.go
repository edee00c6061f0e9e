package crowd

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// intent is one business intent that the whole crowd pursues.
type intent struct {
	tool, key string   // key: as the provider counts by it
	spellings []string // arguments that all mean it

	mu        sync.Mutex
	faults    []eval.Fault // that its requests are still to meet
	met       []eval.Fault
	permits   []*pb.Permit    // that agents were given, where a begin guards them against copies
	known     string          // the operation, by an answer
	heard     map[string]bool // effects of which a statement has reached the ledger
	overslept bool            // a sender stood between its look at the clock and its request for longer than the tools allow
}

// faults are what a request may meet. Each keeps what the tools state of their provider.
var faults = []eval.Fault{
	eval.TimeoutBeforeCommit, eval.TimeoutAfterCommit, eval.LateCommit, eval.ResetBeforeCommit, eval.ResetAfterCommit, eval.RateLimited,
	eval.RateLimitedBare, eval.ErrorCommitted, eval.ErrorClean, eval.EventualConsistency, eval.Malformed, eval.Truncated, eval.LongPropagation,
	eval.Refused,
}

// draw draws so many intents. The mark tells them from those of any other evaluation of the same server; nothing that is
// drawn hangs on it.
func draw(seed uint64, count int, mark string) []*intent {
	luck := rand.New(rand.NewPCG(seed, 0))
	var all []*intent
	for n := 0; len(all) < count; n++ {
		order := fmt.Sprintf("%s-%d", mark, n)
		for _, i := range []*intent{
			{tool: mail, key: mail + ":" + order + ":receipt", spellings: spelled(order, "receipt")},
			{tool: charge, key: charge + ":" + order, spellings: spelled(order, "")},
			{tool: revoke, key: revoke + ":" + order, spellings: spelled(order, "")},
			{tool: mail, key: mail + ":" + order + ":reminder", spellings: spelled(order, "reminder")},
			{tool: book, key: book + ":" + order, spellings: spelled(order, "")},
		} {
			i.heard = map[string]bool{}
			for range luck.IntN(4) { // up to three requests go wrong
				i.faults = append(i.faults, faults[luck.IntN(len(faults))])
			}
			if len(all) < count {
				all = append(all, i)
			}
		}
	}
	return all
}

// spelled are ways to say the same: identity trims, ignores notes and the order of fields.
func spelled(order, text string) []string {
	if text == "" {
		return []string{
			fmt.Sprintf(`{"order":%q}`, order),
			fmt.Sprintf(`{"note":"as agreed","order":%q}`, order),
			fmt.Sprintf(`{"order":%q,"note":"the customer has asked for it"}`, " "+order+" "),
		}
	}
	return []string{
		fmt.Sprintf(`{"order":%q,"text":%q}`, order, text),
		fmt.Sprintf(`{"text":%q,"order":%q,"note":"as agreed"}`, text, order+" "),
		fmt.Sprintf(`{"note":"the customer has asked for it","text":%q,"order":%q}`, " "+text, order),
	}
}

// next is the fault that the next request meets.
func (i *intent) next() eval.Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	f := eval.NoFault
	if len(i.faults) > 0 {
		f, i.faults = i.faults[0], i.faults[1:]
	}
	i.met = append(i.met, f)
	return f
}

// learn notes what an answer tells: the operation, and a permit that another process may try to use.
func (i *intent) learn(m *pb.ProposeOperationResponse) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if id := m.GetResult().GetOperationId(); id != "" {
		i.known = id
	}
	if m.Permit != nil && m.Permit.BeginRequired {
		i.permits = append(i.permits, m.Permit)
	}
}

// copied is one of the newest permits; nil where there is none.
func (i *intent) copied(luck *rand.Rand) *pb.Permit {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.permits) == 0 {
		return nil
	}
	return i.permits[max(0, len(i.permits)-1-luck.IntN(2))]
}

// operation is the operation, as far as an answer has told it.
func (i *intent) operation() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.known
}

// tell notes that a statement of an effect has reached the ledger.
func (i *intent) tell(effect string) {
	if effect == "" {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.heard[effect] = true
}

// oversleep notes that a promise of the tools was broken by the machine.
func (i *intent) oversleep() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.overslept = true
}
