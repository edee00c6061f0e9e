package check_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/world"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry/toolfile"
	"github.com/opledger/opledger/server/servertest"
)

// mischief is what befalls a few operations of one tool whose executors, lookups and persons say whatever they like: late, of
// a permit that is lost, of the object of another operation, and against each other.
type mischief struct {
	*testing.T
	world   *world.World
	api     pb.OperationServiceClient
	luck    *rand.Rand
	ids     *rand.Rand
	tool    string
	group   int
	permits []*pb.Permit
	known   []string // operations
	said    []string // what was done, for whoever reads a failure
}

func (m *mischief) id() string {
	var u uuid.UUID
	for i := range u {
		u[i] = byte(m.ids.UintN(256))
	}
	u[6], u[8] = u[6]&0x0f|0x40, u[8]&0x3f|0x80
	return u.String()
}

// oneOf answers one of the values.
func oneOf[V any](m *mischief, values ...V) V { return values[m.luck.IntN(len(values))] }

func (m *mischief) did(err error, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if err != nil {
		text += ": " + check.Reason(err)
	}
	m.said = append(m.said, text)
}

// object is an object at the provider, now and then the same for two operations.
func (m *mischief) object(operation string) string {
	return oneOf(m, "", "of_"+operation, "of_"+operation, "second_of_"+operation, fmt.Sprintf("shared_%d", m.group))
}

// turn does one thing.
func (m *mischief) turn() {
	switch choice := m.luck.IntN(16); {
	case choice < 4 || len(m.permits) == 0:
		m.propose()
	case choice < 6:
		p := oneOf(m, m.permits...)
		nonce := oneOf(m, "one", "one", "two")
		_, err := m.api.BeginAttempt(m.Context(), servertest.BeginRequest(p, []byte("the nonce of process "+nonce)))
		m.did(err, "begin %d of %s by %s", p.AttemptNumber, p.OperationId, nonce)
	case choice == 6:
		p := oneOf(m, m.permits...)
		q := servertest.ExtendRequest(p, time.Minute)
		q.BeginNonce = []byte("the nonce of process one")
		_, err := m.api.ExtendAttempt(m.Context(), q)
		m.did(err, "extend %d of %s", p.AttemptNumber, p.OperationId)
	case choice < 10:
		m.report(oneOf(m, m.permits...))
	case choice < 13:
		m.reconcile(oneOf(m, m.known...))
	case choice == 13 && m.luck.IntN(4) == 0:
		id := oneOf(m, m.known...)
		_, err := m.api.CancelOperation(m.Context(), &pb.CancelOperationRequest{OperationId: id, RequestId: m.id()})
		m.did(err, "cancel %s", id)
	default:
		d := oneOf(m, time.Second, 5*time.Second, 20*time.Second, 61*time.Second, 61*time.Second, 5*time.Minute)
		m.world.Pass(d)
		m.did(m.world.Settle(m.Context()), "%s pass", d)
	}
}

func (m *mischief) propose() {
	q := servertest.Proposal(m.tool, fmt.Sprintf(`{"ref":"%d-%d"}`, m.group, m.luck.IntN(2)))
	q.RequestId = m.id()
	a, err := m.api.ProposeOperation(m.Context(), q)
	m.did(err, "propose %v: %s %s", q.Arguments, a.GetDecision(), a.GetPermit().GetAttemptId())
	if a.GetPermit() != nil {
		m.permits = append(m.permits, a.Permit)
		m.known = append(m.known, a.Permit.OperationId)
	}
}

func (m *mischief) report(p *pb.Permit) {
	object := m.object(p.OperationId)
	outcome, name := servertest.Succeeded(object, `{}`), "succeeded "+object
	switch m.luck.IntN(9) {
	case 0:
		outcome, name = servertest.NotSent(), "not sent"
	case 1:
		outcome, name = servertest.Ambiguous(), "ambiguous"
	case 2:
		outcome, name = servertest.Rejected("no"), "rejected"
	case 3:
		outcome, name = servertest.RateLimited(0), "rate limited"
	case 4:
		outcome, name = func(q *pb.ReportAttemptRequest) {
			q.Outcome = &pb.ReportAttemptRequest_Acknowledged{Acknowledged: &pb.OutcomeAcknowledged{}}
		}, "acknowledged"
	}
	q := servertest.Report(p, outcome)
	q.ReportId, q.BeginNonce, q.SenderReturned = m.id(), nil, m.luck.IntN(4) > 0
	if m.luck.IntN(5) > 0 {
		q.BeginNonce = []byte("the nonce of process " + oneOf(m, "one", "one", "two"))
	}
	_, err := m.api.ReportAttempt(m.Context(), q)
	m.did(err, "report of %d of %s: %s, returned %t, nonce %s", p.AttemptNumber, p.OperationId, name, q.SenderReturned, q.BeginNonce)
}

