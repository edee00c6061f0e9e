package script_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opledger/opledger/eval/script"
	"github.com/opledger/opledger/eval/world"
)

// head begins a good file; steps follow in line 6.
const head = `name: a-scenario
title: Something
dimension: retry_safety
use: [email.send]
steps:
`

// mail is a good first step, of lines 6 to 8.
const mail = `  - propose: email.send
    arguments: {template: receipt, ref: r, to: [kim@example.com]}
    as: first
`

func sharedTools(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("scenarios/tools.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func load(t *testing.T, text string) ([]*script.Scenario, error) {
	t.Helper()
	return script.Load(fstest.MapFS{
		"tools.yaml": {Data: []byte(sharedTools(t))},
		"a.yaml":     {Data: []byte(text)},
	})
}

// TestFaultsNameTheirLine: whatever is wrong in a file is found before anything runs.
func TestFaultsNameTheirLine(t *testing.T) {
	for name, tc := range map[string]struct{ text, place, says string }{
		"an unknown part":               {"colour: red\n" + head + mail, "a.yaml:1", "colour"},
		"no dimension":                  {"name: a\ntitle: b\nsteps:\n" + mail, "a.yaml:1", "dimension"},
		"a strange dimension":           {"dimension: speed\n", "a.yaml:1", "retry_safety"},
		"a strange name":                {strings.Replace(head, "a-scenario", "A Scenario", 1) + mail, "a.yaml:1", "lower-case"},
		"a strange engine":              {"engines: [oracle]\n" + head + mail, "a.yaml:1", "postgresql"},
		"a tool that is not shared":     {strings.Replace(head, "email.send", "email.sent", 1) + mail, "a.yaml:4", "email.sent"},
		"no steps":                      {strings.TrimSuffix(head, "\n") + " []\n", "a.yaml:5", "list of steps"},
		"no verb":                       {head + "  - as: first\n", "a.yaml:6", "propose"},
		"two verbs":                     {head + mail + "    begin: first\n", "a.yaml:9", "begin"},
		"a field that no request has":   {head + mail + "    colour: red\n", "a.yaml:9", "colour"},
		"a field twice":                 {head + mail + "    as: second\n", "a.yaml:9", "twice"},
		"an alias":                      {head + "  - pass: &d 1s\n  - pass: *d\n", "a.yaml:6", "alias"},
		"an unknown label":              {head + mail + "  - begin: second\n", "a.yaml:9", "second"},
		"a label of a later step":       {head + "  - begin: first\n" + mail, "a.yaml:6", "first"},
		"a label without a permit":      {head + mail + "  - begin: first\n    as: begun\n  - report: begun\n", "a.yaml:11", "begun"},
		"a wrong number":                {head + mail + "    tool_version: two\n", "a.yaml:9", "two"},
		"a wrong length of time":        {head + "  - pass: soon\n", "a.yaml:6", "soon"},
		"a wrong enum":                  {head + mail + "  - report: first\n    ambiguous: {kind: MAYBE}\n", "a.yaml:10", "TIMEOUT"},
		"an unknown fault":              {head + mail + "  - send: first\n    key: k\n    fault: bad_luck\n", "a.yaml:11", "bad_luck"},
		"a fault of a process":          {head + mail + "  - send: first\n    key: k\n    fault: server_restart\n", "a.yaml:11", "server_restart"},
		"a plan without a key":          {head + mail + "  - plan: first\n    faults: [none]\n", "a.yaml:9", "business key"},
		"a plan with bad luck":          {head + mail + "  - plan: first\n    key: k\n    faults: [bad_luck]\n", "a.yaml:11", "bad_luck"},
		"a plan with a stranger's word": {head + mail + "  - plan: first\n    key: k\n    fault: none\n", "a.yaml:11", "faults"},
		"a plan of nothing":             {head + mail + "  - plan: second\n    key: k\n", "a.yaml:9", "second"},
		"a send without a key":          {head + mail + "  - send: first\n", "a.yaml:9", "business key"},
		"an unknown caller":             {head + mail + "    caller: eve\n", "a.yaml:9", "eve"},
		"an unknown server":             {head + mail + "    server: third\n", "a.yaml:9", "twin"},
		"when, of nobody":               {head + mail + "    when: second\n", "a.yaml:9", "second"},
		"neither true nor false":        {head + mail + "    may_fail: perhaps\n", "a.yaml:9", "true or false"},
		"lost, or not":                  {head + mail + "    lost: perhaps\n", "a.yaml:9", "true or false"},
		"too often":                     {head + mail + "    times: 100000\n", "a.yaml:9", "1000"},
		"an expectation of nothing":     {head + "  - pass: 1s\n    expect: {state: DISPATCHED}\n", "a.yaml:7", "answers nothing"},
		"a field that no answer has":    {head + mail + "    expect: {colour: red}\n", "a.yaml:9", "colour"},
		"a field below, that is none":   {head + mail + "    expect: {permit: {colour: red}}\n", "a.yaml:9", "colour"},
		"a decision that is none":       {head + mail + "    expect: {decision: PERHAPS}\n", "a.yaml:9", "EXECUTE"},
		"a state that is none":          {head + mail + "    expect: {state: DONE}\n", "a.yaml:9", "DONE"},
		"a reason that is none":         {head + mail + "    expect: {error: BAD_LUCK}\n", "a.yaml:9", "BAD_LUCK"},
		"a detail that is none":         {head + mail + "    expect: {error: {details: {Luck: {}}}}\n", "a.yaml:9", "Luck"},
		"a count of what is none":       {head + mail + "    expect: {count: {PERHAPS: 1}}\n", "a.yaml:9", "PERHAPS"},
		"a reference to nobody":         {head + mail + "    expect: {decision_id: \"${second.decision_id}\"}\n", "a.yaml:9", "second"},
		"a reference to no field":       {head + mail + "  - propose: email.send\n    arguments: {ref: \"${first.colour}\"}\n", "a.yaml:10", "colour"},
		"half a reference":              {head + mail + "  - propose: email.send\n    arguments: {ref: \"${first}\"}\n", "a.yaml:10", "${label.field}"},
		"a call that is none":           {head + "  - call: LeaseService/StealLease\n    with: {}\n", "a.yaml:6", "StealLease"},
		"a service that is none":        {head + "  - call: LuckService/Try\n", "a.yaml:6", "LuckService"},
		"a stream":                      {head + "  - call: OperationService/WatchOperation\n", "a.yaml:6", "one answer"},
		"an end that is none":           {head + mail + "finally: {luck: 1}\n", "a.yaml:9", "luck"},
		"an end of an unknown label":    {head + mail + "finally:\n  operations:\n    second: {state: DISPATCHED}\n", "a.yaml:11", "second"},
		"an end of a field that is no":  {head + mail + "finally:\n  operations:\n    first: {colour: red}\n", "a.yaml:11", "colour"},
		"a number of effects that is 2": {head + mail + "finally: {effects: {k: two}}\n", "a.yaml:9", "number"},
		"a role that is none":           {head + mail + "callers:\n  eve: {roles: [steal]}\n", "a.yaml:10", "steal"},
		"roles that are not apart":      {head + mail + "callers:\n  eve: {roles: [propose, approve], person: e}\n", "a.yaml:10", "never may"},
		"a tool without a name":         {head + mail + "tools:\n  - {class: PURE_READ}\n", "a.yaml:10", "name"},
		"a tool with an unknown field":  {head + mail + "tools:\n  - {name: x.y, colour: red}\n", "a.yaml:10", "colour"},
		"a tool from nobody":            {head + mail + "tools:\n  - {from: x.y}\n", "a.yaml:10", "x.y"},
		"sources that are none":         {head + mail + "webhooks: \"sources: []\"\n", "a.yaml:9", "source"},
		"steps where none belong":       {head + "  - pass: 1s\n    steps: [{pass: 1s}]\n", "a.yaml:7", "steps"},
		"a repeat of nothing":           {head + "  - repeat: 2\n", "a.yaml:6", "steps"},
		"two documents":                 {head + mail + "---\nname: b\n", "a.yaml", "one scenario"},
		"no YAML":                       {"name: [", "a.yaml", "yaml"},
		"a fault inside a repeat":       {head + "  - repeat: 2\n    steps:\n      - pass: 1s\n        colour: red\n", "a.yaml:9", "colour"},
		"a bad fault in a lookup":       {head + mail + "  - lookup: first\n    colour: red\n", "a.yaml:10", "colour"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, tc.text)
			if err == nil {
				t.Fatal("the file was taken")
			}
			if !strings.HasPrefix(err.Error(), tc.place+":") || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("got %q; want %s and a word of %q", err, tc.place, tc.says)
			}
		})
	}
}

