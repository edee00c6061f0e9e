package smallworld

import (
	"fmt"
	"strings"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// The measures of the small world, in ticks. They are as small as lets every order of events happen: a permit outlasts a
// flight, and the vendor's memory outlasts a permit with its flight but not two of them.
const (
	tick      = time.Minute
	permit    = 2
	flight    = 1
	lag       = 1 // until a commit shows in lookups
	finish    = 2 // of what the provider took on
	retention = 6
	attempts  = 2
	workers   = 2
	servers   = 2
	leaseTTL  = 2
)

// forEver is how long a waiting state lasts: beyond every horizon, so that within the search only its actors move it, and
// beyond it time alone must.
const forEver = 1000 * tick

// rules are the traits of one world.
type rules struct {
	class         registry.Class
	operations    int  // one or two, of one tool
	group         bool // they are about one entity, and exclude each other there
	begin         bool // the tool requires a begin
	replays       bool // a durable caller may ask twice with one request id
	babbles       bool // a layer round the sender reports beside it
	finishesLater bool // the provider may take on and finish later
	lookupsLie    bool // the profile is wrong: lookups miss what is there, so that only what does not rest on it can hold
	cancels       bool // somebody may wish it cancelled
	extends       bool // a holder may ask for one tick more
	queued        bool // workers carry it out and ask the provider, as the ledger hands it to them
	unasked       bool // the provider cannot be asked
	configures    bool // an operator may forbid the tool, while servers hold the rules as they read them before
	leases        bool // two workflows take leases on the entity, and propose under them

	horizon int // the last tick
	depth   int // steps from the beginning

	broken *broken // the one rule that is broken; nil: none
}

// broken is one rule switched off. A search that does not notice it would be worth nothing.
type broken struct {
	name string
	text string
	// command changes a command before the core decides it.
	command func(w *world, c ledger.Command) ledger.Command
	// see changes what a command sees of an operation.
	see func(w *world, c ledger.Command, o *ledger.Operation)
	// keep changes what is saved of an operation, which was as before.
	keep func(w *world, c ledger.Command, before, o *ledger.Operation)
	// accepts makes a refused begin count as accepted.
	accepts func(no *ledger.Refusal) bool
	// alone hides who else holds a scope; still hides the last fencing number that was given there.
	alone, still bool
	// freshKey sends a new vendor key with every attempt.
	freshKey bool
	// late is by how many ticks a process sends too late.
	late int
}

func (r rules) String() string {
	traits := []string{strings.ToLower(string(r.class)), fmt.Sprintf("%d operation", r.operations)}
	if r.operations > 1 {
		traits[1] += "s"
	}
	for _, trait := range []struct {
		name string
		on   bool
	}{
		{"exclusive", r.group}, {"begin", r.begin}, {"replays", r.replays}, {"a babbling layer", r.babbles},
		{"finishes later", r.finishesLater}, {"lookups lie", r.lookupsLie}, {"cancels", r.cancels}, {"extends", r.extends},
		{"queued", r.queued}, {"cannot be asked", r.unasked}, {"configured", r.configures}, {"leases", r.leases},
	} {
		if trait.on {
			traits = append(traits, trait.name)
		}
	}
	return strings.Join(traits, ", ")
}

func (r rules) keyed() bool { return r.class == registry.ExternalIdempotentWrite }

// stallsFreely: a process may pass its deadline unseen between its last look at the clock and its first byte.
func (r rules) stallsFreely() bool { return r.class == registry.Irreversible }

func (r rules) extension() int {
	if r.extends {
		return 1
	}
	return 0
}

// terms are those of the world's one tool.
func (r rules) terms() ledger.Terms {
	t := ledger.Terms{
		Class: r.class, Executor: registry.Inline, BeginRequired: r.begin,
		PermitDuration: permit * tick, PermitGreatest: time.Duration(permit+r.extension()) * tick, MaxAttempts: attempts,
		PendingMaxAge: forEver, RetryMaxAge: forEver, HumanAfter: forEver,
		Provider: "provider", VendorKeyed: r.keyed(), KeyLength: 64, Retention: retention * tick, MatchedEarly: true,
		Lookups: []registry.Lookup{{By: registry.ByClientReference}},
		Flight:  flight * tick, Propagation: lag * tick, TimeToFinish: finish * tick,
	}
	if r.unasked {
		t.Lookups = nil
	}
	if r.queued {
		t.Executor = registry.Worker
	}
	if r.group {
		t.Group = "money"
	}
	return t
}
