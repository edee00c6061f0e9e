package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// cached is the read with a result that is used again for a while.
func cached(c ledgertest.Call, d time.Duration) ledgertest.Call {
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.ReadCacheFor = d })
	return c
}

// hasRead reports a result.
func hasRead(t *testing.T, h *ledgertest.Holder, result string) {
	t.Helper()
	wantOK(t, h.Says(ledger.OutcomeSucceeded, func(r *ledger.Report) { r.ResultJSON = []byte(result) }))
}

// wantResult fails the test unless a proposal is answered with this recorded result.
func wantResult(t *testing.T, a *ledger.Answer, want string) {
	t.Helper()
	wantDecision(t, a, ledger.DecisionReplayed)
	if a.Operation.Result == nil || string(a.Operation.Result.JSON) != want {
		t.Fatalf("the result is %+v, want %s", a.Operation.Result, want)
	}
}

// TestReadingIsOneRow: until its report a read is one reading and its request's claim; its report makes the operation.
func TestReadingIsOneRow(t *testing.T) {
	w := ledgertest.New(t)
	out := w.DoAll(w.Command(read))[0]
	wantOK(t, out.Err)
	c := out.Changes
	if len(c.Operations)+len(c.Events)+len(c.Scopes)+len(c.Decisions) != 0 || len(c.Claims) != 1 || len(c.Records) != 1 {
		t.Fatalf("a read writes %d operations, %d events, %d claims and %d records", len(c.Operations), len(c.Events), len(c.Claims), len(c.Records))
	}
	if len(w.Operations()) != 0 || w.RunDue() != 0 {
		t.Fatal("a read under way is an operation, or has due work")
	}
	h := w.HolderOf(out.Reply.(*ledger.Answer))
	wantState(t, h.Now(), ledger.Dispatched)

	w.Advance(time.Second)
	hasRead(t, h, `{"state":"open"}`)
	o := w.Operations()[0]
	wantState(t, o, ledger.CompletedSuccess)
	if o.ID != h.Operation || o.Version != 1 || o.CreatedAt.Equal(o.EndedAt) {
		t.Fatalf("the report made %s at version %d, created at %s and ended at %s", o.ID, o.Version, o.CreatedAt, o.EndedAt)
	}
	var types []string
	for i, e := range w.Events(o.Namespace, o.ID) {
		if e.Sequence != int64(i)+1 || e.Version != 1 {
			t.Fatalf("event %d is number %d of version %d", i, e.Sequence, e.Version)
		}
		types = append(types, string(e.Type))
	}
	if got, want := strings.Join(types, " "), "created state_changed state_changed permit_granted attempt_reported state_changed"; got != want {
		t.Errorf("the events are %s, want %s", got, want)
	}
	if at := w.Events(o.Namespace, o.ID)[0].At; !at.Equal(o.CreatedAt) {
		t.Errorf("it was created at %s and its event at %s", o.CreatedAt, at)
	}
	if r := w.Record(ledger.ReadingKey(o.Namespace, o.ID)).(*ledger.Reading); r.Operation != nil || len(r.Noted) != 0 || r.Tool != "order.get" {
		t.Errorf("what is left of the reading: %+v", r)
	}
}

// TestReadAgain: what another proposal of the same read is answered.
func TestReadAgain(t *testing.T) {
	const fresh = time.Minute
	for name, tc := range map[string]struct {
		call  ledgertest.Call
		after time.Duration // since the permit was given; the report came after ten seconds
		want  ledger.DecisionKind
	}{
		"no cache":               {read, 11 * time.Second, ledger.DecisionExecute},
		"cached":                 {cached(read, fresh), fresh - time.Microsecond, ledger.DecisionReplayed},
		"older than it may be":   {cached(read, fresh), fresh, ledger.DecisionExecute},
		"cached for less by now": {cached(read, 10*time.Second), 11 * time.Second, ledger.DecisionExecute},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			made := tc.call
			if name == "cached for less by now" {
				made = cached(read, fresh)
			}
			h := w.Execute(made)
			start := w.Now
			w.Advance(10 * time.Second)
			hasRead(t, h, `{"state":"open"}`)
			w.Now = start.Add(tc.after)
			a := w.Propose(tc.call)
			wantDecision(t, a, tc.want)
			if tc.want != ledger.DecisionReplayed {
				if a.Operation.ID == h.Operation {
					t.Fatal("it is the same read")
				}
				hasRead(t, w.HolderOf(a), `{"state":"closed"}`)
				return
			}
			wantResult(t, a, `{"state":"open"}`)
			if !strings.Contains(a.Told.Model, "read at 1 March 2026 09:00:00 UTC or shortly after") || strings.Contains(a.Told.Model, "effect") {
				t.Errorf("the model is told %q", a.Told.Model)
			}
		})
	}
}

