package callers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestTheDocumentationNamesEveryRoleAndFault: both are what operators look up there.
func TestTheDocumentationNamesEveryRoleAndFault(t *testing.T) {
	page, err := os.ReadFile("../docs/callers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range Roles {
		if !strings.Contains(string(page), "\n| `"+string(role)+"` |") {
			t.Errorf("the table of roles lacks %s", role)
		}
	}
	source, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	faults := 0
	ast.Inspect(source, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Fault") {
			return true
		}
		word, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil || !strings.Contains(string(page), "`"+word+"`") {
			t.Errorf("the table of faults lacks %s: %v", word, err)
		}
		faults++
		return true
	})
	if faults < 20 {
		t.Errorf("only %d faults were found", faults)
	}
}
