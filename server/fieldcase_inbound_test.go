package server_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/internal/wirefault"
	"github.com/opledger/opledger/ledger"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// inboundCases: what providers tell by webhooks.
var inboundCases = []fieldCase{
	{"FC-205", peoplePressAgain},
	{"FC-209", eventsInTheWrongOrder},
	{"FC-210", eventCountsBeforeItIsHandled},
}

// peoplePressAgain: a top-up confirms slowly and looks like a failure. The provider's event ends the doubt.
func peoplePressAgain(t *testing.T, w *servertest.World) {
	c := w.Serve(withInbox(t))
	c.ApplyDefinition(hookedCapture(t))
	v, provider := newVendor(t, w), newProvider(t)
	const topup = `{"order_id":"topup_77","amount":"20.00","currency":"USD"}`
	p := c.Execute("payment.capture", topup)
	charge := provider.did(p, 2000)
	c.Reported(p, servertest.Ambiguous())
	presses := func(want pb.Decision) *pb.ProposeOperationResponse {
		t.Helper()
		w.Pass(2 * time.Minute)
		m := c.Propose("payment.capture", topup)
		decided(t, m, want)
		sameOperation(t, p.OperationId, m.Result.OperationId)
		if m.Permit != nil {
			provider.did(m.Permit, 2000)
		}
		return m
	}
	for range 3 {
		m := presses(pb.Decision_DECISION_RECONCILING)
		says(t, m.Result.SafeUserMessage, "being confirmed")
	}
	v.delivers(c.Address, chargeEvent("evt_1", "charge.succeeded", charge, p.ClientReference, v.now()))
	for range 2 {
		presses(pb.Decision_DECISION_REPLAYED)
	}
	o := c.Operation(p.OperationId)
	attempts(t, o, 1)
	provider.counts(1)
	if len(o.Effects) != 1 || o.Effects[0].EffectId != charge {
		t.Fatalf("one charge is wanted: %v", o.Effects)
	}
}

// eventsInTheWrongOrder: events come before the report, after the end, and before anybody knows what they are about.
func eventsInTheWrongOrder(t *testing.T, w *servertest.World) {
	c := w.Serve(withInbox(t))
	c.ApplyDefinition(hookedCapture(t))
	v := newVendor(t, w)
	p := c.Execute("payment.capture", capture)
	v.delivers(c.Address, chargeEvent("evt_1", "charge.succeeded", "ch_1", p.ClientReference, v.now()))
	inState(t, c.Operation(p.OperationId), pb.Operation_STATE_DISPATCHED)
	c.Reported(p, servertest.Succeeded("ch_1", `{"id":"ch_1"}`))
	o := c.Operation(p.OperationId)
	inState(t, o, pb.Operation_STATE_COMPLETED_SUCCESS)
	if n := transitionsTo(c, p.OperationId, pb.Operation_STATE_COMPLETED_SUCCESS); n != 1 || len(o.Effects) != 1 || len(o.Incidents) != 0 {
		t.Fatalf("%d transitions, effects %v, incidents %v", n, o.Effects, o.Incidents)
	}

	// An older failure of the same charge comes late: it is kept, and changes nothing by itself.
	w.Pass(time.Minute)
	v.delivers(c.Address, chargeEvent("evt_0", "charge.failed", "ch_1", "", v.now().Add(-time.Hour)))
	o = c.Operation(p.OperationId)
	inState(t, o, pb.Operation_STATE_COMPLETED_SUCCESS)
	if len(o.Incidents) != 1 || o.NeedsHuman == nil || !slices.ContainsFunc(o.Evidence, func(e *pb.EvidenceRecord) bool {
		return e.Evidence.GetWebhook().GetEventId() == "evt_0" && e.Effect == pb.EvidenceEffect_EVIDENCE_EFFECT_CONTRADICTS
	}) {
		t.Fatalf("incidents %v, needs human %v, evidence %v", o.Incidents, o.NeedsHuman, o.Evidence)
	}
	decided(t, c.Propose("payment.capture", capture), pb.Decision_DECISION_REPLAYED)

	// An event about an object that nobody knows yet waits for its operation's report.
	const other = `{"order_id":"order_124","amount":"5.00","currency":"USD"}`
	late := c.Execute("payment.capture", other)
	v.delivers(c.Address, chargeEvent("evt_2", "charge.succeeded", "ch_2", "", v.now()))
	if o := c.Operation(late.OperationId); len(o.Evidence) != 0 {
		t.Fatalf("it was matched by nothing: %v", o.Evidence)
	}
	w.Pass(10 * time.Second)
	c.Reported(late, func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Acknowledged{Acknowledged: &pb.OutcomeAcknowledged{}}
		r.Answer = &pb.ProviderAnswer{ProviderObjectId: "ch_2"}
	})
	o = c.Operation(late.OperationId)
	inState(t, o, pb.Operation_STATE_COMPLETED_SUCCESS)
	if len(o.Evidence) != 1 || len(o.Effects) != 1 || o.Effects[0].EffectId != "ch_2" {
		t.Fatalf("evidence %v, effects %v", o.Evidence, o.Effects)
	}
	if !v.delivers(c.Address, chargeEvent("evt_2", "charge.succeeded", "ch_2", "", v.now())) {
		t.Fatal("the event that waited is a repeat when it is delivered again")
	}
}

