package server_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/grpc"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// staff are the callers of the tests of approvals: an agent behind which Ann stands, and people who decide.
var staff = []string{
	"principal=agent roles=propose,execute,read person=ann",
	"principal=ann roles=approve,resolve,read person=ann teams=lead",
	"principal=ben roles=approve,resolve,read person=ben teams=lead",
	"principal=ben.phone roles=approve,read person=ben teams=lead",
	"principal=cleo roles=approve,read person=cleo teams=lead",
	"principal=dan roles=approve,read person=dan teams=finance",
	"principal=admin roles=administer,read",
	"principal=reader roles=read",
}

// office is a server whose callers have credentials, each with their own.
type office struct {
	*servertest.World
	t      *testing.T
	tokens map[string]string
	anyone *servertest.Client
}

// newOffice starts a server with the tests' tools, where revoking access asks for one lead unless changed.
func newOffice(t *testing.T, w *servertest.World, change ...func(*pb.ApprovalNeed)) *office {
	t.Helper()
	o := &office{World: w, t: t, tokens: map[string]string{}}
	var lines strings.Builder
	for i, line := range append(staff, "principal=stranger roles=approve,read person=sam teams=lead") {
		token, err := callers.NewToken(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		ns := "shop"
		if i == len(staff) {
			ns = "elsewhere"
		}
		o.tokens[strings.TrimPrefix(strings.Fields(line)[0], "principal=")] = token
		fmt.Fprintf(&lines, "%s namespace=%s %s\n", callers.HashToken(token), ns, line)
	}
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := callers.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o.anyone = w.Serve(servertest.WithCallers(file))
	admin := o.as("admin")
	for name, d := range servertest.Definitions(t, fieldTools) {
		if name == "access.revoke" {
			d = revokeTool(t, change...)
		}
		admin.ApplyDefinition(d)
	}
	return o
}

// revokeTool is the revoking tool, which asks for a lead.
func revokeTool(t *testing.T, change ...func(*pb.ApprovalNeed)) *pb.ToolDefinition {
	t.Helper()
	d := fieldTool(t, "access.revoke")
	need := &pb.ApprovalNeed{Roles: []string{"lead"}, Warning: "Access that is revoked cannot be given back."}
	for _, c := range change {
		c(need)
	}
	d.Policy.Approval.Choice = &pb.ApprovalTerms_Required{Required: need}
	return d
}

// caller is one of the staff.
type caller struct {
	*servertest.Client
	pb.ApprovalServiceClient
}

func (o *office) as(name string) *caller {
	o.t.Helper()
	if o.tokens[name] == "" {
		o.t.Fatalf("%s is none of the staff", name)
	}
	return callerOf(o.anyone.As(o.tokens[name]))
}

func callerOf(c *servertest.Client) *caller {
	return &caller{Client: c, ApprovalServiceClient: pb.NewApprovalServiceClient(grpc.ClientConnInterface(c.Conn))}
}

// revoke are the arguments by which access is revoked.
func revoke(user, grant string) string {
	return `{"user_id":"` + user + `","grant_id":"` + grant + `"}`
}

// waits proposes to revoke, and expects that a person is asked; it answers the approval's id.
func (c *caller) waits(user, grant string) (approval, operation string) {
	c.TB.Helper()
	m := c.Propose("access.revoke", revoke(user, grant))
	if m.Decision != pb.Decision_DECISION_AWAITING_APPROVAL || m.Approval == nil {
		c.TB.Fatalf("%s %s is answered %v (%s); a person is to be asked", user, grant, m.Decision, m.Result.GetModelMessage())
	}
	return m.Approval.ApprovalId, m.Result.OperationId
}

// shows reads an approval.
func (c *caller) shows(id string) *pb.Approval {
	c.TB.Helper()
	m, err := c.GetApproval(c.TB.Context(), &pb.GetApprovalRequest{ApprovalId: id})
	if err != nil {
		c.TB.Fatalf("get %s: %v", id, err)
	}
	return m.Approval
}

// yes and no make a decision on an approval.
func yes(id, etag string) *pb.DecideApprovalRequest {
	return &pb.DecideApprovalRequest{RequestId: uuid.NewString(), ApprovalId: id, Etag: etag, Word: &pb.DecideApprovalRequest_Approve{Approve: &pb.Approve{}}}
}

func no(id, etag string) *pb.DecideApprovalRequest {
	return &pb.DecideApprovalRequest{RequestId: uuid.NewString(), ApprovalId: id, Etag: etag, Word: &pb.DecideApprovalRequest_Deny{Deny: &pb.Deny{}}}
}

// approves decides with a yes on what it sees, and denies with a no.
func (c *caller) approves(id string) *pb.DecideApprovalResponse {
	c.TB.Helper()
	return c.decides(yes(id, c.shows(id).Etag))
}

func (c *caller) denies(id string) *pb.DecideApprovalResponse {
	c.TB.Helper()
	return c.decides(no(id, c.shows(id).Etag))
}

func (c *caller) decides(word *pb.DecideApprovalRequest) *pb.DecideApprovalResponse {
	c.TB.Helper()
	m, err := c.DecideApproval(c.TB.Context(), word)
	if err != nil {
		c.TB.Fatalf("decide %s: %v", word.ApprovalId, err)
	}
	return m
}

// lists lists approvals, by id.
func (c *caller) lists(change ...func(*pb.ListApprovalsRequest)) (ids []string) {
	c.TB.Helper()
	req := &pb.ListApprovalsRequest{}
	for _, f := range change {
		f(req)
	}
	for {
		m, err := c.ListApprovals(c.TB.Context(), req)
		if err != nil {
			c.TB.Fatalf("list approvals: %v", err)
		}
		for _, a := range m.Approvals {
			ids = append(ids, a.ApprovalId)
		}
		if req.PageToken = m.NextPageToken; req.PageToken == "" {
			return ids
		}
	}
}
