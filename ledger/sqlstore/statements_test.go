package sqlstore

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"testing"

	"github.com/opledger/opledger/internal/sqllint"
)

func TestStatementsArePortable(t *testing.T) {
	for _, statement := range portable {
		for _, problem := range sqllint.Check(statement) {
			t.Errorf("%v in\n%s", problem, statement)
		}
	}
}

// TestEveryStatementIsListed keeps a new statement from going round the check above.
func TestEveryStatementIsListed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "statements.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	partOfStatement := regexp.MustCompile(`(Columns|Arrays|Where|Order)$`)
	listed, constants := map[string]bool{}, []string{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok != token.CONST {
				return true
			}
			for _, spec := range n.Specs {
				constants = append(constants, spec.(*ast.ValueSpec).Names[0].Name)
			}
			return false
		case *ast.CompositeLit:
			for _, element := range n.Elts {
				listed[element.(*ast.Ident).Name] = true
			}
		}
		return true
	})
	if len(constants) < 40 {
		t.Fatalf("found only %d constants", len(constants))
	}
	for _, name := range constants {
		if !partOfStatement.MatchString(name) && !listed[name] {
			t.Errorf("the statement %s is not listed", name)
		}
	}
}

func TestMigrationsCanBeRunAgain(t *testing.T) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("no migrations: %v", err)
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range sqllint.CheckMigration(string(text)) {
			t.Errorf("%s: %v", name, problem)
		}
	}
}
