package server_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// someFingerprint is the fingerprint of nothing in particular.
var someFingerprint = "sha256:" + strings.Repeat("0123456789abcdef", 4)

func grantRequest(change ...func(*pb.CreateGrantRequest)) *pb.CreateGrantRequest {
	r := &pb.CreateGrantRequest{
		RequestId: uuid.NewString(), Kind: pb.GrantKind_GRANT_KIND_OVERRIDE, Tool: "refund.create", Fingerprint: someFingerprint,
		RuleId: "test.deny", Reason: "the customer was promised it",
	}
	for _, f := range change {
		f(r)
	}
	return r
}

// TestOverrideGrant gives a grant for what a rule denied, uses it once, and no more.
func TestOverrideGrant(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		people := newPeople(t, "shop admin administer,read", "shop ann override,read ann@example.com", "shop agent propose,execute,read")
		anyone := w.Serve(servertest.WithCallers(people))
		admin, ann, agent := policyOf(anyone.As(people.token("admin"))), policyOf(anyone.As(people.token("ann"))), policyOf(anyone.As(people.token("agent")))
		admin.Apply(fieldTools)
		admin.rule(denying("refund.create", "true"))

		_, err := agent.CreateGrant(t.Context(), grantRequest())
		refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
		_, err = admin.CreateGrant(t.Context(), grantRequest())
		refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")

		no := agent.Propose("refund.create", refund)
		decided(t, no, pb.Decision_DECISION_DENIED)
		says(t, no.DecidedBy.GetOverrideHint(), "test.deny")
		stored, err := ann.GetDecision(t.Context(), &pb.GetDecisionRequest{DecisionId: no.DecisionId})
		if err != nil {
			t.Fatal(err)
		}
		request := grantRequest(func(r *pb.CreateGrantRequest) { r.Fingerprint = stored.Decision.Fingerprint })
		given, err := ann.CreateGrant(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		g := given.Grant
		if g.GivenBy != "ann" || g.RuleId != "test.deny" || g.ExpireTime.AsTime().Sub(g.CreateTime.AsTime()) != time.Hour || g.UsedByOperationId != "" {
			t.Fatalf("got %v", g)
		}
		if again, err := ann.CreateGrant(t.Context(), request); err != nil || again.Grant.GrantId != g.GrantId {
			t.Fatalf("a repeat of a lost answer is answered: %v, %v", again, err)
		}
		request.Reason = "another"
		_, err = ann.CreateGrant(t.Context(), request)
		refused(t, err, codes.FailedPrecondition, "REQUEST_ID_REUSED")

		named := func(r *pb.ProposeOperationRequest) { r.OverrideGrantIds = []string{g.GrantId} }
		used := agent.Propose("refund.create", refund, named)
		decided(t, used, pb.Decision_DECISION_EXECUTE)
		read, err := agent.GetGrant(t.Context(), &pb.GetGrantRequest{GrantId: g.GrantId})
		if err != nil || read.Grant.UsedByOperationId != used.Permit.OperationId || read.Grant.UseTime == nil {
			t.Fatalf("got %v, %v", read, err)
		}
		_, err = ann.RevokeGrant(t.Context(), &pb.RevokeGrantRequest{RequestId: uuid.NewString(), GrantId: g.GrantId, Reason: "too late"})
		refused(t, err, codes.FailedPrecondition, "GRANT_NOT_USABLE")
	})
}

// TestGrantLists lists grants by whether they can be used, the newest first.
func TestGrantLists(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := policyOf(serve(w))
		c.rule(denying("refund.create", "true"))
		give := func(expires time.Duration) string {
			t.Helper()
			m, err := c.CreateGrant(t.Context(), grantRequest(func(r *pb.CreateGrantRequest) { r.ExpiresAfter = durationpb.New(expires) }))
			if err != nil {
				t.Fatal(err)
			}
			w.Pass(time.Second)
			return m.Grant.GrantId
		}
		short, revoked, usable := give(time.Minute), give(time.Hour), give(time.Hour)
		read, err := c.GetGrant(t.Context(), &pb.GetGrantRequest{GrantId: revoked})
		if err != nil {
			t.Fatal(err)
		}
		revoke := &pb.RevokeGrantRequest{RequestId: uuid.NewString(), GrantId: revoked, Reason: "a mistake", Etag: "v9"}
		_, err = c.RevokeGrant(t.Context(), revoke)
		refused(t, err, codes.Aborted, "ETAG_MISMATCH")
		revoke.Etag = read.Grant.Etag
		for range 2 { // the second is a repeat of a lost answer
			if m, err := c.RevokeGrant(t.Context(), revoke); err != nil || m.Grant.RevokeTime == nil {
				t.Fatalf("got %v, %v", m, err)
			}
		}
		w.Pass(2 * time.Minute)
		for name, one := range map[string]struct {
			change func(*pb.ListGrantsRequest)
			want   []string
		}{
			"all":           {func(*pb.ListGrantsRequest) {}, []string{usable, revoked, short}},
			"usable":        {func(r *pb.ListGrantsRequest) { r.Usable = new(true) }, []string{usable}},
			"not usable":    {func(r *pb.ListGrantsRequest) { r.Usable = new(false) }, []string{revoked, short}},
			"of a tool":     {func(r *pb.ListGrantsRequest) { r.Tool = "refund.create" }, []string{usable, revoked, short}},
			"of no tool":    {func(r *pb.ListGrantsRequest) { r.Tool = "email.send" }, nil},
			"one at a time": {func(r *pb.ListGrantsRequest) { r.PageSize = 1 }, []string{usable, revoked, short}},
		} {
			t.Run(name, func(t *testing.T) {
				req := &pb.ListGrantsRequest{}
				one.change(req)
				var got []string
				for {
					m, err := c.ListGrants(t.Context(), req)
					if err != nil {
						t.Fatal(err)
					}
					for _, g := range m.Grants {
						got = append(got, g.GrantId)
					}
					if req.PageToken = m.NextPageToken; req.PageToken == "" {
						break
					}
				}
				if strings.Join(got, " ") != strings.Join(one.want, " ") {
					t.Fatalf("got %v, want %v", got, one.want)
				}
			})
		}
	})
}

