package script_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/script"
	"github.com/opledger/opledger/eval/world"
)

// befallen is an operation that two servers carry out between them, whose first attempt meets something.
const befallen = `name: befallen
title: The first attempt of a server meets something
dimension: retry_safety
use: [account.debit, letter.post]
tools:
  - from: letter.post
    name: wire.out
    class: IRREVERSIBLE
    identity: {key_template: "wire:{ref}"}
    policy: {approval: {waived: {reason: "Nobody is asked here."}}}
  - from: letter.post
    name: letter.waived
    identity: {key_template: "letter_waived:{ref}"}
    permit: {begin_required: false, waive_reason: "Its silence proves nothing."}
steps:
  - propose: %[1]s
    arguments: {ref: order_1}
    as: first
  - plan: first
    key: order_1
    faults: [%[2]s, none]
  - get: first
    server: twin
  - repeat: 6
    steps:
      - settle: due
        server: each
      - pass: 20s
  - propose: %[1]s
    arguments: {ref: order_1}
  - repeat: 20
    steps:
      - pass: 3m
      - settle: due
        server: each
`

// TestServersUnderEachFault: whatever the first attempt meets, in each class, the checkers find nothing. On SQLite alone:
// what is sent hangs on the core and the executor, which are the same on every engine.
func TestServersUnderEachFault(t *testing.T) {
	faults := slices.Concat(eval.ProviderFaults, []eval.Fault{eval.CrashBeforeSend, eval.CrashAfterSend, eval.FreezeBeforeSend})
	for _, tool := range []string{"account.debit", "letter.post", "letter.waived", "wire.out"} {
		for _, f := range faults {
			t.Run(tool+"/"+string(f), func(t *testing.T) {
				t.Parallel()
				all, err := load(t, fmt.Sprintf(befallen, tool, f))
				if err != nil {
					t.Fatal(err)
				}
				result, err := script.Part(all[0], check.All).Run(t.Context(), eval.Env{Engine: world.SQLite, Dir: t.TempDir(), Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range result.Findings {
					t.Errorf("%s: %s\n\t%s", f.Checker, f.Message, strings.Join(f.History, "\n\t"))
				}
			})
		}
	}
}