// TestTheNewestReadIsRemembered: whoever began first may report last.
func TestTheNewestReadIsRemembered(t *testing.T) {
	w := ledgertest.New(t)
	c := cached(read, time.Minute)
	old := w.Execute(c)
	w.Advance(time.Second)
	hasRead(t, w.Execute(c), `{"state":"closed"}`)
	hasRead(t, old, `{"state":"open"}`)
	wantResult(t, w.Propose(c), `{"state":"closed"}`)
}

// TestReadsOfTheSameRequest: the request keeps what it earned, whatever other proposals of the same read come to.
func TestReadsOfTheSameRequest(t *testing.T) {
	w := ledgertest.New(t)
	c := read
	c.Request = "r-1"
	h := w.Execute(c)
	again := w.Propose(c)
	wantDecision(t, again, ledger.DecisionExecute)
	if again.Operation.ID != h.Operation || again.Permit.Attempt.ID != h.Attempt || !again.Permit.Attempt.HandedAgain {
		t.Fatalf("the same request got %+v", again.Permit.Attempt)
	}
	other := w.Execute(read)
	if other.Operation == h.Operation {
		t.Fatal("another request got the same read")
	}
	hasRead(t, other, `{"state":"open"}`)
	hasRead(t, h, `{"state":"closed"}`)
	w.Advance(365 * 24 * time.Hour)
	wantResult(t, w.Propose(c), `{"state":"closed"}`)
}

// TestReadThatNobodyReported: it is tried again by its own request, as any failed try; a late report tells what was read,
// and is no answer to anybody.
func TestReadThatNobodyReported(t *testing.T) {
	c := cached(read, time.Hour)
	c.Request = "r-1"
	t.Run("reported late", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(c)
		w.Advance(c.Tool.Terms.PermitDuration)
		wantState(t, h.Now(), ledger.FailedRetryable)
		late := h.Report(ledger.OutcomeSucceeded)
		for range 2 {
			_, err := w.Do(late)
			wantRefusal(t, err, ledger.ReasonStaleAttempt)
			wantState(t, h.Now(), ledger.CompletedSuccess)
			if o := h.Now(); o.Version != 1 || len(o.Evidence) != 1 {
				t.Fatalf("it has version %d and %d statements", o.Version, len(o.Evidence))
			}
		}
		wantIncidents(t, h.Now())
	})
	t.Run("tried again", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(c)
		w.Advance(c.Tool.Terms.PermitDuration)
		wantDecision(t, w.Propose(c), ledger.DecisionRetryLater)
		w.Advance(time.Minute)
		a := w.Propose(c)
		wantDecision(t, a, ledger.DecisionExecute)
		if a.Operation.ID != h.Operation || a.Permit.Attempt.Number != 2 {
			t.Fatalf("attempt %d of %s", a.Permit.Attempt.Number, a.Operation.ID)
		}
		hasRead(t, w.HolderOf(a), `{}`)
		wantState(t, h.Now(), ledger.CompletedSuccess)
	})
}

