package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

func TestOneEventIsOneWorkflow(t *testing.T) {
	w := newTasks(t)
	first := w.new(by("slack", "ev_1"))
	for range 3 {
		again := w.start(by("slack", "ev_1"))
		if again.Workflow.ID != first.Workflow.ID || again.RunID != "" || again.United == nil || again.United.Event == nil || again.United.Event.EventID != "ev_1" {
			t.Fatalf("the event started %+v", again)
		}
	}
	w.new(by("mail", "ev_1")) // the same id at another source is another event
	w.new(by("slac", "kev_1"))
	if w.workflows() != 3 {
		t.Fatalf("there are %d workflows", w.workflows())
	}
	if n := len(w.workflow(first.Workflow.ID).Events); n != 1 {
		t.Fatalf("one event is listed %d times", n)
	}
	w.Advance(365 * 24 * time.Hour)
	w.complete(first.Workflow.ID, first.RunID)
	if again := w.start(by("slack", "ev_1")); again.Workflow.ID != first.Workflow.ID || again.Workflow.State != ledger.WorkflowCompleted {
		t.Fatalf("an old event starts anew: %+v", again)
	}
}

func TestARequestIsAnsweredOnce(t *testing.T) {
	for name, change := range map[string][]func(*ledger.StartWorkflow){
		"with an event": {by("slack", "ev_1")}, "without one": nil, "under a key": {under("k"), meaning("refund")},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTasks(t)
			c := w.wish(change...)
			first := w.started(c)
			repeat := *c // a client that lost the answer: another server has made other ids meanwhile
			repeat.NewWorkflow, repeat.NewRun = w.ID("wf"), w.ID("run")
			again := w.started(&repeat)
			if again.Workflow.ID != first.Workflow.ID || again.RunID != first.RunID || again.United != nil || w.workflows() != 1 {
				t.Fatalf("asked again it is %+v", again)
			}
			other := repeat
			other.Hash = "of something else"
			refusedBy(t, w.World, &other, ledger.ReasonRequestReused)
			did[ledger.WorkflowResumed](t, w.World, w.resume(first.Workflow.ID, "run_later"))
			if late := w.started(&repeat); late.RunID != "" {
				t.Fatalf("its run was superseded, and it is told to act as %s", late.RunID)
			}
		})
	}
}

func TestARequestThatWasUnitedStaysUnitedWhenAskedAgain(t *testing.T) {
	w := newTasks(t)
	first := w.new(under("k"))
	c := w.wish(under("k"))
	w.started(c)
	w.complete(first.Workflow.ID, first.RunID)
	w.Advance(time.Hour) // its window is over, and a fresh request starts anew
	again := w.started(c)
	if again.Workflow.ID != first.Workflow.ID || again.United == nil || again.United.CorrelationKey != "k" {
		t.Fatalf("%+v", again)
	}
	w.new(under("k"))
}

func TestACorrelationKeyUnitesChannels(t *testing.T) {
	w := newTasks(t)
	first := w.new(by("slack", "ev_1"), under("msg:C1"), meaning("refund order_123"))
	w.Advance(24 * time.Hour) // the window never closes while the workflow is open
	for _, event := range []string{"ev_2", "ev_3"} {
		s := w.start(by("slack", event), under("msg:C1"), meaning("refund order_123"))
		if s.Workflow.ID != first.Workflow.ID || s.RunID != "" || s.United.CorrelationKey != "msg:C1" {
			t.Fatalf("%s: %+v", event, s)
		}
	}
	if s := w.start(by("mail", "m_9"), under("msg:C1")); s.Workflow.ID != first.Workflow.ID {
		t.Fatal("who normalizes nothing is united by the key alone")
	}
	if n := len(w.workflow(first.Workflow.ID).Events); n != 4 {
		t.Fatalf("%d events are listed", n)
	}
	w.new(by("slack", "ev_9"), under("msg:C2"), meaning("refund order_123"))
}

