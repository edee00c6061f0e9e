package canon

import "testing"

func TestRedactHidesWhatThePointersReachAndNothingElse(t *testing.T) {
	const document = `{"a":{"b":1,"c":2},"l":[{"k":1},{"k":2},3],"s":"x","*":4}`
	for pointers, want := range map[string]string{
		"":         `"…"`, // the whole document
		"/a":       `{"*":4,"a":"…","l":[{"k":1},{"k":2},3],"s":"x"}`,
		"/a/b":     `{"*":4,"a":{"b":"…","c":2},"l":[{"k":1},{"k":2},3],"s":"x"}`,
		"/a/*":     `{"*":4,"a":{"b":"…","c":"…"},"l":[{"k":1},{"k":2},3],"s":"x"}`,
		"/l/*/k":   `{"*":4,"a":{"b":1,"c":2},"l":[{"k":"…"},{"k":"…"},3],"s":"x"}`,
		"/l/*":     `{"*":4,"a":{"b":1,"c":2},"l":["…","…","…"],"s":"x"}`,
		"/l/0":     `{"*":4,"a":{"b":1,"c":2},"l":[{"k":1},{"k":2},3],"s":"x"}`,
		"/none":    `{"*":4,"a":{"b":1,"c":2},"l":[{"k":1},{"k":2},3],"s":"x"}`,
		"/s/below": `{"*":4,"a":{"b":1,"c":2},"l":[{"k":1},{"k":2},3],"s":"x"}`,
		"a":        `{"*":4,"a":{"b":1,"c":2},"l":[{"k":1},{"k":2},3],"s":"x"}`, // no pointer
	} {
		if got := string(Redact(mustParse(t, document), []string{pointers}).Canonical()); got != want {
			t.Errorf("%s gives %s", pointers, got)
		}
	}
	if got := string(Redact(mustParse(t, document), []string{"/s", "bad", "/l"}).Canonical()); got != `{"*":4,"a":{"b":1,"c":2},"l":"…","s":"…"}` {
		t.Error(got)
	}
}
