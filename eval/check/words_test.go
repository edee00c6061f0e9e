package check

import (
	"strings"
	"testing"
)

// TestWordsClaim: what sentences claim, by their words. The first ones are said today; the others say what must not be said.
func TestWordsClaim(t *testing.T) {
	for text, want := range map[string]claims{
		"The request is being carried out.": {},
		"You hold the one permit for this operation. Carry it out once, exactly as given, and report its outcome.":                                                                   {},
		"The operation is being carried out by another call. Do not carry it out yourself. Wait, then make the same call again, unchanged, to get its result.":                       {repeats: true},
		"The status of this request is being confirmed by a person.":                                                                                                                 {hedges: true},
		"It is not known whether the operation happened, and a person has been asked. Do not repeat it, do not use another tool for it, and do not say that it succeeded or failed.": {hedges: true},
		"It is not known yet whether the operation happened. It is being found out. Do not repeat it, do not use another tool for it, and do not say that it succeeded or failed.":   {hedges: true},
		"The request was accepted and is being processed.":                                                                                                                           {},
		"The provider has taken the request and is to finish it. It is not known yet whether it has. Do not repeat it, and do not say that it succeeded or failed.":                  {hedges: true},
		"The request was accepted and waits to be carried out.":                                                                                                                      {},
		"The operation is recorded and waits to be carried out for you. It is not done yet, and do not say that it is. Do not carry it out yourself.":                                {soFar: true},
		"A person must approve this before it is done; nothing was done yet. Do not rephrase the call or use another tool.":                                                          {notDone: true},
		"The last try is known to have had no effect. It is to be tried again for you. Do not carry it out yourself.":                                                                {notDone: true},
		"The request has not been carried out yet and can be tried again.":                                                                                                           {notDone: true},
		"This request could not be carried out; nothing was done.":                                                                                                                   {notDone: true},
		"The operation is known not to have happened and will not happen. Do not call again.":                                                                                        {notDone: true},
		"This was a plan only, and nothing was done now. The operation exists already: make the call itself to get its answer.":                                                      {},
		"This has been done.": {done: true},
		"This was already done on 1 March 2026 09:00:00 UTC; no new one was made.":                                                                                                                 {done: true},
		"This operation was already carried out on 1 March 2026 09:00:00 UTC. The recorded result is the answer, and no new effect was made now. Use it; do not call again.":                       {done: true},
		"It was already so: nothing had to be done. Do not call again.":                                                                                                                            {},
		"The operation was carried out and is to be undone, which is not finished; a person has been asked. Do not call again, do not undo it by another tool, and do not say that it was undone.": {done: true, soFar: true},
		"This was done and has been undone.":            {done: true, undone: true},
		"Do not worry, it was sent.":                    {done: true},
		"The payment went through.":                     {done: true},
		"The refund succeeded.":                         {done: true},
		"The transfer was not sent.":                    {notDone: true},
		"It didn't work.":                               {notDone: true},
		"The operation failed. Nothing was done.":       {notDone: true},
		"It will be done shortly.":                      {promises: true},
		"This has been done again on 1 March 2026.":     {done: true, again: true},
		"Use another occurrence to get it through.":     {teaches: true},
		"If you need it twice, call it with a new key.": {teaches: true},
		"Try it again with slightly different words.":   {teaches: true, repeats: true},
		"It may have happened.":                         {},
	} {
		if got := read(strings.ToLower(text)); got != want {
			t.Errorf("%q\nclaims %+v\nwant   %+v", text, got, want)
		}
	}
}
