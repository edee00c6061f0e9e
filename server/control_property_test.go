package server_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// The size of the random stories: how many on each engine, of how many steps. A story is told again by its seed.
const (
	stories    = 10
	storySteps = 150
)

// TestThreeWorkflowsOnTwoEntities: three workflows of several runs act on two entities through two servers, up to three at
// the same moment, and persons settle, break and lift between them. From what callers were told, no entity has two
// holders nor two operations under way, and nothing is granted, begun or extended under a lost lease or beside another
// workflow's; the provider never refuses a number of one who may act, and every operation has at most one effect there.
func TestThreeWorkflowsOnTwoEntities(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		for _, name := range []string{"refund.create", "goods.ship"} {
			a.ApplyDefinition(contested(t, name))
		}
		p, counts := newProvider(t), map[string]int{}
		for seed := range uint64(stories) {
			t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
				c := &contest{
					t: t, servers: []*servertest.Client{a, b}, provider: p, round: seed,
					outside: &outside{t: t, w: w, began: time.Now(), counts: counts}, entities: []string{fmt.Sprint("a", seed), fmt.Sprint("b", seed)},
				}
				c.play(rand.New(rand.NewPCG(seed, 7)))
			})
		}
		for _, what := range []string{"leases", "granted", "begun", "extended"} {
			if counts[what] < stories/2 {
				t.Errorf("the stories show too little: %v", counts)
			}
		}
		t.Log(counts)
	})
}

// contested are a refund, which may be sent again under its key, and a shipment, which may not, must be begun and needs
// the lease. They exclude each other on an order.
func contested(t *testing.T, name string) *pb.ToolDefinition {
	t.Helper()
	d := fieldTool(t, "refund.create")
	if name == "goods.ship" {
		d.Class = pb.ToolClass_TOOL_CLASS_EXTERNAL_NON_IDEMPOTENT_WRITE
		d.Identity.KeyTemplate, d.Identity.Intent = "ship:{order_id}:{amount}:{currency}:{occurrence}", "ship"
		d.Provider.IdempotencyKey = nil
		d.Provider.Lookups = d.Provider.Lookups[1:]
		d.Policy = &pb.ToolPolicy{Lease: pb.LeaseNeed_LEASE_NEED_HELD}
	}
	d.Name = name
	d.Exclusive = &pb.ExclusiveTerms{Choice: &pb.ExclusiveTerms_Group{Group: "money"}}
	return d
}

// contest is one story.
type contest struct {
	t        *testing.T
	servers  []*servertest.Client
	provider *provider
	outside  *outside
	entities []string
	round    uint64
	runs     [3]int // the newest run of each workflow
}

// somebody is a workflow and one of its runs: most often the newest, now and then one before it, or the next.
func (c *contest) somebody(random *rand.Rand) (workflow, run string) {
	n := random.IntN(len(c.runs))
	switch random.IntN(12) {
	case 0:
		c.runs[n]++
	case 1:
		return fmt.Sprintf("wf_%d_%d", c.round, n), fmt.Sprint("run_", random.IntN(c.runs[n]+1))
	}
	return fmt.Sprintf("wf_%d_%d", c.round, n), fmt.Sprint("run_", c.runs[n])
}

// play lets up to three actors do one thing each at the same moment, again and again, and looks what they were told.
func (c *contest) play(random *rand.Rand) {
	for range storySteps {
		var actors sync.WaitGroup
		for range 1 + random.IntN(3) {
			a := &actor{contest: c, rand: rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))}
			a.tenant = newTenant(c.servers[a.rand.IntN(2)], "", "")
			a.workflow, a.run = c.somebody(random)
			actors.Go(a.act)
		}
		actors.Wait()
		if c.t.Failed() {
			c.t.FailNow()
		}
		c.outside.check()
		if random.IntN(5) == 0 {
			c.outside.pass(time.Duration(1+random.IntN(25)) * time.Second)
		}
	}
	c.settleAll()
}

// settleAll lets everything come to its end: whatever is not known is looked up at the provider by a person. Then the
// ledger and the provider tell the same story, and no operation has two effects.
func (c *contest) settleAll() {
	c.t.Helper()
	c.outside.pass(time.Hour)
	client := c.servers[0]
	for _, listed := range client.Operations() {
		if listed.Entity.GetId() != c.entities[0] && listed.Entity.GetId() != c.entities[1] {
			continue
		}
		o := client.Settle(listed.OperationId, nil).Operation // whose deadlines are past by now
		effects := c.provider.of(o.OperationId)
		if o.State == pb.Operation_STATE_UNKNOWN_OUTCOME {
			if _, err := client.Reconcile(c.t.Context(), c.word(o)); err != nil {
				c.t.Fatalf("settle %s: %v", o.OperationId, err)
			}
			o = client.Operation(o.OperationId)
		}
		if len(effects) > 1 || (len(effects) == 1) != (o.State == pb.Operation_STATE_COMPLETED_SUCCESS) {
			c.t.Fatalf("operation %s is %v, and has the effects %q at the provider", o.OperationId, o.State, effects)
		}
	}
}

// word is a person's word on an operation, by what the provider has.
func (c *contest) word(o *pb.Operation) *pb.ReconcileRequest {
	e := &pb.Evidence{
		EvidenceId: uuid.NewString(), Verdict: pb.Verdict_VERDICT_DID_NOT_HAPPEN,
		Source: &pb.Evidence_Person{Person: &pb.PersonSource{Reason: "seen in the provider's console", SeenOperationVersion: o.Version}},
	}
	if effects := c.provider.of(o.OperationId); len(effects) > 0 {
		e.Verdict, e.Answer = pb.Verdict_VERDICT_HAPPENED, &pb.ProviderAnswer{EffectId: effects[0]}
	}
	return &pb.ReconcileRequest{OperationId: o.OperationId, RequestId: uuid.NewString(), Evidence: e}
}
