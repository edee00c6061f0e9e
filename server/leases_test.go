package server_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// tenant is a run of a workflow that takes leases by one server.
type tenant struct {
	*servertest.Client
	leases        pb.LeaseServiceClient
	workflow, run string
}

func newTenant(c *servertest.Client, workflow, run string) *tenant {
	return &tenant{Client: c, leases: pb.NewLeaseServiceClient(c.Conn), workflow: workflow, run: run}
}

func order(id string) *pb.Entity { return &pb.Entity{Type: "order", Id: id} }

func (u *tenant) wish(orders ...string) *pb.AcquireEntityLeaseRequest {
	m := &pb.AcquireEntityLeaseRequest{RequestId: uuid.NewString(), WorkflowId: u.workflow, RunId: u.run, Ttl: duration(time.Minute)}
	for _, o := range orders {
		m.Entities = append(m.Entities, order(o))
	}
	return m
}

func (u *tenant) ask(m *pb.AcquireEntityLeaseRequest) *pb.AcquireEntityLeaseResponse {
	u.TB.Helper()
	r, err := u.leases.AcquireEntityLease(u.TB.Context(), m)
	if err != nil {
		u.TB.Fatalf("acquire: %v", err)
	}
	return r
}

// acquires expects the lease.
func (u *tenant) acquires(orders ...string) *pb.LeaseGrant {
	u.TB.Helper()
	r := u.ask(u.wish(orders...))
	if r.Grant == nil {
		u.TB.Fatalf("%s of %s got no lease on %q: %v", u.run, u.workflow, orders, r.Holders)
	}
	return r.Grant
}

func (u *tenant) release(token string, entities ...*pb.Entity) (*pb.ReleaseEntityLeaseResponse, error) {
	return u.leases.ReleaseEntityLease(u.TB.Context(), &pb.ReleaseEntityLeaseRequest{RequestId: uuid.NewString(), LeaseToken: token, Entities: entities})
}

func (u *tenant) renew(token string) (*pb.RenewEntityLeaseResponse, error) {
	return u.leases.RenewEntityLease(u.TB.Context(), &pb.RenewEntityLeaseRequest{RequestId: uuid.NewString(), LeaseToken: token})
}

// looks tells how an entity stands.
func (u *tenant) looks(id string) *pb.GetEntityLeaseResponse {
	u.TB.Helper()
	m, err := u.leases.GetEntityLease(u.TB.Context(), &pb.GetEntityLeaseRequest{Entity: order(id)})
	if err != nil {
		u.TB.Fatalf("look at %s: %v", id, err)
	}
	return m
}

// eventually waits until a condition holds; the test's deadline is the bound.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(20 * time.Second); !holds(); {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("it never came about: %s", what)
		}
	}
}

func TestLeaseOfOneWorkflowIsSeenByAnother(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		one, two := newTenant(w.Serve(), "wf_1", "run_1"), newTenant(w.Serve(), "wf_2", "run_1")
		grant := one.acquires("a", "b")
		if grant.Remaining.AsDuration() > time.Minute || grant.Lease.Expired || len(grant.Lease.FencingNumbers) != 2 || grant.Lease.FencingNumbers[0].Number != 1 {
			t.Fatalf("%v", grant.Lease)
		}
		r := two.ask(two.wish("c", "b"))
		if r.Grant != nil || len(r.Holders) != 1 || r.Holders[0].WorkflowId != "wf_1" || r.Holders[0].Entity.Id != "b" || r.Holders[0].Remaining == nil {
			t.Fatalf("%v", r)
		}
		if seen := two.looks("b").Lease; seen.GetLeaseId() != grant.Lease.LeaseId || seen.Etag == "" {
			t.Fatalf("%v", seen)
		}
		if seen := two.looks("c"); seen.Lease != nil || len(seen.KeptBy) != 0 {
			t.Fatalf("c was taken although b was not free: %v", seen)
		}
		renewed, err := one.renew(grant.LeaseToken)
		if err != nil || renewed.Grant.LeaseToken != grant.LeaseToken || renewed.Grant.Lease.RenewCount != 1 {
			t.Fatalf("%v, %v", renewed, err)
		}
		if _, err := one.release(grant.LeaseToken); err != nil {
			t.Fatal(err)
		}
		two.acquires("c", "b")
	})
}