// TestReadingSeenAsTimeLeavesIt: what is shown of a read that nobody reported is what the next command makes of it, in
// state, times and events, and does not change with the moment at which one looks.
func TestReadingSeenAsTimeLeavesIt(t *testing.T) {
	permit := ledgertest.OrderGet.Terms.PermitDuration
	for name, tc := range map[string]struct {
		terms    func(*ledger.Terms)
		passes   time.Duration
		state    ledger.State
		since    time.Duration
		category ledger.Category
	}{
		"it may be tried again":    {func(*ledger.Terms) {}, permit, ledger.FailedRetryable, permit, ledger.CategoryTimeout},
		"no attempt is left":       {func(t *ledger.Terms) { t.MaxAttempts = 1 }, permit, ledger.FailedPermanent, permit, ledger.CategoryAttemptsExhausted},
		"its time has run out":     {func(t *ledger.Terms) { t.MaxElapsed = permit }, permit, ledger.FailedPermanent, permit, ledger.CategoryAttemptsExhausted},
		"its waiting age is over":  {func(t *ledger.Terms) { t.RetryMaxAge = time.Hour }, permit + time.Hour, ledger.FailedPermanent, permit + time.Hour, ledger.CategoryExpired},
		"its waiting age is under": {func(t *ledger.Terms) { t.RetryMaxAge = time.Hour }, permit + time.Hour - 1, ledger.FailedRetryable, permit, ledger.CategoryTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			c := read
			c.Tool = c.Tool.With(tc.terms)
			w := ledgertest.New(t)
			start, h := w.Now, w.Execute(c)
			before := len(w.Events(h.Namespace, h.Operation))
			w.Advance(tc.passes)
			first, events := h.Now(), w.Events(h.Namespace, h.Operation)
			if first.State != tc.state || !first.StateSince.Equal(start.Add(tc.since)) || first.Failure.Category != tc.category || !first.UpdatedAt.Equal(first.StateSince) {
				t.Fatalf("it is seen as %s since %s by %s", first.State, first.StateSince.Sub(start), first.Failure.Category)
			}
			if last := events[len(events)-1]; len(events) <= before || last.To != tc.state || !last.At.Equal(first.StateSince) {
				t.Fatalf("its last event is %+v", last)
			}
			if tc.state == ledger.FailedPermanent {
				w.Now = w.Now.Add(time.Minute)
			}
			if second := h.Now(); second.State != first.State || !second.StateSince.Equal(first.StateSince) {
				t.Fatalf("seen once more it is %s since %s", second.State, second.StateSince)
			}
			wantRefusal(t, h.Says(ledger.OutcomeNotSent), ledger.ReasonStaleAttempt)
			saved := h.Now()
			if saved.Version != 1 || saved.State != first.State || !saved.StateSince.Equal(first.StateSince) || saved.Failure.Category != tc.category {
				t.Fatalf("a command makes it %s since %s by %s", saved.State, saved.StateSince.Sub(start), saved.Failure.Category)
			}
			for i, e := range w.Events(h.Namespace, h.Operation)[:len(events)] {
				if e.Type != events[i].Type || !e.At.Equal(events[i].At) || e.To != events[i].To {
					t.Errorf("event %d was seen as %s at %s, and is %s at %s", i+1, events[i].Type, events[i].At, e.Type, e.At)
				}
			}
		})
	}
}

// TestReadThatTimeHasEnded: where the last try's permit is over and nobody has written so yet, whoever asks reads afresh,
// and is not told the end of a read that knows nothing. Asking twice comes to the same, as after a commit whose end nobody
// saw.
func TestReadThatTimeHasEnded(t *testing.T) {
	for name, tc := range map[string]struct {
		asks  ledger.RequestID
		begin bool // the read has an operation's row from the start
	}{
		"a reading, asked by its own request":    {asks: "r-1"},
		"an operation, asked by its own request": {asks: "r-1", begin: true},
		"an operation, asked by another":         {asks: "r-2", begin: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := cached(read, time.Hour)
			c.Tool = c.Tool.With(func(t *ledger.Terms) { t.MaxAttempts, t.BeginRequired = 1, tc.begin })
			c.Request = "r-1"
			w := ledgertest.New(t)
			h := w.Execute(c)
			w.Now = w.Now.Add(c.Tool.Terms.PermitDuration)
			c.Request = string(tc.asks)
			command := w.Command(c)
			first, second := w.DoAll(command)[0], w.DoAll(command)[0]
			a := first.Reply.(*ledger.Answer)
			wantDecision(t, a, ledger.DecisionExecute)
			if a.Operation.ID == h.Operation || said(first) != said(second) {
				t.Fatalf("%s, then %s; the read that is over is %s", said(first), said(second), h.Operation)
			}
			w.RunDue()
			wantState(t, w.Operation(h.Namespace, a.Operation.ID), ledger.Dispatched)
			if tc.begin {
				wantState(t, h.Now(), ledger.FailedPermanent)
			}
		})
	}
}