// reconcile asks what may be looked up, and says something as a lookup or as a person.
func (m *mischief) reconcile(id string) {
	asked, err := m.api.Reconcile(m.Context(), &pb.ReconcileRequest{RequestId: m.id(), OperationId: id})
	if err != nil {
		m.did(err, "reconcile %s", id)
		return
	}
	verdict := oneOf(m, pb.Verdict_VERDICT_HAPPENED, pb.Verdict_VERDICT_IN_PROGRESS, pb.Verdict_VERDICT_DID_NOT_HAPPEN, pb.Verdict_VERDICT_DID_NOT_HAPPEN, pb.Verdict_VERDICT_STILL_UNKNOWN)
	e := &pb.Evidence{EvidenceId: m.id(), Verdict: verdict}
	if verdict == pb.Verdict_VERDICT_HAPPENED {
		if object := m.object(id); object != "" {
			e.Answer = &pb.ProviderAnswer{EffectId: object}
		}
		e.Attribution = oneOf(m, nil, &pb.Attribution{ClientReference: asked.Operation.ClientReference})
	}
	if l := asked.Lookup; l != nil && len(l.Questions) > 0 && m.luck.IntN(2) == 0 {
		e.Source = &pb.Evidence_Lookup{Lookup: &pb.LookupSource{LookupTicket: l.LookupTicket, By: l.Questions[0].By, Value: l.Questions[0].Value}}
	} else {
		e.Source = &pb.Evidence_Person{Person: &pb.PersonSource{SeenOperationVersion: asked.Operation.Version, Reason: "seen", Overrule: m.luck.IntN(3) == 0}}
	}
	_, err = m.api.Reconcile(m.Context(), &pb.ReconcileRequest{RequestId: m.id(), OperationId: id, Evidence: e})
	m.did(err, "evidence of %s: %v", id, e)
}

// TestHistoriesOfMischief: whatever is said to the ledger, what it writes down is sound in the eyes of its checker.
func TestHistoriesOfMischief(t *testing.T) {
	w, err := world.Open(t.Context(), world.Options{Engine: world.SQLite, Dir: t.TempDir(), Seed: 1, Defect: func(err error) { t.Errorf("defect: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	conn, err := w.Conn()
	if err != nil {
		t.Fatal(err)
	}
	definitions, err := os.ReadFile("testdata/tools.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sources, problems := toolfile.Parse("tools.yaml", definitions)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, s := range sources {
		if _, err := pb.NewRegistryServiceClient(conn).ApplyTool(t.Context(), &pb.ApplyToolRequest{RequestId: uuid.NewString(), Definition: s.Proto}); err != nil {
			t.Fatal(err)
		}
	}
	api := pb.NewOperationServiceClient(conn)
	judged := 0
	for group := range groups {
		m := &mischief{
			T: t, world: w, api: api, tool: sources[group%len(sources)].Proto.Name, group: group,
			luck: rand.New(rand.NewPCG(uint64(group), 1)), ids: rand.New(rand.NewPCG(uint64(group), 2)),
		}
		for range 25 {
			m.turn()
		}
		r := m.record()
		judged += len(r.Operations)
		for _, f := range check.History(r) {
			t.Errorf("group %d of %s: %s\n\t%s", group, m.tool, f.Message, strings.Join(m.said, "\n\t"))
		}
	}
	if judged < groups {
		t.Errorf("only %d histories were judged", judged)
	}
}

// groups is how many groups of two operations are played with.
const groups = 200

// record is what is known of the operations in the end.
func (m *mischief) record() eval.Record {
	r := eval.Record{Arm: eval.Opledger, Key: m.tool, Events: map[string][]*pb.OperationEvent{}}
	for _, id := range m.known {
		if r.Events[id] != nil {
			continue
		}
		o, err := m.api.GetOperation(m.Context(), &pb.GetOperationRequest{OperationId: id})
		if err != nil {
			m.Fatal(err)
		}
		e, err := m.api.ListOperationEvents(m.Context(), &pb.ListOperationEventsRequest{OperationId: id, PageSize: 1000})
		if err != nil {
			m.Fatal(err)
		}
		r.Operations, r.Events[id] = append(r.Operations, o.Operation), e.Events
	}
	return r
}
