package ledger_test

import (
	"slices"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// noted lists what is noted for subscribers, as kinds and states.
func noted(w *ledgertest.World) []string {
	var all []string
	for _, r := range w.Records(ledger.RecordNotice) {
		n := r.(*ledger.Notice)
		all = append(all, string(n.NoticeKind)+" "+string(n.State))
	}
	slices.Sort(all)
	return all
}

// TestEndsAreNotedWhereSomebodyWantsThem: a namespace that tells nobody pays no row for each end.
func TestEndsAreNotedWhereSomebodyWantsThem(t *testing.T) {
	for name, c := range map[string]struct {
		kinds [][]ledger.NoticeKind // of one subscription after another
		want  []string
	}{
		"nobody": {nil, nil},
		"others": {[][]ledger.NoticeKind{{ledger.NoticeIncident}}, nil},
		"ends":   {[][]ledger.NoticeKind{{ledger.NoticeEnded}}, []string{"operation_ended completed_success"}},
		"both": {[][]ledger.NoticeKind{{ledger.NoticeEnded}, {ledger.NoticeUnknown, ledger.NoticeEnded}},
			[]string{"operation_ended completed_success", "outcome_unknown unknown_outcome"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			for i, kinds := range c.kinds {
				s := subscribing("sub_" + string(rune('1'+i)))
				s.Kinds = kinds
				kept(t, w, s)
			}
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeAmbiguous))
			w.Found(h.Now(), "ch_1")
			if have := noted(w); !slices.Equal(have, c.want) {
				t.Errorf("noted are %q, want %q", have, c.want)
			}
		})
	}
}

// TestEndsAreNotedFromAnUpdateOn, and in the namespace of the subscription alone.
func TestEndsAreNotedFromAnUpdateOn(t *testing.T) {
	w := ledgertest.New(t)
	made := kept(t, w, subscribing("sub_1"))
	wantOK(t, w.Execute(capture).Says(ledger.OutcomeSucceeded))
	kept(t, w, &ledger.UpdateSubscription{Request: request("update", "u"), ID: "sub_1", Definition: []byte(`{}`), Kinds: []ledger.NoticeKind{ledger.NoticeEnded}, Etag: made.Etag()})
	wantOK(t, w.Execute(upsert).Says(ledger.OutcomeRejected))
	elsewhere := email
	elsewhere.Namespace = "south"
	h := w.Execute(elsewhere)
	wantOK(t, h.Begin())
	wantOK(t, h.Says(ledger.OutcomeSucceeded))
	if have := noted(w); !slices.Equal(have, []string{"operation_ended failed_permanent"}) {
		t.Errorf("noted are %q", have)
	}
}
