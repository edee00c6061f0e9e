package server_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// refusing are the functions that make an error for a caller, of the core and of the edge.
var refusing = map[string][]string{"*.go": {"fail", "invalidField"}, "../ledger/*.go": {"refuse", "invalid"}}

// TestEveryErrorSaysWhatNext: an error for a caller says what is so, and after that what to do about it. The sentences are
// read from the sources: no test reaches all of them.
func TestEveryErrorSaysWhatNext(t *testing.T) {
	found := 0
	for pattern, functions := range refusing {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if f, ok := call.Fun.(*ast.Ident); !ok || !slices.Contains(functions, f.Name) {
					return true
				}
				for _, argument := range call.Args {
					said := sentence(argument)
					if !strings.Contains(said, " ") {
						continue // a field's name, or a message that is made elsewhere
					}
					found++
					if !strings.ContainsAny(strings.TrimRight(said, "."), ";:.") {
						t.Errorf("%s: %q does not say what to do", set.Position(call.Pos()), said)
					}
				}
				return true
			})
		}
	}
	if found < 100 {
		t.Fatalf("only %d sentences were found", found)
	}
}

// sentence is what an expression says by its literals, with a mark for each value between them.
func sentence(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		return sentence(e.X) + sentence(e.Y)
	case *ast.CallExpr: // fmt.Sprintf
		if len(e.Args) > 0 {
			return sentence(e.Args[0])
		}
	}
	return "%"
}