// TestReadingUnderCommands: a reading is extended, begun and cancelled as an operation is.
func TestReadingUnderCommands(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(read)
	if _, err := h.Extend(time.Minute); err != nil {
		t.Fatal(err)
	}
	w.Advance(30 * time.Second)
	wantState(t, h.Now(), ledger.Dispatched)
	wantOK(t, h.Begin())
	_, err := w.Do(&ledger.CancelOperation{Namespace: h.Namespace, Principal: "kim", OperationID: h.Operation})
	wantOK(t, err)
	if len(w.Operations()) != 0 {
		t.Fatal("it has a row before its permit has ended")
	}
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	o := h.Now()
	wantState(t, o, ledger.FailedPermanent)
	if o.Failure.Category != ledger.CategoryCancelled || len(w.Events(o.Namespace, o.ID)) != int(o.Sequence) {
		t.Fatalf("it failed by %s, with %d of %d events", o.Failure.Category, len(w.Events(o.Namespace, o.ID)), o.Sequence)
	}
	h.Namespace = "south"
	wantRefusal(t, h.Says(ledger.OutcomeSucceeded), ledger.ReasonOperationNotFound)
}

// TestReadsInOneBatch: two reads of one key and their reports, each in one transaction.
func TestReadsInOneBatch(t *testing.T) {
	w := ledgertest.New(t)
	c := cached(read, time.Minute)
	out := w.DoAll(w.Command(c), w.Command(c))
	one, two := w.HolderOf(out[0].Reply.(*ledger.Answer)), w.HolderOf(out[1].Reply.(*ledger.Answer))
	if one.Operation == two.Operation {
		t.Fatal("both are one read")
	}
	for _, d := range w.DoAll(one.Report(ledger.OutcomeSucceeded), two.Report(ledger.OutcomeSucceeded), one.Report(ledger.OutcomeSucceeded)) {
		wantOK(t, d.Err)
	}
	wantState(t, one.Now(), ledger.CompletedSuccess)
	wantState(t, two.Now(), ledger.CompletedSuccess)
	if one.Now().Version != 1 {
		t.Fatal("the repeated report changed something")
	}
	wantDecision(t, w.Propose(c), ledger.DecisionReplayed)
}

// TestReadOfAWorker: reads of others' hands have a row; the same one under way is met, and its result for as long as it
// is fresh.
func TestReadOfAWorker(t *testing.T) {
	for name, fresh := range map[string]time.Duration{"cached": time.Minute, "no cache": 0} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			c := queued(cached(read, fresh))
			o := enqueue(t, w, c)
			if met := enqueue(t, w, c); met.ID != o.ID {
				t.Fatal("two of one read wait")
			}
			h := w.Dispatch(o)
			if a := w.Propose(c); a.Decision != ledger.DecisionInFlight || a.Operation.ID != o.ID {
				t.Fatalf("while it is under way: %s of %s", a.Decision, a.Operation.ID)
			}
			w.Advance(time.Second)
			hasRead(t, h, `{}`)
			if fresh > 0 {
				wantDecision(t, w.Propose(c), ledger.DecisionReplayed)
				w.Advance(fresh)
			}
			next := enqueue(t, w, c)
			if next.ID == o.ID || len(next.Keys) != 0 {
				t.Fatalf("%s is no read of its own: %v", next.ID, next.Keys)
			}
			if met := enqueue(t, w, c); met.ID != next.ID {
				t.Fatal("the next one is not met")
			}
		})
	}
}

