package sqllint_test

import (
	"testing"

	"github.com/opledger/opledger/internal/sqllint"
)

func TestSQLiteMigrations(t *testing.T) {
	const column = "ALTER TABLE t ADD COLUMN a TEXT NOT NULL DEFAULT '';"
	for _, file := range []string{"-- +goose Up\n" + column, upMarks + "CREATE TABLE IF NOT EXISTS t (id TEXT)"} {
		for _, problem := range sqllint.CheckSQLiteMigration(file) {
			t.Errorf("%s\nrefused: %v", file, problem)
		}
	}
	for _, test := range []struct{ file, want string }{
		{upMarks + column, "leave -- +goose NO TRANSACTION out"},
		{upMarks + "DROP TABLE IF EXISTS t;\n-- +goose Down\n" + column, "ADD COLUMN IF NOT EXISTS"},
		{upMarks + "ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0)", "ADD COLUMN IF NOT EXISTS"},
		{"-- +goose Up\nCREATE TABLE IF NOT EXISTS t (id TEXT)", "NO TRANSACTION"},
	} {
		t.Run(test.want, func(t *testing.T) { wantProblem(t, sqllint.CheckSQLiteMigration(test.file), test.want) })
	}
}
