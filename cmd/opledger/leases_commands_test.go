package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

var (
	at9    = timestamppb.New(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	at10   = timestamppb.New(time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC))
	order1 = &pb.Entity{Type: "order", Id: "1"}
)

func aLease() *pb.EntityLease {
	return &pb.EntityLease{
		LeaseId: "lea_1", FencingNumbers: []*pb.FencingNumber{{Entity: order1, Scope: "lease", Number: 7}},
		WorkflowId: "wf_1", RunId: "run_1", Principal: "agent", AcquireTime: at9, ExpireTime: at10, Etag: "e1",
	}
}

func aKeeper(begun bool) *pb.Holder {
	return &pb.Holder{
		OperationId: "op_1", AttemptId: "att_1", WorkflowId: "wf_1", Entity: order1, Scope: "group/refund.create",
		State: pb.Operation_STATE_UNKNOWN_OUTCOME, Since: at9, Begun: begun,
	}
}

func granted() *pb.AcquireEntityLeaseResponse {
	return &pb.AcquireEntityLeaseResponse{Grant: &pb.LeaseGrant{LeaseToken: "secret-token", Remaining: durationpb.New(time.Minute), Lease: aLease()}}
}

func TestALeaseTokenGoesToAFileThatOnlyItsOwnerReads(t *testing.T) {
	c := answering(t, map[string]proto.Message{
		"AcquireEntityLease": granted(),
		"RenewEntityLease":   &pb.RenewEntityLeaseResponse{Grant: granted().Grant},
		"ReleaseEntityLease": &pb.ReleaseEntityLeaseResponse{WasLost: true, KeptBy: []*pb.Holder{aKeeper(true)}},
	})
	file := filepath.Join(t.TempDir(), "lease")
	out := c.ok(t, "leases", "acquire", "order/1", "--workflow", "wf_1", "--run", "run_1", "--ttl", "2m", "--wait", "3s", "--lease-token-file", file)
	has(t, "the lease", out, "lea_1", "order/1=7", "wf_1 run_1", file)
	if strings.Contains(out, "secret-token") {
		t.Errorf("the token is shown: %s", out)
	}
	same(t, request[*pb.AcquireEntityLeaseRequest](t, c, "AcquireEntityLease"), &pb.AcquireEntityLeaseRequest{
		Entities: []*pb.Entity{order1}, WorkflowId: "wf_1", RunId: "run_1", Ttl: durationpb.New(2 * time.Minute), Wait: durationpb.New(3 * time.Second),
	})
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".lease-token-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}

	c.ok(t, "leases", "renew", "--lease-token-file", file, "--ttl", "1m")
	same(t, request[*pb.RenewEntityLeaseRequest](t, c, "RenewEntityLease"), &pb.RenewEntityLeaseRequest{LeaseToken: "secret-token", Ttl: durationpb.New(time.Minute)})

	t.Setenv(leaseTokenVariable, "from-the-environment")
	has(t, "a lost lease", c.ok(t, "leases", "release", "order/1"), "lost before", "op_1", "unknown_outcome")
	same(t, request[*pb.ReleaseEntityLeaseRequest](t, c, "ReleaseEntityLease"), &pb.ReleaseEntityLeaseRequest{LeaseToken: "from-the-environment", Entities: []*pb.Entity{order1}})
}

func TestALeaseTokenHasAPlaceBeforeTheLeaseIsTaken(t *testing.T) {
	c := answering(t, map[string]proto.Message{"AcquireEntityLease": granted()})
	acquire := []string{"leases", "acquire", "order/1", "--workflow", "wf_1", "--run", "run_1"}
	if got := c.at(t, "", acquire...); got.status != exitUsage || !strings.Contains(got.err, "--lease-token-file") {
		t.Errorf("no place: %+v", got)
	}
	nowhere := filepath.Join(t.TempDir(), "none", "lease")
	if got := c.at(t, "", append(acquire, "--lease-token-file", nowhere)...); got.status != exitFailed || !strings.Contains(got.err, "no place") {
		t.Errorf("a folder that is not there: %+v", got)
	}
	if c.calls("AcquireEntityLease") != 0 {
		t.Error("a lease was taken")
	}
	asked := parse(t, c.ok(t, append(acquire, "--json")...))
	if text(asked, "grant.lease_token") != "secret-token" {
		t.Errorf("as JSON: %v", asked)
	}
	asked = parse(t, c.ok(t, append(acquire, "--json", "--lease-token-file", filepath.Join(t.TempDir(), "lease"))...))
	if text(asked, "grant.lease_token") != "" || text(asked, "grant.lease.lease_id") != "lea_1" {
		t.Errorf("as JSON beside a file: %v", asked)
	}
}