// TestReadsThatRulesHold: whatever counts a read, asks for persons or bounds it needs its row; a plain no needs none.
func TestReadsThatRulesHold(t *testing.T) {
	reads := policy.Scope{Classes: []string{string(registry.PureRead)}}
	for name, tc := range map[string]struct {
		rule     policy.Rule
		first    ledger.DecisionKind
		second   ledger.DecisionKind
		readings int
	}{
		"a guard that lets it pass": {policy.Rule{ID: "no", Scope: reads, Deny: &policy.Deny{When: `principal.id == "robot"`, Explanation: "Robots read nothing."}}, ledger.DecisionExecute, ledger.DecisionExecute, 2},
		"a guard that denies it":    {policy.Rule{ID: "no", Scope: reads, Deny: &policy.Deny{When: `principal.id == "agent"`, Explanation: "Agents read nothing."}}, ledger.DecisionDenied, ledger.DecisionDenied, 0},
		"a limit":                   {policy.Rule{ID: "few", Scope: reads, Limit: &policy.Limit{Max: 1, Period: time.Hour}}, ledger.DecisionExecute, ledger.DecisionInFlight, 0},
		"an approval":               {policy.Rule{ID: "ask", Scope: reads, Approval: ledgertest.Needs("support")}, ledger.DecisionAwaitingApproval, ledger.DecisionAwaitingApproval, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			w.Policy([]policy.Rule{tc.rule}, ledgertest.PolicyTool(read.Tool))
			one := w.Propose(read)
			wantDecision(t, one, tc.first)
			two := w.Propose(read)
			wantDecision(t, two, tc.second)
			if n := len(w.Records(ledger.RecordReading)); n != tc.readings {
				t.Errorf("%d readings, want %d", n, tc.readings)
			}
			if tc.first == ledger.DecisionDenied && (len(w.Decisions()) != 2 || len(w.Operations()) != 0) {
				t.Errorf("%d decisions and %d operations", len(w.Decisions()), len(w.Operations()))
			}
			if tc.readings == 0 && tc.first != ledger.DecisionDenied && one.Operation.ID != two.Operation.ID {
				t.Error("the second proposal made a row of its own")
			}
		})
	}
	t.Run("a bound of permits", func(t *testing.T) {
		w := ledgertest.New(t)
		c := read
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.ToolSlots = 1 })
		h := w.Execute(c)
		other := c
		other.Key, other.Args = "order:2", `{"order_id":"2"}`
		wantDecision(t, w.Propose(other), ledger.DecisionRetryLater)
		w.Advance(c.Tool.Terms.PermitDuration)
		w.RunDue() // the silent one gives its room back
		wantState(t, h.Now(), ledger.FailedRetryable)
		wantDecision(t, w.Propose(other), ledger.DecisionExecute)
	})
}

// TestReadsOfAnEarlierRelease: they claimed their keys. An open one is met by its claim; an ended one is only found by its
// request.
func TestReadsOfAnEarlierRelease(t *testing.T) {
	w := ledgertest.New(t)
	c := read
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.BeginRequired = true })
	c.Request = "r-1"
	w.Unaudited = true
	h := w.Execute(c)
	o := h.Now()
	claim := ledger.ClaimID{Namespace: o.Namespace, Kind: ledger.ClaimKey, Value: string(o.Key), Number: 1}
	_, err := w.Do(asEarlier{o: o, claim: claim})
	wantOK(t, err)
	w.Unaudited = false
	c.Request = ""
	if a := w.Propose(c); a.Decision != ledger.DecisionInFlight || a.Operation.ID != o.ID {
		t.Fatalf("while it is under way: %s of %s", a.Decision, a.Operation.ID)
	}
	wantOK(t, h.Begin())
	hasRead(t, h, `{}`)
	if next := w.Execute(c); next.Operation == o.ID {
		t.Fatal("it is answered for ever")
	}
	c.Request = "r-1"
	wantResult(t, w.Propose(c), `{}`)
}

// asEarlier leaves a read as an earlier release did: with its key claimed, and nothing that leads to it.
type asEarlier struct {
	o     *ledger.Operation
	claim ledger.ClaimID
}

func (asEarlier) Claims() []ledger.Claim { return nil }

