package sqllint_test

import (
	"testing"

	"github.com/opledger/opledger/internal/sqllint"
)

const upMarks = "-- +goose NO TRANSACTION\n-- +goose Up\n"

func TestGoodMigrations(t *testing.T) {
	for _, file := range []string{
		upMarks + `CREATE TABLE IF NOT EXISTS t (id UUID PRIMARY KEY, twice INT8 GENERATED ALWAYS AS (2 * 2) STORED);`,
		upMarks + "CREATE TABLE IF NOT EXISTS t (id UUID PRIMARY KEY);\n-- +goose Down\nDROP TABLE IF EXISTS t;",
		upMarks + `CREATE UNIQUE INDEX IF NOT EXISTS i ON t (a) INCLUDE (b) WHERE c = 'a;b'`,
		upMarks + `ALTER TABLE t ADD COLUMN IF NOT EXISTS a TEXT NOT NULL DEFAULT '', ADD COLUMN IF NOT EXISTS b TEXT`,
		upMarks + `ALTER TABLE t ALTER COLUMN a DROP NOT NULL`,
		upMarks + `ALTER TABLE t DROP COLUMN IF EXISTS a`,
		upMarks + `INSERT INTO epochs (id) VALUES (1) ON CONFLICT (id) DO NOTHING`,
		"-- +goose Up\n-- +goose NO TRANSACTION\nDROP INDEX IF EXISTS i",
	} {
		for _, problem := range sqllint.CheckMigration(file) {
			t.Errorf("%s\nrefused: %v", file, problem)
		}
	}
}

func TestBadMigrations(t *testing.T) {
	for _, test := range []struct{ file, want string }{
		{"-- +goose Up\nDROP TABLE IF EXISTS t", "NO TRANSACTION"},
		{"-- +goose NO TRANSACTION\nDROP TABLE IF EXISTS t", "+goose Up"},
		{upMarks + "-- nothing", "no statement"},
		{upMarks + "DROP TABLE IF EXISTS t; DROP TABLE IF EXISTS u", "second statement"},
		{upMarks + "DROP TABLE IF EXISTS t;\n-- +goose Down\nDROP TABLE t", "IF EXISTS"},
		{upMarks + "CREATE TABLE t (id TEXT)", "IF NOT EXISTS"},
		{upMarks + "CREATE INDEX i ON t (a)", "IF NOT EXISTS"},
		{upMarks + "CREATE UNIQUE INDEX i ON t (a)", "IF NOT EXISTS"},
		{upMarks + "CREATE TABLE IF NOT EXISTS t AS SELECT 1", "schema and rows at once"},
		{upMarks + "CREATE TYPE t AS ENUM ('a')", "does not begin with CREATE"},
		{upMarks + "ALTER TABLE t ADD COLUMN a TEXT", "ADD COLUMN IF NOT EXISTS"},
		{upMarks + "ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0)", "ADD COLUMN IF NOT EXISTS"},
		{upMarks + "ALTER TABLE t DROP COLUMN a", "IF EXISTS"},
		{upMarks + "ALTER TABLE t RENAME COLUMN a TO b", "RENAME"},
		{upMarks + "ALTER TYPE t ADD VALUE 'b'", "only ALTER TABLE"},
		{upMarks + "INSERT INTO t VALUES (1)", "ON CONFLICT"},
		{upMarks + "UPDATE t SET a = 1", "does not begin with UPDATE"},
		{upMarks + "CREATE TABLE IF NOT EXISTS t (id SERIAL)", "sequences"},
	} {
		t.Run(test.want, func(t *testing.T) {
			wantProblem(t, sqllint.CheckMigration(test.file), test.want)
		})
	}
}

func TestMigrationProblemsNameTheFilesLine(t *testing.T) {
	problems := sqllint.CheckMigration(upMarks + "\n-- why\nCREATE TABLE IF NOT EXISTS t (\n\tid SERIAL\n)")
	if len(problems) != 1 || problems[0].Line != 6 {
		t.Errorf("problems %v, want one in line 6", problems)
	}
}