func TestALeaseThatIsNotGrantedSaysWhoHolds(t *testing.T) {
	c := answering(t, map[string]proto.Message{"AcquireEntityLease": &pb.AcquireEntityLeaseResponse{
		Holders: []*pb.Holder{{WorkflowId: "wf_2", Entity: order1, Scope: "lease", Until: at10}}, WaitingBefore: 2,
	}})
	file := filepath.Join(t.TempDir(), "lease")
	if err := os.WriteFile(file, []byte("an earlier token"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := c.at(t, "", "leases", "acquire", "order/1", "--workflow", "wf_1", "--run", "run_1", "--lease-token-file", file)
	if got.status != exitFailed || got.err != "" {
		t.Errorf("got %+v", got)
	}
	has(t, "the answer", got.out, "not granted", "wf_2", "2026-03-02 10:00:00Z", "2 are waiting")
	if data, err := os.ReadFile(file); err != nil || string(data) != "an earlier token" {
		t.Errorf("the file: %q, %v", data, err)
	}
}

func TestALeaseTokenIsAskedFor(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"none":          {[]string{"leases", "renew"}, exitUsage, leaseTokenVariable},
		"none either":   {[]string{"leases", "release"}, exitUsage, leaseTokenVariable},
		"none to join":  {[]string{"leases", "acquire", "a/1", "--join", "--workflow", "w", "--run", "r"}, exitUsage, leaseTokenVariable},
		"an empty file": {[]string{"leases", "renew", "--lease-token-file", empty}, exitFailed, "no lease token"},
		"no file":       {[]string{"leases", "renew", "--lease-token-file", empty + "x"}, exitFailed, "no such file"},
		"no entity":     {[]string{"leases", "show", "order"}, exitUsage, "type/id"},
		"a long wait":   {[]string{"leases", "acquire", "a/1", "--workflow", "w", "--run", "r", "--wait", "2h"}, exitUsage, "--wait"},
	} {
		if got := do(t, c.args...); got.status != c.status || !strings.Contains(got.err, c.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestABreakIsBoundToWhatWasSeen(t *testing.T) {
	held := &pb.GetEntityLeaseResponse{Lease: aLease(), KeptBy: []*pb.Holder{aKeeper(true)}, WaitingCount: 3}
	c := answering(t, map[string]proto.Message{
		"GetEntityLease":   held,
		"BreakEntityLease": &pb.BreakEntityLeaseResponse{Lease: aLease(), Lifted: []*pb.Holder{aKeeper(true)}},
	})
	has(t, "show", c.ok(t, "leases", "show", "order/1"), "lea_1", "op_1", "begun", "3 waiting")

	args := []string{"leases", "break", "order/1", "--reason", "the run died", "--server", c.address}
	for _, no := range []string{"n\n", "\n", "", "yess\n"} {
		if got := asPerson(t, no, args...); got.status != exitFailed || !strings.Contains(got.err, "nothing was changed") {
			t.Errorf("%q: %+v", no, got)
		}
	}
	if c.calls("BreakEntityLease") != 0 {
		t.Fatal("it was broken without a yes")
	}
	got := asPerson(t, "y\n", append(args, "--json")...)
	if got.status != exitOK {
		t.Fatalf("got %+v", got)
	}
	has(t, "what the person sees", got.err, "lea_1", "op_1", "Break it?")
	parse(t, got.out) // the answer alone
	same(t, request[*pb.BreakEntityLeaseRequest](t, c, "BreakEntityLease"), &pb.BreakEntityLeaseRequest{
		Entity: order1, Reason: "the run died", Etag: "e1", SeenOperationIds: []string{"op_1"},
	})
	has(t, "without asking", c.ok(t, "leases", "break", "order/1", "--reason", "x", "--yes"), "is free", "its effect may still come")

	free := answering(t, map[string]proto.Message{"GetEntityLease": &pb.GetEntityLeaseResponse{}})
	has(t, "a free entity", free.ok(t, "leases", "show", "order/1"), "Nobody holds order/1")
	if got := free.at(t, "", "leases", "break", "order/1", "--reason", "x", "--yes"); got.status != exitFailed || !strings.Contains(got.err, "nothing to break") {
		t.Errorf("a free entity: %+v", got)
	}
}

func TestLeasesAreListed(t *testing.T) {
	expired := aLease()
	expired.Expired = true
	c := answering(t, map[string]proto.Message{"ListEntityLeases": &pb.ListEntityLeasesResponse{Leases: []*pb.EntityLease{expired}, NextPageToken: "more"}})
	has(t, "the list", c.ok(t, "leases", "list", "--limit", "1", "--expired=false", "--min-age", "1m", "--entity-type", "order", "--workflow", "wf_1"),
		"lea_1", "expired 2026-03-02 10:00:00Z", "There are more")
	same(t, request[*pb.ListEntityLeasesRequest](t, c, "ListEntityLeases"), &pb.ListEntityLeasesRequest{
		PageSize: 1, WorkflowId: "wf_1", EntityType: "order", Expired: new(false), MinAge: durationpb.New(time.Minute),
	})
	if got := c.at(t, "", "leases", "list", "--limit", "0"); got.status != exitUsage {
		t.Errorf("no limit: %+v", got)
	}
}

func TestEntitiesAreSetAndSeen(t *testing.T) {
	state := &pb.EntityState{Entity: order1, State: "refunded", AttributesJson: `{"vip":true}`, Version: 4, Etag: "4", UpdateTime: at9, Principal: "ann", Reason: "by hand"}
	c := answering(t, map[string]proto.Message{
		"GetEntityState":   &pb.GetEntityStateResponse{EntityState: state},
		"SetEntityState":   &pb.SetEntityStateResponse{EntityState: state},
		"ListEntityStates": &pb.ListEntityStatesResponse{EntityStates: []*pb.EntityState{state}},
	})
	has(t, "show", c.ok(t, "entities", "show", "order/1"), "refunded", `{"vip":true}`, "ann", "by hand")
	has(t, "list", c.ok(t, "entities", "list", "--state", "refunded"), "order/1", "refunded")
	got := c.at(t, `{"vip":true}`, "entities", "set", "order/1", "--state", "", "--attributes", "@-", "--etag", "3", "--reason", "by hand")
	if got.status != exitOK {
		t.Fatalf("got %+v", got)
	}
	same(t, request[*pb.SetEntityStateRequest](t, c, "SetEntityState"), &pb.SetEntityStateRequest{
		Entity: order1, State: new(""), AttributesJson: new(`{"vip":true}`), Etag: "3", Reason: "by hand",
	})
	for _, args := range [][]string{{"--reason", "x"}, {"--state", "paid"}} {
		if got := c.at(t, "", append([]string{"entities", "set", "order/1"}, args...)...); got.status != exitUsage {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