// transitionsTo counts how often an operation came into a state.
func transitionsTo(c *servertest.Client, id string, to pb.Operation_State) (n int) {
	for _, e := range c.Events(id) {
		if e.ToState == to {
			n++
		}
	}
	return n
}

// eventCountsBeforeItIsHandled: a server dies when all is saved and nothing is committed, or the database refuses three
// times. What is delivered again is applied once. (cmd/opledger kills a real process in that moment.)
func eventCountsBeforeItIsHandled(t *testing.T, w *servertest.World) {
	dying := &dyingEngine{Engine: w.Engine}
	w.Engine = dying
	c := w.Serve(withInbox(t))
	c.ApplyDefinition(hookedCapture(t))
	v := newVendor(t, w)
	p := c.Execute("payment.capture", capture)
	c.Reported(p, servertest.Ambiguous())
	body := chargeEvent("evt_1", "charge.succeeded", "ch_1", p.ClientReference, v.now())

	dying.dies.Store(true)
	if a := v.sends(c.Address, body); a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
		t.Fatalf("an event that is not stored is answered by %d %s", a.status, a.text)
	}
	w.Engine = dying.Engine
	w.Restart()
	c = w.Serve(withInbox(t))
	inState(t, c.Operation(p.OperationId), pb.Operation_STATE_UNKNOWN_OUTCOME)
	var repeats atomic.Int64
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			if v.delivers(c.Address, body) {
				repeats.Add(1)
			}
		})
	}
	wait.Wait()
	appliedOnce(t, c, p.OperationId)
	if repeats.Load() != 1 {
		t.Fatalf("%d of two deliveries were repeats", repeats.Load())
	}
	if w.URL != "" {
		refusedThreeTimes(t, w, v)
	}
}

// appliedOnce expects an event to have settled its operation, once.
func appliedOnce(t *testing.T, c *servertest.Client, id string) {
	t.Helper()
	o := c.Operation(id)
	inState(t, o, pb.Operation_STATE_COMPLETED_SUCCESS)
	if n := transitionsTo(c, id, pb.Operation_STATE_COMPLETED_SUCCESS); n != 1 || len(o.Evidence) != 1 || len(o.Effects) != 1 {
		t.Fatalf("%d transitions, evidence %v, effects %v", n, o.Evidence, o.Effects)
	}
}

// refusedThreeTimes lets the database refuse an event's commit three times with 40001.
func refusedThreeTimes(t *testing.T, w *servertest.World, v *vendor) {
	t.Helper()
	proxy, behind := behindFaults(t, w.URL, nil)
	c := behind.Serve(withInbox(t))
	p := c.Execute("payment.capture", `{"order_id":"order_125","amount":"5.00","currency":"USD"}`)
	c.Reported(p, servertest.Ambiguous())
	body := chargeEvent("evt_2", "charge.succeeded", "ch_2", p.ClientReference, v.now())
	fault := proxy.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 3, Action: wirefault.Fail("40001")})
	if v.delivers(c.Address, body) {
		t.Fatal("what finds nothing of itself is no repeat")
	}
	if fault.Hits() != 3 {
		t.Fatalf("the database refused %d times", fault.Hits())
	}
	appliedOnce(t, c, p.OperationId)
	if !v.delivers(c.Address, body) {
		t.Fatal("delivered again it is a repeat")
	}
}

// dyingEngine is a real engine whose next transaction is undone in the last moment before its commit, when everything is
// decided and saved, as the death of its server would.
type dyingEngine struct {
	ledger.Engine
	dies atomic.Bool
}

var errDied = errors.New("the server died before its commit")

func (e *dyingEngine) Transact(ctx context.Context, fn func(ctx context.Context, tx ledger.Tx) error) error {
	err := e.Engine.Transact(ctx, func(ctx context.Context, tx ledger.Tx) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		if e.dies.CompareAndSwap(true, false) {
			return errDied
		}
		return nil
	})
	if errors.Is(err, errDied) {
		return ledger.ErrGivenUp
	}
	return err
}
