package campaign

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/world"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// TestTwoRunsOfAnAccountNameEachOther, whatever campaign they are drawn in, and are begun together.
func TestTwoRunsOfAnAccountNameEachOther(t *testing.T) {
	for _, suite := range []Suite{Keeps, Breaks} {
		runs, pairs := Draw(42, 2000, suite), 0
		for i, r := range runs {
			if r.Beside == 0 {
				continue
			}
			other := runs[i^1]
			if other.Seed != r.Beside || other.Beside != r.Seed || other.account() != r.account() || other.Seed == r.Seed {
				t.Fatalf("%+v is beside %+v", r, other)
			}
			if party := r.party(); len(party) != 2 || party[0].Seed != min(r.Seed, other.Seed) || party[1].Seed != max(r.Seed, other.Seed) {
				t.Fatalf("the party of %+v: %+v", r, party)
			}
			pairs++
		}
		if pairs /= 2; pairs < 20 {
			t.Errorf("suite %s: %d pairs in 2000 runs", suite, pairs)
		}
		accounts := map[string]int{}
		for _, r := range runs {
			accounts[r.account()]++
		}
		if len(accounts) != 2000-pairs {
			t.Errorf("suite %s: %d accounts, and %d pairs", suite, len(accounts), pairs)
		}
	}
}

// TestPartiesHoldEachRunOnce, and with half of a pair its other half, which does not count.
func TestPartiesHoldEachRunOnce(t *testing.T) {
	runs := Draw(42, 400, Keeps)
	at := slices.IndexFunc(runs, func(r Run) bool { return r.Beside != 0 })
	for name, c := range map[string]struct {
		runs              []Run
		parties, begun    int
		counted, besideIt bool
	}{
		"both":        {runs: runs[at : at+2], parties: 1, begun: 2, counted: true, besideIt: true},
		"the first":   {runs: runs[at : at+1], parties: 1, begun: 2, counted: true},
		"the second":  {runs: runs[at+1 : at+2], parties: 1, begun: 2, besideIt: true},
		"one without": {runs: runs[:1], parties: 1, begun: 1},
		"all":         {runs: runs, parties: 400 - pairsIn(runs), begun: 400, counted: true, besideIt: true},
	} {
		all, counted := parties(c.runs)
		begun := 0
		for _, party := range all {
			begun += len(party)
		}
		if len(all) != c.parties || begun != c.begun || len(counted) != len(c.runs) || counted[runs[at].Seed] != c.counted || counted[runs[at+1].Seed] != c.besideIt {
			t.Errorf("%s: %d parties of %d runs, %d counted", name, len(all), begun, len(counted))
		}
	}
}

func pairsIn(runs []Run) int {
	n := 0
	for _, r := range runs {
		if r.Beside != 0 {
			n++
		}
	}
	return n / 2
}