func TestTheWindowCountsFromTheLastEventThatWasUnited(t *testing.T) {
	w := newTasks(t)
	window := func(c *ledger.StartWorkflow) { c.CorrelationWindow = 10 * time.Minute }
	first := w.new(under("k"), window)
	w.Advance(8 * time.Minute)
	w.complete(first.Workflow.ID, first.RunID)
	w.Advance(time.Minute)
	w.start(under("k")) // moves the window on
	w.Advance(10*time.Minute - time.Microsecond)
	if s := w.start(under("k")); s.Workflow.ID != first.Workflow.ID || s.Workflow.State != ledger.WorkflowCompleted || s.RunID != "" {
		t.Fatalf("within its window: %+v", s)
	}
	w.Advance(10 * time.Minute)
	w.new(under("k"))
}

func TestAnotherIntentUnderTheKeyIsFlagged(t *testing.T) {
	w := newTasks(t)
	first := w.new(by("slack", "ev_1"), under("k"), meaning("refund"))
	second := w.new(by("mail", "m_1"), under("k"), meaning("cancel"))
	if f := second.Flag; f == nil || f.WorkflowID != first.Workflow.ID || f.NormalizedIntent != "refund" || f.Event.EventID != "ev_1" {
		t.Fatalf("the second is told %+v", f)
	}
	flags := w.workflow(first.Workflow.ID).Flags
	if len(flags) != 1 || flags[0].WorkflowID != second.Workflow.ID || flags[0].NormalizedIntent != "cancel" || flags[0].Event.EventID != "m_1" {
		t.Fatalf("the first is flagged with %+v", flags)
	}
	if s := w.start(under("k"), meaning("cancel")); s.Workflow.ID != second.Workflow.ID {
		t.Fatal("each intent is united with its own")
	}
	if s := w.start(under("k"), meaning("refund")); s.Workflow.ID != first.Workflow.ID {
		t.Fatal("each intent is united with its own")
	}
	for i := range ledger.MaxCorrelated - 2 {
		w.new(under("k"), meaning(fmt.Sprint("another ", i)))
	}
	refusedBy(t, w.World, w.wish(under("k"), meaning("one too many")), ledger.ReasonStateNotSuitable)
}

func TestACallersOwnIDIsOneWorkflow(t *testing.T) {
	w := newTasks(t)
	own := func(c *ledger.StartWorkflow) { c.NewWorkflow, c.Own = "task/7", true }
	w.new(own, meaning("refund"))
	if s := w.start(own, meaning("refund")); s.RunID != "" || s.United.WorkflowID != "task/7" {
		t.Fatalf("%+v", s)
	}
	refusedBy(t, w.World, w.wish(own, meaning("cancel")), ledger.ReasonInvalidRequest)
	if w.workflows() != 1 {
		t.Fatalf("there are %d workflows", w.workflows())
	}
}

func TestALongStoryStaysBounded(t *testing.T) {
	w := newTasks(t)
	w.Unaudited = true
	first := w.new(by("slack", "first"), under("k"))
	for i := range ledger.MaxSourceEvents + 20 {
		w.start(by("slack", fmt.Sprint(i)), under("k"))
	}
	for i := range ledger.MaxRuns + 20 {
		did[ledger.WorkflowResumed](t, w.World, w.resume(first.Workflow.ID, fmt.Sprint("run ", i)))
	}
	now := w.workflow(first.Workflow.ID)
	if len(now.Events) != ledger.MaxSourceEvents || now.Events[0].EventID != "first" || len(now.Runs) != ledger.MaxRuns || now.Current() != fmt.Sprint("run ", ledger.MaxRuns+19) {
		t.Fatalf("%d events from %v, %d runs to %s", len(now.Events), now.Events[0], len(now.Runs), now.Current())
	}
	if s := w.start(by("slack", "3")); s.Workflow.ID != first.Workflow.ID {
		t.Fatal("an event that is not listed any more is known all the same")
	}
}
