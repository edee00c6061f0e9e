package report

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/opledger/opledger/eval"
)

// TestThePageOfDocumentsNamesWhatProgramsRead holds docs/eval.md to the figures and fields that there are.
func TestThePageOfDocumentsNamesWhatProgramsRead(t *testing.T) {
	text, err := os.ReadFile("../../docs/eval.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range figures {
		names = append(names, f.Name)
	}
	for _, d := range dimensions {
		names = append(names, string(d.Dimension), d.Asks)
	}
	for _, v := range []any{About{}, Report{}, Broken{}, PartFigures{}, eval.Result{}, eval.Finding{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			if name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ","); name != "" {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		if !strings.Contains(string(text), name) {
			t.Errorf("docs/eval.md does not tell of %s", name)
		}
	}
}