// TestLeaseIsWaitedForInOrder: two wait on two servers for a third's lease; each is granted in its turn, by whichever
// server it asked.
func TestLeaseIsWaitedForInOrder(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		here, there := w.Serve(), w.Serve()
		held := newTenant(here, "wf_1", "run_1")
		grant := held.acquires("a")
		var mu sync.Mutex
		var served []string
		var done sync.WaitGroup
		for i, c := range []*servertest.Client{there, here} {
			u := newTenant(c, []string{"wf_2", "wf_3"}[i], "run_1")
			wish := u.wish("a")
			wish.Wait = duration(20 * time.Second)
			done.Go(func() {
				r, err := u.leases.AcquireEntityLease(t.Context(), wish)
				if err != nil || r.Grant == nil {
					t.Errorf("%s waited in vain: %v, %v", u.workflow, r, err)
					return
				}
				mu.Lock()
				served = append(served, u.workflow)
				mu.Unlock()
				if _, err := u.release(r.Grant.LeaseToken); err != nil {
					t.Errorf("release: %v", err)
				}
			})
			eventually(t, "it waits", func() bool { return held.looks("a").WaitingCount == int32(i+1) })
		}
		if _, err := held.release(grant.LeaseToken); err != nil {
			t.Fatal(err)
		}
		done.Wait()
		if len(served) != 2 || served[0] != "wf_2" {
			t.Fatalf("served were %q", served)
		}
	})
}

// TestLeaseWaitIsBounded: who is told no has left the line.
func TestLeaseWaitIsBounded(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		one, two := newTenant(w.Serve(), "wf_1", "run_1"), newTenant(w.Serve(), "wf_2", "run_1")
		one.acquires("a")
		wish := two.wish("a")
		wish.Wait = duration(60 * time.Millisecond)
		if r := two.ask(wish); r.Grant != nil || len(r.Holders) != 1 {
			t.Fatalf("%v", r)
		}
		if n := one.looks("a").WaitingCount; n != 0 {
			t.Fatalf("%d still wait", n)
		}
	})
}

// TestLeaseWaitEndsWithItsServer: a server that stops answers those who wait with how things stand.
func TestLeaseWaitEndsWithItsServer(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve()
		newTenant(c, "wf_1", "run_1").acquires("a")
		u := newTenant(c, "wf_2", "run_1")
		wish := u.wish("a")
		wish.Wait = duration(20 * time.Second)
		answered := make(chan *pb.AcquireEntityLeaseResponse, 1)
		go func() {
			r, err := u.leases.AcquireEntityLease(t.Context(), wish)
			if err != nil {
				t.Errorf("the wait ended with %v", err)
			}
			answered <- r
		}()
		eventually(t, "it waits", func() bool { return u.looks("a").WaitingCount == 1 })
		w.Drain()
		if r := <-answered; r.GetGrant() != nil || len(r.GetHolders()) != 1 {
			t.Fatalf("%v", r)
		}
	})
}

// TestLeaseOfAFormerOwner: another run of the workflow takes the lease over, and the former run's token is good for nothing
// any more.
func TestLeaseOfAFormerOwner(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve()
		first, second := newTenant(c, "wf_1", "run_1"), newTenant(c, "wf_1", "run_2")
		lost := first.acquires("a", "b")
		taken := second.acquires("a")
		if taken.LeaseToken == lost.LeaseToken || len(taken.Lease.FencingNumbers) != 2 || taken.Lease.FencingNumbers[0].Number != 2 {
			t.Fatalf("%v", taken.Lease)
		}
		_, err := first.renew(lost.LeaseToken)
		refused(t, err, codes.FailedPrecondition, "RUN_SUPERSEDED")
		if got := servertest.InfoOf(err).Metadata["current_run_id"]; got != "run_2" {
			t.Errorf("the current run is %q", got)
		}
		_, err = first.leases.AcquireEntityLease(t.Context(), first.wish("a"))
		refused(t, err, codes.FailedPrecondition, "RUN_SUPERSEDED")
		r, err := first.release(lost.LeaseToken)
		if err != nil || !r.WasLost {
			t.Fatalf("giving back one's own lost lease is harmless: %v, %v", r, err)
		}
		if seen := first.looks("b").Lease; seen.GetRunId() != "run_2" {
			t.Fatalf("%v", seen)
		}
	})
}