// TestBadGrants: what no grant can be.
func TestBadGrants(t *testing.T) {
	c := policyOf(serve(servertest.SQLite(t)))
	c.rule(denying("refund.create", "true"))
	for name, bad := range map[string]struct {
		change func(*pb.CreateGrantRequest)
		code   codes.Code
		reason string
		field  string
	}{
		"no kind":      {func(r *pb.CreateGrantRequest) { r.Kind = 0 }, codes.InvalidArgument, "INVALID_REQUEST", "kind"},
		"unknown kind": {func(r *pb.CreateGrantRequest) { r.Kind = 17 }, codes.InvalidArgument, "INVALID_REQUEST", "kind"},
		"unknown tool": {func(r *pb.CreateGrantRequest) {
			r.Kind, r.RuleId, r.Occurrence, r.Tool = pb.GrantKind_GRANT_KIND_REPEAT, "", "2", "no.such"
		}, codes.NotFound, "TOOL_NOT_FOUND", ""},
		"unknown rule":         {func(r *pb.CreateGrantRequest) { r.RuleId = "none" }, codes.NotFound, "POLICY_OBJECT_NOT_FOUND", ""},
		"rule of another tool": {func(r *pb.CreateGrantRequest) { r.Tool = "email.send" }, codes.NotFound, "POLICY_OBJECT_NOT_FOUND", ""},
		"unknown rule of its":  {func(r *pb.CreateGrantRequest) { r.RuleId = "refund.create/none" }, codes.NotFound, "POLICY_OBJECT_NOT_FOUND", ""},
		"no rule":              {func(r *pb.CreateGrantRequest) { r.RuleId = "" }, codes.InvalidArgument, "INVALID_REQUEST", "rule_id"},
		"rule of a repeat":     {func(r *pb.CreateGrantRequest) { r.Kind, r.Occurrence = pb.GrantKind_GRANT_KIND_REPEAT, "2" }, codes.InvalidArgument, "INVALID_REQUEST", "rule_id"},
		"no occurrence":        {func(r *pb.CreateGrantRequest) { r.Kind, r.RuleId = pb.GrantKind_GRANT_KIND_REPEAT, "" }, codes.InvalidArgument, "INVALID_REQUEST", "occurrence"},
		"no operation":         {func(r *pb.CreateGrantRequest) { r.Kind, r.RuleId = pb.GrantKind_GRANT_KIND_REVISE, "" }, codes.InvalidArgument, "INVALID_REQUEST", "operation_id"},
		"unknown operation": {func(r *pb.CreateGrantRequest) {
			r.Kind, r.RuleId, r.OperationId = pb.GrantKind_GRANT_KIND_REVISE, "", "op_none"
		}, codes.NotFound, "OPERATION_NOT_FOUND", ""},
		"no fingerprint": {func(r *pb.CreateGrantRequest) { r.Fingerprint = "sha256:1" }, codes.InvalidArgument, "INVALID_REQUEST", "fingerprint"},
		"for years":      {func(r *pb.CreateGrantRequest) { r.ExpiresAfter = durationpb.New(365 * 24 * time.Hour) }, codes.InvalidArgument, "INVALID_REQUEST", "expires_after"},
		"for no time":    {func(r *pb.CreateGrantRequest) { r.ExpiresAfter = durationpb.New(0) }, codes.InvalidArgument, "INVALID_REQUEST", "expires_after"},
		"no reason":      {func(r *pb.CreateGrantRequest) { r.Reason = "" }, codes.InvalidArgument, "INVALID_REQUEST", "reason"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.CreateGrant(t.Context(), grantRequest(bad.change))
			if bad.field == "" {
				refused(t, err, bad.code, bad.reason)
				return
			}
			refused(t, err, bad.code, bad.reason, bad.field)
		})
	}
	_, err := c.GetGrant(t.Context(), &pb.GetGrantRequest{GrantId: "gr_none"})
	refused(t, err, codes.NotFound, "POLICY_OBJECT_NOT_FOUND")
	_, err = c.RevokeGrant(t.Context(), &pb.RevokeGrantRequest{RequestId: uuid.NewString(), GrantId: "gr_none", Reason: "a test"})
	refused(t, err, codes.NotFound, "POLICY_OBJECT_NOT_FOUND")
	if m, err := c.ListGrants(t.Context(), &pb.ListGrantsRequest{}); err != nil || len(m.Grants) != 0 {
		t.Fatalf("refused grants are kept: %v, %v", m, err)
	}
}
