//go:build unix

package crashtest

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/childproc"
	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/internal/vendor"
)

const (
	// strikeEvery is how many operations end between two strikes, on average.
	strikeEvery = 15
	// serverEvery is how many strikes there are for each that hits a server.
	serverEvery = 12
	// stormStuck is after how long without any end a storm has failed. A person is asked long before.
	stormStuck = 4 * time.Minute
	// provesSomething is from how many operations on a storm must have shown each of its faces.
	provesSomething = 300
)

// stormOperations is how many operations a storm has.
func stormOperations(t *testing.T) int64 {
	text := os.Getenv("OPLEDGER_STORM_OPERATIONS")
	if text == "" {
		return 600
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		t.Fatalf("OPLEDGER_STORM_OPERATIONS is %q", text)
	}
	return n
}

// TestStorm: three servers on one PostgreSQL, and workers that are killed and frozen at random and at the worst moment.
// Whatever is done to them, no effect happens twice, none is lost, and each operation ends known or before a person.
func TestStorm(t *testing.T) {
	if testing.Short() {
		t.Skip("a storm takes about a minute")
	}
	s, operations, began := seed(t), stormOperations(t), time.Now()
	t.Logf("OPLEDGER_CRASH_SEED=%d OPLEDGER_STORM_OPERATIONS=%d", s, operations)
	random := rand.New(rand.NewPCG(s, 1))
	f, v := startFleet(t, pgtest.NewDatabase(t), 3), vendor.Start(t)
	conn, err := childproc.DialAll(f.addresses())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	apply(t, conn, stormTools)
	api := pb.NewOperationServiceClient(conn)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	workers := &crew{
		t: t, ctx: ctx, api: api, random: rand.New(rand.NewPCG(s, 2)), post: stormPost{Servers: f.addresses(), Provider: v.URL},
	}
	workers.begin()
	c := &callers{t: t, api: api, ended: make(chan struct{}, operations), accepted: map[string]string{}, open: map[string]bool{}}
	go c.run(ctx, operations)
	storm(t, c, workers, f, random, operations, cancel)
	workers.end()
	if len(c.stuck()) > 0 {
		tellStuck(t, api, c.stuck())
		return
	}
	acted := time.Since(began)
	o := settled(t, t.Context(), api, c.accepted, v)
	tell(t, o, workers.struck, f.kills, acted)
	if int64(o.operations) != operations {
		t.Errorf("%d operations were taken of %d", o.operations, operations)
	}
	w := workers.struck
	if operations >= provesSomething && (w.kills == 0 || w.deaths == 0 || w.freezes == 0 || w.wokenLate == 0 || f.kills == 0 || o.resends == 0 || o.late == 0) {
		t.Error("something of the storm never came about, so that this proves little; see the figures")
	}
}

// storm strikes now and then until every operation has come to its end. Strikes count operations and not time, so that
// they come as thick on any machine.
func storm(t *testing.T, c *callers, w *crew, f *fleet, random *rand.Rand, operations int64, cancel context.CancelFunc) {
	t.Helper()
	report := time.NewTicker(5 * time.Second)
	defer report.Stop()
	ended, reported, moved := int64(0), int64(0), time.Now()
	strikes := 0
	for next := int64(strikeEvery); ; {
		select {
		case _, more := <-c.ended:
			if !more {
				return
			}
			ended++
		case <-report.C:
			s, alive, frozen := w.figures()
			t.Logf("%d of %d ended, %d workers of which %d are frozen; so far %+v, %d servers killed", ended, operations, alive, frozen, s, f.kills)
			if ended > reported {
				reported, moved = ended, time.Now()
			} else if time.Since(moved) > stormStuck {
				t.Errorf("nothing has ended for %v", stormStuck)
				cancel()
			}
			if t.Failed() {
				cancel()
			}
		}
		if ended < next {
			continue
		}
		next += 1 + random.Int64N(2*strikeEvery)
		if strikes++; strikes%serverEvery == 0 {
			f.kill(random.IntN(len(f.servers)))
		} else {
			w.strike(random.IntN(5) < 2)
		}
	}
}

// tellStuck shows some operations that have not come to their end.
func tellStuck(t *testing.T, api pb.OperationServiceClient, ids []string) {
	t.Helper()
	t.Errorf("%d operations have not come to their end", len(ids))
	for _, id := range ids[:min(len(ids), 5)] {
		m, err := api.GetOperation(t.Context(), &pb.GetOperationRequest{OperationId: id})
		t.Logf("%s: %v, %v", id, m, err)
	}
}

// tell prints the figures of a storm.
func tell(t *testing.T, o *outcome, s struck, servers int, took time.Duration) {
	t.Helper()
	sum := func(m map[string]int) (n int) {
		for _, k := range m {
			n += k
		}
		return n
	}
	t.Logf("storm: operations=%d attempts=%d resends=%d lookups=%d late_reports=%d kills=%d deaths=%d freezes=%d failpoint_freezes=%d (woken after reconciliation %d, before %d, killed %d) servers_killed=%d succeeded=%d failed=%d needs_human=%d effects=%d incidents=%d duration=%s",
		o.operations, o.attempts, o.resends, o.lookups, o.late, s.kills, s.deaths, s.freezes, s.stood, s.wokenLate, s.wokenSoon, s.tooLong, servers,
		sum(o.succeeded), sum(o.failed), sum(o.needsHuman), sum(o.effects), sum(o.incidents), took.Round(time.Second))
	t.Logf("by tool: succeeded %v, failed %v, needs_human %v, effects %v; incidents %v", o.succeeded, o.failed, o.needsHuman, o.effects, o.incidents)
}
