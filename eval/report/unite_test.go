package report

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/registry"
)

func TestRoundsAreToldAsOne(t *testing.T) {
	one, two := campaign(), campaign()
	two.Seed = 8
	second := &two.Figures[2]
	second.Reconciled, second.ReconcileMean, second.ReconcileP99, second.Runs = 2*788, 5*time.Second, time.Hour, 4000
	before := campaign()
	all := unite([]*eval.Result{one, {Part: "script/x"}, two})
	if len(all) != 2 || all[0].Part != "campaign/a" || all[1].Part != "script/x" {
		t.Fatalf("united to %d", len(all))
	}
	got, ledger := all[0], all[0].Figures[2]
	if ledger.Runs != 6000 || ledger.Duplicates != 2 || ledger.NeedsHumanBudget != 80 || ledger.ByClass[0].Runs != 2000 {
		t.Errorf("counts are not added: %+v", ledger)
	}
	if ledger.ReconcileMean != 35*time.Second || ledger.ReconcileP99 != time.Hour {
		t.Errorf("times: mean %v, p99 %v", ledger.ReconcileMean, ledger.ReconcileP99)
	}
	if got.Drawn[string(registry.Irreversible)][eval.TimeoutAfterCommit] != 2200 || len(got.Findings) != 2 || got.TookMS != 122_000 || len(got.Checked) != 2 {
		t.Errorf("united to %+v", got)
	}
	if !slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, "2 rounds, with the seeds 7 to 8") }) {
		t.Errorf("nothing says that there were rounds: %v", got.Notes)
	}
	if !reflect.DeepEqual(one, before) {
		t.Error("what a round found was changed")
	}
}

// TestEveryCountIsAdded doubles figures of which every field is set: a field that is added later and forgotten in
// addFigures shows here.
func TestEveryCountIsAdded(t *testing.T) {
	var f eval.Figures
	v := reflect.ValueOf(&f).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Int {
			v.Field(i).SetInt(int64(i + 1))
		}
	}
	sum := reflect.ValueOf(addFigures(f, f))
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Int && sum.Field(i).Int() != 2*v.Field(i).Int() {
			t.Errorf("%s is not added", v.Type().Field(i).Name)
		}
	}
}

func TestAPartOfWhichARoundRanHasRun(t *testing.T) {
	if got := unite([]*eval.Result{{Part: "x", Skipped: "no"}, {Part: "x"}}); got[0].Skipped != "" {
		t.Errorf("skipped: %q", got[0].Skipped)
	}
}
