package demo

import (
	"slices"
	"testing"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/demo/provider"
)

// keptPlan is a third story that kept what was promised.
func keptPlan() *Plan {
	p := &Plan{
		Naive: Made{Contacts: 2, Standing: 1, Archivings: 1, Welcomes: 3, Corrections: 1, Refused: 2}, Opledger: promisedMade,
		Redelivered: true, Projection: "- op_2 email.welcome: open (dispatched); it may have happened.",
		Asked: []string{askedInterrupted, askedDone, askedDone}, Conclusions: []Conclusion{wishfulEnd, honestEnd},
		Operations: []Operation{
			{OperationID: "op_1", Tool: contactTool, State: "compensated"},
			{OperationID: "op_2", Tool: welcomeTool, State: "compensated"},
			{OperationID: "op_3", Tool: ticketTool, State: "failed_permanent"},
			{OperationID: "op_4", Tool: correctTool, State: "completed_success", Undoes: "op_2"},
			{OperationID: "op_5", Tool: archiveTool, State: "completed_success", Undoes: "op_1"},
		},
	}
	p.Conclusions[0].Refused = "CLAIM_CONTRADICTED"
	return p
}

func TestOnlyAPlanThatIsUndoneOnceIsKept(t *testing.T) {
	good := &Result{Plan: keptPlan()}
	if good.judge(); !good.OK || len(good.Problems) != 0 {
		t.Errorf("a good play was judged %v %v", good.OK, good.Problems)
	}
	for name, spoil := range map[string]func(*Plan){
		"a second contact":              func(p *Plan) { p.Opledger.Contacts++ },
		"a contact that is left":        func(p *Plan) { p.Opledger.Standing++ },
		"archived twice":                func(p *Plan) { p.Opledger.Archivings++ },
		"a second welcome":              func(p *Plan) { p.Opledger.Welcomes++ },
		"a second correction":           func(p *Plan) { p.Opledger.Corrections++ },
		"no correction":                 func(p *Plan) { p.Opledger.Corrections = 0 },
		"a ticket asked for anew":       func(p *Plan) { p.Opledger.Refused++ },
		"one event, two runs":           func(p *Plan) { p.Redelivered = false },
		"a projection without the mail": func(p *Plan) { p.Projection = "No operation was made in it." },
		"a mail told of as not sent": func(p *Plan) {
			p.Projection = "- op_2 email.welcome: open (pending_dispatch); it has not happened so far."
		},
		"a mail told of as not done":  func(p *Plan) { p.Projection = "- op_2 email.welcome: not done (timeout)." },
		"the server did not die":      func(p *Plan) { p.Asked[0] = askedDone },
		"nobody asked again":          func(p *Plan) { p.Asked = p.Asked[:2] },
		"a wish that was taken":       func(p *Plan) { p.Conclusions[0].Refused = "" },
		"a truth that was refused":    func(p *Plan) { p.Conclusions[1].Refused = "CLAIM_CONTRADICTED" },
		"nothing was said":            func(p *Plan) { p.Conclusions = nil },
		"a sixth operation":           func(p *Plan) { p.Operations = append(p.Operations, p.Operations[3]) },
		"a step that is missing":      func(p *Plan) { p.Operations = p.Operations[:4] },
		"undone from the front":       func(p *Plan) { p.Operations[3], p.Operations[4] = p.Operations[4], p.Operations[3] },
		"a step that undoes another":  func(p *Plan) { p.Operations[3].Undoes = "op_1" },
		"a step that undoes nothing":  func(p *Plan) { p.Operations[4].Undoes = "" },
		"a mail that is being undone": func(p *Plan) { p.Operations[1].State = "compensating" },
		"a step that is open":         func(p *Plan) { p.Operations[3].State = "unknown_outcome" },
	} {
		p := keptPlan()
		spoil(p)
		r := &Result{Plan: p}
		if r.judge(); r.OK || len(r.Problems) == 0 {
			t.Errorf("%s: judged %v %v", name, r.OK, r.Problems)
		}
	}
}

// TestWhatThePlanMadeIsCounted: what is left counts by the contact, however often another one was archived.
func TestWhatThePlanMadeIsCounted(t *testing.T) {
	p, err := newProvider()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	client := provider.NewClient(p.URL(), callTimeout)
	var notes []note
	h := &forgetfulHands{provider: client, say: func(n note) { notes = append(notes, n) }}
	for _, calls := range [][]toolCall{firstCalls()[:2], secondCalls()} {
		if err := work(t.Context(), h, calls, h.say); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := h.undo(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want := Made{Contacts: 2, Standing: 1, Archivings: 2, Welcomes: 2, Corrections: 2, Refused: 2}
	if got := madeAt(p); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	if text := want.String(); text != "2 contacts, 1 left; 2 welcomes, 2 corrections" {
		t.Errorf("shown as %q", text)
	}
	if len(notes) == 0 || h.contact != "con_0002" {
		t.Errorf("it remembers %q and said %v", h.contact, notes)
	}
}

func TestTheToolsOfTheThirdStoryAreCarriedOutAtTheProvider(t *testing.T) {
	tools, err := readToolsAt("127.0.0.1:4711", planTools...)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
		if got := tool.Http.GetRequest().GetUrl(); len(got) < 22 || got[:22] != "http://127.0.0.1:4711/" {
			t.Errorf("%s is carried out at %s", tool.Name, got)
		}
	}
	if want := []string{contactTool, archiveTool, welcomeTool, correctTool, ticketTool}; !slices.Equal(names, want) {
		t.Errorf("read the tools %v, want %v", names, want)
	}
}

// TestThePlannerHasNoRightToAct: what is undone and what is sent is not the agent's to decide.
func TestThePlannerHasNoRightToAct(t *testing.T) {
	if roles := planCast[channelPlan].Roles; !slices.Equal(roles, []callers.Role{callers.Propose}) {
		t.Errorf("the planner has the roles %v", roles)
	}
	if slices.Contains(planCast[personIda].Roles, callers.Propose) {
		t.Error("who has the plan undone proposes, too")
	}
}
