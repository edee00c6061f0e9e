package server_test

import (
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"

	"github.com/opledger/opledger/internal/wirefault"
	"github.com/opledger/opledger/ledger/retry"
	"github.com/opledger/opledger/ledger/sqlstore"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestDatabaseGone: while the database cannot be reached, or does not say what became of a commit, callers are told to
// ask again, unchanged; and asking again is safe.
func TestDatabaseGone(t *testing.T) {
	w := servertest.PostgreSQL(t)
	serve(w)
	proxy := wirefault.Start(t, w.URL)
	few := retry.Policy{Tries: 3, Elapsed: 5 * time.Second, FirstDelay: time.Millisecond, MaxDelay: time.Millisecond}
	c := servertest.PostgreSQLAt(t, proxy.URL(), sqlstore.WithoutMigration(), sqlstore.WithRetries(few)).Serve()
	c.Propose("order.get", `{"order_id":"warm"}`)

	proxy.Refuse(true)
	proxy.CutAll()
	request := servertest.Proposal("email.send", mail)
	_, err := c.ProposeOperation(t.Context(), request)
	unavailable(t, err)
	_, err = c.GetOperation(t.Context(), &pb.GetOperationRequest{OperationId: "op_1"})
	unavailable(t, err)
	_, err = c.ListTools(t.Context(), &pb.ListToolsRequest{})
	unavailable(t, err)
	proxy.Refuse(false)

	fault := proxy.Inject(wirefault.Rule{Match: wirefault.Commit(), Action: wirefault.CutAfter()})
	_, err = c.ProposeOperation(t.Context(), request)
	unavailable(t, err)
	fault.Remove()
	m, err := c.ProposeOperation(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	decided(t, m, pb.Decision_DECISION_EXECUTE)
	attempts(t, c.Operation(m.Permit.OperationId), 1)
}

// unavailable expects an error that says to ask again, and when.
func unavailable(t *testing.T, err error) {
	t.Helper()
	refused(t, err, codes.Unavailable, "DATABASE_UNAVAILABLE")
	if servertest.DetailOf[*errdetails.RetryInfo](err).GetRetryDelay().AsDuration() <= 0 {
		t.Fatalf("it does not say when to ask again: %v", err)
	}
}