// TestTwoRunsOfAnAccountExcludeEachOther: the operations of both are in one group on one entity, some proposals of theirs
// meet the other's, and what each of them wants is counted by itself.
func TestTwoRunsOfAnAccountExcludeEachOther(t *testing.T) {
	var mu sync.Mutex
	records := map[uint64]eval.Record{}
	collect := func(r eval.Record) []eval.Finding {
		mu.Lock()
		defer mu.Unlock()
		records[r.Run] = r
		return append(judge(r), check.All(r)...)
	}
	runs := slices.DeleteFunc(Draw(7, 600, Keeps), func(r Run) bool { return r.Beside == 0 })
	c, env := A(len(runs), collect), eval.Env{Engine: world.SQLite, Dir: t.TempDir()}
	g := newGathering(c, env)
	if err := c.spread(t.Context(), env, runs, g); err != nil {
		t.Fatal(err)
	}
	for _, f := range g.findings {
		t.Errorf("%s: %s\n%s", f.Checker, f.Message, strings.Join(f.History, "\n"))
	}
	shared, blocked := 0, 0
	for _, r := range runs {
		mine, other := records[r.Seed], records[r.Beside]
		if mine.Key == other.Key || mine.Key == "" || mine.Wanted > len(mine.Effects) && len(mine.Operations) == 0 {
			t.Errorf("run %d: key %q, %d wanted, %d effects, %d operations", r.Seed, mine.Key, mine.Wanted, len(mine.Effects), len(mine.Operations))
		}
		for _, o := range mine.Operations {
			if o.Entity.GetType() != "account" || o.Entity.GetId() != r.account() {
				t.Errorf("run %d: an operation on %s", r.Seed, o.Entity)
			}
			if len(other.Operations) > 0 && slices.ContainsFunc(o.Attempts, func(a *pb.Attempt) bool { return len(a.FencingNumbers) > 0 }) {
				shared++
			}
		}
		for _, c := range mine.Calls {
			if m, proposed := c.Answer.(*pb.ProposeOperationResponse); proposed && slices.ContainsFunc(other.Operations, func(o *pb.Operation) bool { return o.OperationId == m.GetHolder().GetOperationId() }) {
				blocked++
			}
		}
	}
	if len(runs) < 10 || shared < 8 || blocked == 0 {
		t.Errorf("of %d runs with another beside them %d operations had fencing numbers, and %d proposals met the other's", len(runs), shared, blocked)
	}
}

// amiss changes what a ledger answers of operations.
type amiss struct {
	grpc.ClientConnInterface
	change func(*pb.Operation)
}

func (c amiss) Invoke(ctx context.Context, method string, request, answer any, options ...grpc.CallOption) error {
	err := c.ClientConnInterface.Invoke(ctx, method, request, answer, options...)
	if m, got := answer.(*pb.GetOperationResponse); got && err == nil {
		c.change(m.Operation)
	}
	return err
}

// TestRunsThatShareAWorldAreJudgedAgainstEachOther: what only two records show that are held side by side is found, also
// where one of the two is there for the other's sake alone.
func TestRunsThatShareAWorldAreJudgedAgainstEachOther(t *testing.T) {
	plain := func(r Run) bool { return r.Beside != 0 && r.Agent == RetryLoop && One(r.Beside).Agent != Repeats }
	runs := Draw(7, 2000, Keeps)
	r := runs[slices.IndexFunc(runs, plain)]
	for says, change := range map[string]func(*pb.Operation){
		"": func(*pb.Operation) {},
		"the fencing number 1 of group/money on account/" + r.account() + " was given to": func(o *pb.Operation) {
			if len(o.Attempts) > 0 {
				o.Attempts[0].FencingNumbers[0].Number = 1
			}
		},
		"two permits of group/money on account/" + r.account() + " are out at once": func(o *pb.Operation) {
			for _, a := range o.Attempts[min(1, len(o.Attempts)):] {
				a.FencingNumbers = nil // what an operation does to itself is found without the other
			}
			if len(o.Attempts) > 0 {
				o.Attempts[0].EndTime = timestamppb.New(o.Attempts[0].GrantTime.AsTime().Add(time.Hour))
			}
		},
		"both hold the key": func(o *pb.Operation) { o.Keys = []*pb.KeyClaim{{IdempotencyKey: "of all", Number: 1}} },
	} {
		c := A(1, nil)
		c.between = func(conn grpc.ClientConnInterface) grpc.ClientConnInterface { return amiss{conn, change} }
		result, err := c.Run(t.Context(), eval.Env{Engine: world.SQLite, Dir: t.TempDir(), Only: r.Seed})
		if err != nil {
			t.Fatal(err)
		}
		if says == "" && len(result.Findings) > 0 {
			t.Errorf("of a ledger that is whole: %+v", result.Findings)
		}
		if says != "" && (len(result.Findings) == 0 || !strings.Contains(result.Findings[0].Message, says) || result.Findings[0].Checker != "history") {
			t.Errorf("want %q, found %+v", says, result.Findings)
		}
		if f := result.Figures[2]; f.Runs != 1 || f.Wanted != 1 {
			t.Errorf("one run is counted: %+v", f)
		}
	}
}
