package campaign

import (
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/world"
)

func playAll(t *testing.T, o world.Options, runs []Run) []eval.Record {
	t.Helper()
	s, err := openStage(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.close() }()
	var records []eval.Record
	i := 0
	err = s.playAll(func() (Run, bool) {
		if i == len(runs) {
			return Run{}, false
		}
		i++
		return runs[i-1], true
	}, func(_ Run, r eval.Record) { records = append(records, r) })
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func TestSlice(t *testing.T) {
	shown := 0
	for _, r := range playAll(t, world.Options{Engine: world.SQLite, Dir: t.TempDir()}, Draw(1, 500, Keeps)) {
		for _, f := range judge(r) {
			if shown++; shown < 12 {
				t.Errorf("%+v", f.Message)
				for _, s := range r.Steps {
					t.Log(s)
				}
			}
		}
	}
	t.Log(shown)
}
