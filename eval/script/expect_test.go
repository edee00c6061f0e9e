package script_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/script"
	"github.com/opledger/opledger/eval/world"
)

// story is a mail that is sent once and proposed twice: lines 6 to 19. The last step has no expectation yet.
const story = mail + `  - begin: first
  - send: first
    key: mail
    as: sent
  - report: first
    of: sent
    as: reported
  - propose: email.send
    arguments: {template: receipt, ref: other, to: [kim@example.com]}
    as: other
  - propose: email.send
    arguments: {template: receipt, ref: r, to: [kim@example.com]}
`

// played runs a text on SQLite.
func played(t *testing.T, text string, judge script.Judge) *eval.Result {
	t.Helper()
	all, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	result, err := script.Part(all[0], judge).Run(t.Context(), eval.Env{Engine: world.SQLite, Dir: t.TempDir(), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestExpectationsCanFail: of each kind of expectation a true one passes, and a false one is found, at its line.
func TestExpectationsCanFail(t *testing.T) {
	for name, tc := range map[string]struct{ holds, fails string }{
		"decision":           {"{decision: REPLAYED}", "{decision: EXECUTE}"},
		"presence":           {"{permit: !absent }", "{permit: !present }"},
		"absence":            {"{result: {effect_time: !present }}", "{result: {effect_time: !absent }}"},
		"text":               {`{result: {effect_id: "${sent.effect_id}"}}`, "{result: {effect_id: another}}"},
		"contains":           {"{result: {model_message: !contains already}}", "{result: {model_message: !contains never}}"},
		"lacks":              {"{result: {model_message: !lacks never}}", "{result: {model_message: !lacks already}}"},
		"not":                {"{result: {effect_id: !not another}}", `{result: {effect_id: !not "${sent.effect_id}"}}`},
		"at least":           {"{revision: !at_least 1}", "{revision: !at_least 2}"},
		"at most":            {"{revision: !at_most 1}", "{revision: !at_most 0}"},
		"boolean":            {"{result: {replayed: true}}", "{result: {replayed: false}}"},
		"a part that is not": {"{result: {tool: email.send}}", "{holder: {run_id: run_1}}"},
		"document":           {`{operation: {canonical_arguments_json: {ref: r, template: receipt, to: [kim@example.com]}}}`, `{operation: {canonical_arguments_json: {ref: r}}}`},
		"length":             {"{operation: {attempts: !length 1}}", "{operation: {attempts: !length 2}}"},
		"items":              {"{operation: {attempts: [{attempt_number: 1}]}}", "{operation: {attempts: [{attempt_number: 2}]}}"},
		"fewer items":        {"{operation: {incidents: []}}", "{operation: {attempts: []}}"},
		"has":                {"{operation: {attempts: !has [{attempt_number: 1}]}}", "{operation: {attempts: !has [{attempt_number: 7}]}}"},
		"has, of none":       {"{operation: {incidents: !absent }}", "{operation: {incidents: !has [{kind: CONTRADICTION}]}}"},
		"state":              {"{state: COMPLETED_SUCCESS}", "{state: UNKNOWN_OUTCOME}"},
		"same operation":     {"{same_operation_as: first}", "{same_operation_as: other}"},
		"other operation":    {"{other_operation_than: other}", "{other_operation_than: first}"},
		"told":               {"{told: {says: [already done]}}", "{told: {says: [is being confirmed]}}"},
		"never told":         {"{told: {never: [is being confirmed]}}", "{told: {never: [Already Done]}}"},
		"no refusal":         {"{decision: REPLAYED}", "{error: UNKNOWN_TOOL}"},
		"same attempt":       {"{decision: REPLAYED}", "{same_attempt_as: first}"},
		"same answer":        {"{decision: REPLAYED}", "{same_answer_as: first}"},
		"count":              {"{count: {REPLAYED: 1}}", "{count: {REPLAYED: 2}}"},
		"count of several":   {"{count: {REPLAYED|EXECUTE: 1, DENIED: 0}}", "{count: {EXECUTE|DENIED: 1}}"},
		"permits":            {"{permits: 0}", "{permits: 1}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := played(t, head+story+"    expect: "+tc.holds+"\n", nil); !r.Passed() {
				t.Fatalf("what is so was found: %v", r.Findings)
			}
			found(t, played(t, head+story+"    expect: "+tc.fails+"\n", nil), 21)
		})
	}
}

// found expects one finding at a line, with the history that led to it.
func found(t *testing.T, r *eval.Result, line int) {
	t.Helper()
	if len(r.Findings) != 1 {
		t.Fatalf("there are %d findings: %v", len(r.Findings), r.Findings)
	}
	f := r.Findings[0]
	if f.Checker != "expect" || !strings.HasPrefix(f.Message, fmt.Sprintf("a.yaml:%d: ", line)) || f.Dimension != eval.RetrySafety || f.Part != "script/a-scenario" {
		t.Fatalf("found is %+v", f)
	}
	if len(f.History) < 5 || !strings.Contains(f.History[0], "EXECUTE") {
		t.Fatalf("its history is %q", f.History)
	}
}

// TestRefusals: an error is expected by its reason, its code, its fields, its words and its details.
func TestRefusals(t *testing.T) {
	const bad = story + `  - propose: email.send
    arguments: {template: receipt, ref: r}
`
	for name, tc := range map[string]struct{ holds, fails string }{
		"reason": {"{error: INVALID_ARGUMENTS}", "{error: UNKNOWN_TOOL}"},
		"code":   {"{error: {code: InvalidArgument}}", "{error: {code: NotFound}}"},
		"fields": {"{error: {fields: [arguments_json/to]}}", "{error: {fields: [arguments_json/ref]}}"},
		"words":  {"{error: {says: to}}", "{error: {says: weather}}"},
		"detail": {"{error: {details: {KeyReuseDetail: {operation_id: \"\"}}}}", "{error: {details: {KeyReuseDetail: {operation_id: op_1}}}}"},
		"any":    {"{error: INVALID_ARGUMENTS}", "{decision: EXECUTE}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := played(t, head+bad+"    expect: "+tc.holds+"\n", nil); !r.Passed() {
				t.Fatalf("what is so was found: %v", r.Findings)
			}
			found(t, played(t, head+bad+"    expect: "+tc.fails+"\n", nil), 23)
		})
	}
	found(t, played(t, head+bad, nil), 21) // a refusal that nobody expects
}