func TestEveryFaultyFileIsTold(t *testing.T) {
	_, err := script.Load(fstest.MapFS{"a.yaml": {Data: []byte("colour: red")}, "b.yaml": {Data: []byte("colour: blue")}})
	if err == nil || !strings.Contains(err.Error(), "a.yaml:1") || !strings.Contains(err.Error(), "b.yaml:1") {
		t.Fatalf("got %v", err)
	}
}

func TestANameIsOneScenarios(t *testing.T) {
	_, err := script.Load(fstest.MapFS{
		"tools.yaml": {Data: []byte(sharedTools(t))}, "a.yaml": {Data: []byte(head + mail)}, "b.yaml": {Data: []byte(head + mail)},
	})
	if err == nil || !strings.Contains(err.Error(), "b.yaml") || !strings.Contains(err.Error(), "a.yaml") {
		t.Fatalf("got %v", err)
	}
}

func TestABadToolFileIsTold(t *testing.T) {
	_, err := script.Load(fstest.MapFS{"tools.yaml": {Data: []byte("name: x.y\ncolour: red\n")}})
	if err == nil || !strings.Contains(err.Error(), "tools.yaml:2") {
		t.Fatalf("got %v", err)
	}
}

// TestTheExampleOfTheREADME: what the page shows whole is taken, and passes.
func TestTheExampleOfTheREADME(t *testing.T) {
	text, err := os.ReadFile("scenarios/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, found := strings.Cut(string(text), "```yaml\n")
	example, _, closed := strings.Cut(example, "```")
	if !found || !closed {
		t.Fatal("the page has no example")
	}
	all, err := load(t, example)
	if err != nil {
		t.Fatal(err)
	}
	run(t.Context(), t, all[0], world.SQLite, "")
}