func (c asEarlier) Reads(*ledger.View) []ledger.Read {
	return []ledger.Read{ledger.ReadOf(ledger.ReadOperation, c.o.Namespace, string(c.o.ID)), ledger.CachedReadKey(c.o.Namespace, c.o.Key).Read(), c.claim.Read()}
}

func (c asEarlier) Decide(v *ledger.View, _ ledger.Env) ledger.Decided {
	old := v.Operation(c.o.Namespace, c.o.ID).Clone()
	old.Keys, old.Version = []ledger.KeyNumber{{Key: old.Key, Number: 1}}, old.Version+1
	led := *v.Record(ledger.CachedReadKey(old.Namespace, old.Key).Read()).(*ledger.CachedRead)
	led.Operation = ""
	led.Version++
	return ledger.Decided{Changes: &ledger.Changes{
		Operations: []*ledger.Operation{old}, Claims: []ledger.Claim{{ClaimID: c.claim, OperationID: old.ID}}, Records: []ledger.Record{&led},
	}}
}

// TestReadHasNoVendorKey: a provider that knows a read's key would answer with what it was.
func TestReadHasNoVendorKey(t *testing.T) {
	w := ledgertest.New(t)
	c := read
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.VendorKeyed, t.Retention = true, time.Hour })
	if p := w.Propose(c).Permit; p.VendorKey != "" || p.ClientReference == "" {
		t.Fatalf("the permit has the key %q and the reference %q", p.VendorKey, p.ClientReference)
	}
	if c.Tool.Terms.Class != registry.PureRead {
		t.Fatal("it is no read")
	}
}

// TestAReadingIsListedAsRecordedFromItsReportOn, and as open before.
func TestAReadingIsListedAsRecordedFromItsReportOn(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(read)
	status := func() string { return w.Record(ledger.ReadingKey(h.Namespace, h.Operation)).Index().Status }
	if s := status(); s != "open" {
		t.Errorf("while nobody has reported it, it is listed as %q", s)
	}
	hasRead(t, h, `{}`)
	if s := status(); s != "recorded" {
		t.Errorf("after its report it is listed as %q", s)
	}
}

// TestAReadThatFailedHidesNoResult: the one before it is fresh, and answers on.
func TestAReadThatFailedHidesNoResult(t *testing.T) {
	for _, result := range []ledger.Outcome{ledger.OutcomeSucceeded, ledger.OutcomeNoop} {
		w := ledgertest.New(t)
		c := cached(read, time.Minute)
		first := w.Execute(c)
		w.Advance(time.Second)
		failed := w.Execute(c)
		wantOK(t, first.Says(result))
		wantOK(t, failed.Says(ledger.OutcomeRejected))
		a := w.Propose(c)
		wantDecision(t, a, ledger.DecisionReplayed)
		if a.Operation.ID != first.Operation {
			t.Errorf("answered from %s, want %s, which came to %s", a.Operation.ID, first.Operation, result)
		}
	}
}

// TestAResultIsAsOldAsTheTryThatRead: not as the read, nor as a try of it that came to nothing.
func TestAResultIsAsOldAsTheTryThatRead(t *testing.T) {
	const fresh = time.Minute
	for _, result := range []ledger.Outcome{ledger.OutcomeSucceeded, ledger.OutcomeNoop} {
		w := ledgertest.New(t)
		c := queued(cached(read, fresh))
		o := enqueue(t, w, c)
		w.Advance(time.Second)
		wantOK(t, w.Dispatch(o).Says(ledger.OutcomeNotSent))
		w.Advance(10 * time.Second)
		second, from := w.Dispatch(o), w.Now
		w.Advance(time.Second)
		wantOK(t, second.Says(result))
		w.Now = from.Add(fresh - time.Microsecond)
		a := w.Propose(c)
		wantDecision(t, a, ledger.DecisionReplayed)
		if want := "read at 1 March 2026 09:00:11 UTC"; !strings.Contains(a.Told.Model, want) {
			t.Errorf("%s: the model is told %q, want %q", result, a.Told.Model, want)
		}
		w.Now = from.Add(fresh)
		wantDecision(t, w.Propose(c), ledger.DecisionEnqueued)
	}
}
