package sqlstore

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/opledger/opledger/internal/sqllint"
)

func TestStatementsArePortable(t *testing.T) {
	statements := portable
	for _, of := range recordsOf {
		statements = append(statements, of.texts()...)
	}
	for _, statement := range statements {
		for _, problem := range sqllint.Check(statement) {
			t.Errorf("%v in\n%s", problem, statement)
		}
	}
}

// TestEveryStatementIsListed keeps a new statement from going round the check above.
func TestEveryStatementIsListed(t *testing.T) {
	partOfStatement := regexp.MustCompile(`(Columns|Arrays|Where|Order)$`)
	listed, constants := map[string]bool{}, []string{}
	for _, name := range []string{"statements.go", "statements_decisions.go", "statements_work.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
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
	}
	if len(constants) < 50 {
		t.Fatalf("found only %d constants", len(constants))
	}
	for _, name := range constants {
		if !partOfStatement.MatchString(name) && !listed[name] {
			t.Errorf("the statement %s is not listed", name)
		}
	}
}

// TestEveryStatementOfARecordIsListed does the same for the statements that are made for each table of records.
func TestEveryStatementOfARecordIsListed(t *testing.T) {
	for kind, of := range recordsOf {
		listed := of.texts()
		v := reflect.ValueOf(of)
		want := len(of.lists)
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.String && f.String() != "" {
				want++
				if !slices.Contains(listed, f.String()) {
					t.Errorf("%s: the statement %s is not listed", kind, v.Type().Field(i).Name)
				}
			}
		}
		if len(listed) != want || len(of.lists) < 2 {
			t.Errorf("%s: %d statements are listed of %d", kind, len(listed), want)
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