// TestTheEndCanFail: the last look finds what the steps did not.
func TestTheEndCanFail(t *testing.T) {
	for name, tc := range map[string]struct{ holds, fails string }{
		"effects":        {"{effects: {mail: 1, all: 1, other: 0}}", "{effects: {mail: 2}}"},
		"every effect":   {"{effects: {all: 1}}", "{effects: {all: 2}}"},
		"operations":     {"{operations: {first: {state: COMPLETED_SUCCESS}}}", "{operations: {first: {state: UNKNOWN_OUTCOME}}}"},
		"how many":       {"{operation_count: 2}", "{operation_count: 1}"},
		"a later permit": {"{no_permit: [{of: first, after: reported}]}", "{no_permit: [{of: other, after: reported}]}"},
		"any permit":     {"{no_permit: [{of: first, after: first}]}", "{no_permit: [{after: first}]}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := played(t, head+story+"finally: "+tc.holds+"\n", nil); !r.Passed() {
				t.Fatalf("what is so was found: %v", r.Findings)
			}
			found(t, played(t, head+story+"finally: "+tc.fails+"\n", nil), 21)
		})
	}
}

// TestTheJudgeSeesWhatWasDone: who sends twice is found by the checkers, whatever the scenario itself looks at; and their
// findings become the part's.
func TestTheJudgeSeesWhatWasDone(t *testing.T) {
	twice := head + mail + "  - begin: first\n" + strings.Repeat("  - send: first\n    key: mail\n", 2)
	if r := played(t, twice, nil); !r.Passed() {
		t.Fatalf("the scenario says nothing of it: %v", r.Findings)
	}
	r := played(t, twice, check.All)
	if r.Passed() {
		t.Fatal("two effects of one wish were not found")
	}
	for _, f := range r.Findings {
		if f.Part != "script/a-scenario" || len(f.History) == 0 || f.Replay == "" {
			t.Fatalf("found is %+v", f)
		}
	}
}

// TestARunRepeats: the same scenario leaves the same history, ids and times included.
func TestARunRepeats(t *testing.T) {
	text := head + story + "    expect: {decision: EXECUTE}\n"
	a, b := played(t, text, nil), played(t, text, nil)
	if one, two := strings.Join(a.Findings[0].History, "\n"), strings.Join(b.Findings[0].History, "\n"); one != two {
		t.Fatalf("two runs differ:\n%s\n\n%s", one, two)
	}
}

// TestWhatAPartSkips: it says so, and counts its steps as done.
func TestWhatAPartSkips(t *testing.T) {
	all, err := load(t, strings.Replace(head, "use:", "engines: [postgresql]\nuse:", 1)+mail)
	if err != nil {
		t.Fatal(err)
	}
	for name, env := range map[string]eval.Env{
		"another engine":   {Engine: world.SQLite},
		"a running server": {Engine: world.PostgreSQL, Server: "127.0.0.1:1"},
	} {
		steps := 0
		env.Progress = func(n int) { steps += n }
		p := script.Part(all[0], nil)
		r, err := p.Run(t.Context(), env)
		if err != nil || r.Skipped == "" || steps != p.Size(env) || p.Name() != "script/a-scenario" {
			t.Errorf("%s: %+v, %v, %d steps", name, r, err, steps)
		}
	}
}

// TestStepsThatHangOnOthers: what asks for a permit and gets none has not come, and what hangs on it is left out; what may
// fail is no finding.
func TestStepsThatHangOnOthers(t *testing.T) {
	text := head + mail + `  - propose: email.send
    arguments: {template: receipt, ref: r, to: [kim@example.com]}
    as: second
  - begin: second
    when: second
  - begin: first
    when: first
  - extend: first
    by: 9999h
    may_fail: true
  - begin: second
    may_fail: true
`
	if r := played(t, text, nil); !r.Passed() {
		t.Fatalf("found is %v", r.Findings)
	}
	if r := played(t, strings.Replace(text, "    may_fail: true\n", "", 1), nil); r.Passed() {
		t.Fatal("an extension by a year was no finding")
	}
	if _, err := script.Part(mustLoad(t, strings.Replace(text, "    when: second\n", "", 1)), nil).Run(t.Context(), eval.Env{Engine: world.SQLite, Dir: t.TempDir()}); err == nil {
		t.Fatal("a begin without a permit was made")
	}
}

func mustLoad(t *testing.T, text string) *script.Scenario {
	t.Helper()
	all, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}
