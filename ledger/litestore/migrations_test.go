package litestore

import (
	"io/fs"
	"testing"

	"github.com/opledger/opledger/internal/sqllint"
)

// TestMigrationsCanBeRunAgain holds the files to one statement each that can be run again, or that is done with its record.
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
		for _, problem := range sqllint.CheckSQLiteMigration(string(text)) {
			t.Errorf("%s: %v", name, problem)
		}
	}
}
