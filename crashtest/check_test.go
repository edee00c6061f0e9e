package crashtest

import (
	"context"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// reasonOf is an error's stable reason.
func reasonOf(err error) string {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info.Reason
		}
	}
	return ""
}

// check holds the record against what clients were told, and counts the attempts.
func check(t *testing.T, ctx context.Context, api pb.OperationServiceClient, known []remembered) (attempts int) {
	t.Helper()
	for _, r := range known {
		m, err := api.GetOperation(ctx, &pb.GetOperationRequest{OperationId: r.operation})
		if err != nil {
			t.Fatalf("a client was told of %s, and it is lost: %v", r.operation, err)
		}
		o := m.Operation
		if o.Version < r.version {
			t.Errorf("%s was told at version %d and is at %d", o.OperationId, r.version, o.Version)
		}
		onePermitAtATime(t, o, r.attempts)
		gapless(t, ctx, api, o)
		attempts += len(o.Attempts)
	}
	return attempts
}

// onePermitAtATime expects every permit that was answered in the record, and no two that were out at once.
func onePermitAtATime(t *testing.T, o *pb.Operation, granted []string) {
	t.Helper()
	in := map[string]bool{}
	live := 0
	for i, a := range o.Attempts {
		in[a.AttemptId] = true
		if a.Live {
			live++
		}
		if i == 0 {
			continue
		}
		before := o.Attempts[i-1]
		if before.EndTime == nil || before.EndTime.AsTime().After(a.GrantTime.AsTime()) {
			t.Errorf("%s: attempt %d was granted at %v, while %d lived until %v", o.OperationId, a.AttemptNumber, a.GrantTime.AsTime(), before.AttemptNumber, before.EndTime)
		}
	}
	if live > 1 {
		t.Errorf("%s has %d live permits", o.OperationId, live)
	}
	for _, id := range granted {
		if !in[id] {
			t.Errorf("%s: the permit of %s was given and is not in the record", o.OperationId, id)
		}
	}
}

// gapless expects a history that counts from one to the operation's version.
func gapless(t *testing.T, ctx context.Context, api pb.OperationServiceClient, o *pb.Operation) {
	t.Helper()
	sequence, version := int64(0), int64(0)
	for token := ""; ; {
		m, err := api.ListOperationEvents(ctx, &pb.ListOperationEventsRequest{OperationId: o.OperationId, PageSize: 1000, PageToken: token})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range m.Events {
			sequence++
			if e.Sequence != sequence || e.OperationVersion != version && e.OperationVersion != version+1 {
				t.Fatalf("%s: event %d has the sequence %d and the version %d after %d", o.OperationId, sequence, e.Sequence, e.OperationVersion, version)
			}
			version = e.OperationVersion
		}
		if token = m.NextPageToken; token == "" {
			break
		}
	}
	if version < o.Version {
		t.Errorf("%s is at version %d, its history at %d", o.OperationId, o.Version, version)
	}
}

// oneEffect expects at most one effect for each intent, whatever happened to servers and executors.
func oneEffect(t *testing.T, p *provider) (effects int) {
	t.Helper()
	for intent, n := range p.counts() {
		if n > 1 {
			t.Errorf("%s was carried out %d times", intent, n)
		}
		effects += n
	}
	return effects
}
