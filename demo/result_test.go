package demo

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/opledger/opledger/demo/provider"
)

// kept is a play that kept what was promised.
func kept() *Result {
	return &Result{Payments: &Payments{
		Naive: Count{4, 2}, Opledger: Count{1, 1},
		Operations: []Operation{
			{OperationID: "op_1", Tool: paymentTool, State: "completed_success", ProviderObjectID: "ch_0001"},
			{OperationID: "op_2", Tool: receiptTool, State: "completed_success", ProviderObjectID: "msg_0001"},
		},
		effects: map[string]string{paymentTool: "ch_0001", receiptTool: "msg_0001"},
	}}
}

func TestOnlyOneOfEachIsKept(t *testing.T) {
	good := kept()
	if good.judge(); !good.OK || len(good.Problems) != 0 {
		t.Errorf("a good play was judged %v %v", good.OK, good.Problems)
	}
	for name, spoil := range map[string]func(*Result){
		"no charge":         func(r *Result) { r.Opledger.Charges = 0 },
		"two charges":       func(r *Result) { r.Opledger.Charges = 2 },
		"no e-mail":         func(r *Result) { r.Opledger.Emails = 0 },
		"two e-mails":       func(r *Result) { r.Opledger.Emails = 2 },
		"no operation":      func(r *Result) { r.Operations = r.Operations[:1] },
		"a third operation": func(r *Result) { r.Operations = append(r.Operations, Operation{Tool: paymentTool}) },
		"an open end":       func(r *Result) { r.Operations[0].State = "unknown_outcome" },
		"another's charge":  func(r *Result) { r.Operations[0].ProviderObjectID = "ch_0002" },
		"no charge's id":    func(r *Result) { r.Operations[0].ProviderObjectID = "" },
	} {
		r := kept()
		spoil(r)
		if r.judge(); r.OK || len(r.Problems) == 0 {
			t.Errorf("%s: judged %v %v", name, r.OK, r.Problems)
		}
	}
}

func TestAmountsAreReadExactly(t *testing.T) {
	for literal, want := range map[string]int64{`"49.00"`: 4900, `49`: 4900, `49.0`: 4900, `4.9e1`: 4900, `"0.07"`: 7} {
		if got, err := minorUnits(json.RawMessage(literal)); err != nil || got != want {
			t.Errorf("%s: got %d, %v; want %d", literal, got, err, want)
		}
	}
	for _, literal := range []string{`"49.001"`, `"forty"`, `null`, `1e400`} {
		if got, err := minorUnits(json.RawMessage(literal)); err == nil {
			t.Errorf("%s: got %d, want a refusal", literal, got)
		}
	}
}

func TestTheToolsOfEachAccountAreRead(t *testing.T) {
	for account := range accounts {
		tools, err := toolsFor(account)
		if err != nil {
			t.Fatalf("%s: %v", account, err)
		}
		if len(tools) != 2 || tools[0].Name != paymentTool || tools[1].Name != receiptTool || tools[0].Provider.Account != account {
			t.Errorf("%s: read %v", account, tools)
		}
	}
	if _, err := toolsFor("acct_none"); err == nil {
		t.Error("an account that the provider lacks was taken")
	}
	if accounts[provider.KeyedAccount] == accounts[provider.PlainAccount] {
		t.Error("both accounts are paid with under one definition")
	}
}

func TestTheJSONNamesWhatWasPlayed(t *testing.T) {
	for name, c := range map[string]struct {
		result        Result
		there, absent []string
	}{
		"payments": {Result{Payments: &Payments{}}, []string{`"naive"`, `"opledger"`, `"operations"`}, []string{`"control"`, `"plan"`}},
		"plan":     {Result{Plan: &Plan{}}, []string{`"plan":{"naive"`}, []string{`"control"`, `"seconds":0,"naive"`}},
		"control":  {Result{Control: &Control{}}, []string{`"control":{"naive"`}, []string{`"seconds":0,"naive"`, `{"ok":false,"naive"`}},
	} {
		text, err := json.Marshal(c.result)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range append(c.there, `"ok"`, `"seconds"`, `"problems"`) {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: %s lacks %s", name, text, want)
			}
		}
		for _, unwanted := range c.absent {
			if strings.Contains(string(text), unwanted) {
				t.Errorf("%s: %s has %s", name, text, unwanted)
			}
		}
	}
}

func TestColourIsLeftOut(t *testing.T) {
	for _, colour := range []bool{false, true} {
		var out strings.Builder
		s := &screen{out: &out, colour: colour}
		s.act("ACT", "what", nightTime)
		s.tell(note{Who: "agent", Kind: noteDeath, Text: "killed"})
		s.count(Count{1, 1}, true)
		if got := strings.Contains(out.String(), "\x1b"); got != colour {
			t.Errorf("colour %v: escapes %v", colour, got)
		}
	}
}

func TestSentencesAreWrapped(t *testing.T) {
	for _, line := range wrap("one two three four", 9) {
		if len(line) > 9 {
			t.Errorf("%q is longer than the column", line)
		}
	}
	if got := strings.Join(wrap("one two three four", 9), " "); got != "one two three four" {
		t.Errorf("got %q", got)
	}
}
