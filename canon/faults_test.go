package canon

import "testing"

// TestEveryFaultIsToldWithItsPlace: who repairs a call repairs all of it at once.
func TestEveryFaultIsToldWithItsPlace(t *testing.T) {
	arguments := mustNormalize(t, mustCompile(t, Rules{}), `{"b":null}`)
	_, _, faults := mustTemplate(t, "p:{a}:{b}").Render(Parts{Arguments: arguments, Version: 1})
	if len(faults) != 2 || faults[0].Pointer != "/a" || faults[1].Pointer != "/b" {
		t.Errorf("%v", faults)
	}
	told := Faults{{Reason: ReasonTooLarge, Message: "It is long."}, {"/a", ReasonEmpty, "It is empty."}}
	if got, want := told.Error(), "(document): It is long. [TOO_LARGE]\n/a: It is empty. [EMPTY]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if told.Err() == nil || (Faults{}).Err() != nil || Faults(nil).Err() != nil {
		t.Error("no fault is no error")
	}
}