func TestLeaseTokensThatProveNothing(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		people := newPeople(t, "north agent propose,read", "south spy propose,read")
		c := w.Serve(servertest.WithCallers(people))
		u, spy := newTenant(c.As(people.token("agent")), "wf_1", "run_1"), newTenant(c.As(people.token("spy")), "wf_1", "run_1")
		grant := u.acquires("a")
		last := grant.LeaseToken[len(grant.LeaseToken)-2:]
		for name, token := range map[string]string{
			"no token":          "token",
			"an id alone":       "oll1." + grant.Lease.LeaseId,
			"a cut one":         grant.LeaseToken[:len(grant.LeaseToken)-2],
			"a changed one":     grant.LeaseToken[:len(grant.LeaseToken)-2] + string([]byte{last[1] ^ 3, last[0]}),
			"of an other lease": "oll1.lea_other" + grant.LeaseToken[len("oll1.")+len(grant.Lease.LeaseId):],
		} {
			t.Run(name, func(t *testing.T) {
				_, err := u.renew(token)
				refused(t, err, codes.PermissionDenied, "LEASE_TOKEN_MISMATCH")
				_, err = u.release(token)
				refused(t, err, codes.PermissionDenied, "LEASE_TOKEN_MISMATCH")
				wish := u.wish("b")
				wish.LeaseToken = token
				_, err = u.leases.AcquireEntityLease(t.Context(), wish)
				refused(t, err, codes.PermissionDenied, "LEASE_TOKEN_MISMATCH")
			})
		}
		_, err := spy.renew(grant.LeaseToken) // of another namespace
		refused(t, err, codes.PermissionDenied, "LEASE_TOKEN_MISMATCH")
		if seen := spy.looks("a"); seen.Lease != nil {
			t.Fatalf("another namespace's lease was seen: %v", seen.Lease)
		}
		if _, err := u.renew(grant.LeaseToken); err != nil {
			t.Fatal(err)
		}
	})
}

func TestLeaseBadInput(t *testing.T) {
	w := servertest.SQLite(t)
	u := newTenant(w.Serve(), "wf_1", "run_1")
	for name, c := range map[string]struct {
		change func(*pb.AcquireEntityLeaseRequest)
		fields []string
	}{
		"no ttl":          {func(m *pb.AcquireEntityLeaseRequest) { m.Ttl = nil }, []string{"ttl"}},
		"a ttl of zero":   {func(m *pb.AcquireEntityLeaseRequest) { m.Ttl = duration(0) }, []string{"ttl"}},
		"a ttl of years":  {func(m *pb.AcquireEntityLeaseRequest) { m.Ttl = duration(3 * 365 * 24 * time.Hour) }, []string{"ttl"}},
		"an endless wait": {func(m *pb.AcquireEntityLeaseRequest) { m.Wait = duration(time.Hour) }, []string{"wait"}},
		"no entity":       {func(m *pb.AcquireEntityLeaseRequest) { m.Entities = nil }, []string{"entities"}},
		"no run":          {func(m *pb.AcquireEntityLeaseRequest) { m.RunId = "" }, []string{"run_id"}},
		"an entity twice": {func(m *pb.AcquireEntityLeaseRequest) { m.Entities = append(m.Entities, m.Entities[0]) }, nil},
		"no request id":   {func(m *pb.AcquireEntityLeaseRequest) { m.RequestId = "" }, []string{"request_id"}},
	} {
		t.Run(name, func(t *testing.T) {
			wish := u.wish("a")
			c.change(wish)
			_, err := u.leases.AcquireEntityLease(t.Context(), wish)
			refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", c.fields...)
		})
	}
	if seen := u.looks("a"); seen.Lease != nil {
		t.Fatalf("a refused request got %v", seen.Lease)
	}
}

// TestLeaseAndServersClocks: two servers whose clocks are an hour wrong, one this way and one that, decide as two with
// right ones do. There is one clock, the database's.
func TestLeaseAndServersClocks(t *testing.T) {
	wrong := func(by time.Duration) servertest.Option {
		return func(c *server.Config) { c.Clock = func() time.Time { return time.Now().Add(by) } }
	}
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		one := newTenant(w.Serve(wrong(time.Hour)), "wf_1", "run_1")
		two := newTenant(w.Serve(wrong(-time.Hour)), "wf_2", "run_1")
		grant := one.acquires("a")
		if two.ask(two.wish("a")).Grant != nil {
			t.Fatal("two workflows hold the entity")
		}
		w.Pass(55 * time.Second)
		if two.ask(two.wish("a")).Grant != nil {
			t.Fatal("the lease was given away before its end")
		}
		if _, err := one.renew(grant.LeaseToken); err != nil {
			t.Fatal(err)
		}
		w.Pass(61 * time.Second)
		_, err := one.renew(grant.LeaseToken)
		refused(t, err, codes.FailedPrecondition, "LEASE_LOST")
		two.acquires("a")
	})
}
