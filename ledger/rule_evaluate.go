package ledger

import (
	"maps"
	"slices"
	"time"

	"github.com/opledger/opledger/policy"
)

// Evaluate asks what a proposal would be answered, in the world as it is or as an example says that it were. It is for
// transact.Peek: what it decides is never saved.
type Evaluate struct {
	*Propose // which is planned only
	World    ExampleWorld
}

// ExampleWorld replaces what rules read, so that rules can be tried. What is left out is as it is.
type ExampleWorld struct {
	Now              time.Time
	EntityState      *string
	EntityAttributes []byte           // a canonical JSON object
	Counters         map[string]int64 // by rule id, or "tool/name" of a tool's own limit
}

// Claims are the proposal's: of these it is read who holds them.
func (e *Evaluate) Claims() []Claim { return e.Propose.Claims() }

// Reads are the proposal's.
func (e *Evaluate) Reads(v *View) []Read { return e.Propose.Reads(v) }

// Decide answers the proposal in the example's world.
func (e *Evaluate) Decide(v *View, env Env) Decided {
	imagined, refusal := e.imagine(v)
	if refusal != nil {
		return Decided{Err: refusal}
	}
	return e.Propose.Decide(imagined, env)
}

// imagine is the view of the example's world. The rows of the true one stay as they are.
func (e *Evaluate) imagine(v *View) (*View, *Refusal) {
	own := *v
	own.records = maps.Clone(v.records)
	if !e.World.Now.IsZero() {
		own.Now = e.World.Now
	}
	if refusal := e.imagineEntity(&own); refusal != nil {
		return nil, refusal
	}
	return &own, e.imagineCounters(&own)
}

func (e *Evaluate) imagineEntity(v *View) *Refusal {
	if e.World.EntityState == nil && e.World.EntityAttributes == nil {
		return nil
	}
	entity := e.Forms[0].Entity
	if entity.IsZero() {
		return refuse(CodeInvalidArgument, ReasonInvalidRequest, "the tool %s is about no entity whose state could be made up; leave the entity's state out", e.Tool)
	}
	have, _ := recordOf[Entity](v, EntityKey(e.Namespace, entity))
	next := *have
	next.Version = max(next.Version, 1) // a row of version zero is one that was never set
	if e.World.EntityState != nil {
		next.State = *e.World.EntityState
	}
	if e.World.EntityAttributes != nil {
		next.Attributes = e.World.EntityAttributes
	}
	v.records[next.Key().Read()] = &next
	return nil
}

func (e *Evaluate) imagineCounters(v *View) *Refusal {
	if len(e.World.Counters) == 0 {
		return nil
	}
	c, err := e.Rules.For(e.operation().facts(e.asking()))
	if err != nil {
		return refuse(CodeInvalidArgument, ReasonInvalidRequest, "the rules cannot be asked: %s", err)
	}
	for _, rule := range slices.Sorted(maps.Keys(e.World.Counters)) {
		ids := c.Counters(rule)
		if len(ids) == 0 {
			return refuse(CodeInvalidArgument, ReasonInvalidRequest, "no rule %s that counts applies to this proposal; name a rule's id, or \"tool/name\" of a limit of the tool's own", rule)
		}
		for _, id := range ids {
			have, _ := recordOf[History](v, HistoryKey(e.Namespace, id))
			next := *have
			next.Version = max(next.Version, 1)
			next.History = policy.History{Past: []policy.Past{{At: v.Now, Sum: e.World.Counters[rule]}}}
			v.records[next.Key().Read()] = &next
		}
	}
	return nil
}
