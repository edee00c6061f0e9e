package sqllint_test

import (
	"strings"
	"testing"

	"github.com/opledger/opledger/internal/sqllint"
)

func TestPortableStatements(t *testing.T) {
	for name, statement := range map[string]string{
		"claim due work": `
			UPDATE due_work SET claimed_by = $1, claimed_until = now() + $2::INTERVAL
			WHERE (shard, id) IN (SELECT shard, id FROM due_work WHERE due_at <= now() ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
			RETURNING id`,
		"many rows at once": `
			INSERT INTO operations (key, amount) SELECT * FROM unnest($1::TEXT[], CAST($2 AS INT8[]), $3::DOUBLE PRECISION[])
			ON CONFLICT (key) DO NOTHING RETURNING key;`,
		"plain inserts repeat": `
			WITH a AS (INSERT INTO events (id) VALUES ($1)), b AS (INSERT INTO events (id) VALUES ($2)) SELECT 1`,
		"one write for each table": `
			WITH a AS (UPDATE operations SET state = $1 WHERE id = $2 RETURNING id),
			     b AS (INSERT INTO locks (id) VALUES ($3) ON CONFLICT (id) DO UPDATE SET id = excluded.id),
			     c AS (DELETE FROM due_work WHERE id = $2)
			INSERT INTO events (operation_id) SELECT id FROM a`,
		"upsert with FOR UPDATE": `
			INSERT INTO t (a) SELECT a FROM t WHERE b FOR UPDATE`,
		"cascade":                  `CREATE TABLE IF NOT EXISTS t (id UUID PRIMARY KEY REFERENCES u (id) ON DELETE CASCADE ON UPDATE CASCADE)`,
		"words in a string":        `SELECT 'LISTEN to xmin; nextval(%s) ? {', E'it\'s xmin', $$xmin$$, $tag$ $$ xmin $tag$`,
		"words in comments":        "SELECT 1 -- xmin\n/* nextval /* serial */ ctid */",
		"words as quoted names":    `SELECT "xmin", "serial" FROM "pg_names"`,
		"names that begin alike":   `SELECT xminimum, internal, settled FROM listeners`,
		"transaction's settings":   `SET TRANSACTION ISOLATION LEVEL SERIALIZABLE`,
		"FETCH FIRST":              `SELECT id FROM t ORDER BY id FETCH FIRST 5 ROWS ONLY`,
		"containment, and a slice": `SELECT a @> $1::JSONB, b[1:n], c % 2, d - 1 FROM t WHERE e::TEXT = 'x'`,
		"a semicolon at the end":   `SELECT 1;`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, problem := range sqllint.Check(statement) {
				t.Errorf("refused: %v", problem)
			}
		})
	}
}

func TestStatementsThatAreNotPortable(t *testing.T) {
	for _, test := range []struct{ statement, want string }{
		{`SELECT pg_advisory_xact_lock($1)`, "advisory locks"},
		{`SELECT pg_notify('a', 'b')`, "notifications"},
		{`LISTEN wakeup`, "poll"},
		{`NOTIFY wakeup`, "poll"},
		{`SET search_path = a`, "SET TRANSACTION"},
		{`SET LOCAL statement_timeout = 5`, "SET TRANSACTION"},
		{`SELECT set_config('a', 'b', true)`, "session settings"},
		{`DISCARD ALL`, "session settings"},
		{`CREATE TEMP TABLE t (id TEXT)`, "temporary"},
		{`SELECT * INTO TEMPORARY t FROM u`, "temporary"},
		{`CREATE TRIGGER t AFTER INSERT ON u EXECUTE FUNCTION f()`, "triggers"},
		{`CREATE OR REPLACE FUNCTION f() RETURNS VOID LANGUAGE SQL AS 'SELECT 1'`, "functions"},
		{`CREATE TABLE t (r TSTZRANGE, EXCLUDE USING gist (r WITH &&))`, "exclusion"},
		{`SELECT XMIN FROM t`, "row versions"},
		{`SELECT txid_current()`, "transaction numbers"},
		{`DECLARE c CURSOR FOR SELECT 1`, "cursors"},
		{`FETCH 10 FROM c`, "cursors"},
		{`DELETE FROM t WHERE CURRENT OF c`, "cursor"},
		{`SELECT 1 FROM t AS OF SYSTEM TIME '-5s'`, "AS OF SYSTEM TIME"},
		{`INSERT INTO t (a) VALUES ($1) ON CONFLICT ON CONSTRAINT t_pkey DO NOTHING`, "columns"},
		{`INSERT INTO t (a) VALUES ($1) ON CONFLICT DO NOTHING`, "columns"},
		{`CREATE SEQUENCE s`, "sequences"},
		{`SELECT nextval('s')`, "sequences"},
		{`CREATE TABLE t (id BIGSERIAL)`, "sequences"},
		{`CREATE TABLE t (id INT8 GENERATED ALWAYS AS IDENTITY)`, "sequences"},
		{`SELECT epoch FROM t FOR SHARE`, "starves"},
		{`SELECT epoch FROM t FOR KEY SHARE`, "starves"},
		{`UPSERT INTO t VALUES (1)`, "UPSERT"},
		{`MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE`, "MERGE"},
		{`CREATE INDEX i ON t (a) STORING (b)`, "INCLUDE"},
		{`SELECT crdb_internal.cluster_id()`, "CockroachDB's own"},
		{`CREATE TABLE t (n INTEGER)`, "32 bits"},
		{`SAVEPOINT cockroach_restart`, "whole transaction"},
		{`PREPARE p AS SELECT 1`, "pooler"},
		{`DO $$ BEGIN END $$`, "decide in Go"},
		{`COPY t FROM STDIN`, "unnest"},
		{`LOCK TABLE t`, "table locks"},
		{`SELECT 1; SELECT 2`, "second statement"},
		{`SELECT * FROM %s WHERE id = $1`, "Sprintf"},
		{`SELECT * FROM t LIMIT %d`, "Sprintf"},
		{`SELECT * FROM t WHERE id = ?`, "write $1"},
		{`SELECT * FROM t WHERE id = :id`, "write $1"},
		{`SELECT * FROM t WHERE id=@id`, "write $1"},
		{`SELECT * FROM {{table}}`, "template"},
		{`SELECT * FROM unnest($1)`, "$1::TEXT[]"},
		{`SELECT * FROM unnest($1::TEXT[], $2)`, "unnest($2)"},
		{`SELECT * FROM unnest($1::TEXT)`, "unnest($1)"},
		{`SELECT * FROM unnest(CAST($1 AS TEXT))`, "unnest($1)"},
	} {
		t.Run(test.statement, func(t *testing.T) {
			wantProblem(t, sqllint.Check(test.statement), test.want)
		})
	}
}

func TestTwoWritesToOneTable(t *testing.T) {
	writes := []string{
		`INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO NOTHING`,
		`UPDATE t SET a = 1`,
		`UPDATE ONLY public."t" AS x SET a = 1`,
		`DELETE FROM T WHERE a = 1`,
		`INSERT INTO t (a) VALUES (1)`,
	}
	const plain = 4 // the last one
	for i, first := range writes {
		for j, second := range writes {
			for _, statement := range []string{
				"WITH x AS (" + first + "), y AS (" + second + ") SELECT 1",
				"WITH x AS (" + first + " RETURNING a) " + second,
			} {
				problems := sqllint.Check(statement)
				if i == plain && j == plain {
					if len(problems) > 0 {
						t.Errorf("%s: refused: %v", statement, problems)
					}
					continue
				}
				wantProblem(t, problems, "table t is modified twice")
			}
		}
	}
}

func TestProblemsNameTheirLine(t *testing.T) {
	problems := sqllint.Check("SELECT 'two\nlines'\n/* a\ncomment */, xmin\nFROM t FOR SHARE")
	if len(problems) != 2 || problems[0].Line != 4 || problems[1].Line != 5 {
		t.Errorf("problems %v, want one in line 4 and one in line 5", problems)
	}
}

// FuzzCheck shows that no text makes the tokenizer stand still or run over the end.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"SELECT 'a", `"`, "$", "$a", "$a$", "/*", "E'\\", "U&'", "unnest($1", "((", "))", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, statement string) {
		for _, problem := range sqllint.Check(statement) {
			if problem.Line < 1 || problem.Line > 1+strings.Count(statement, "\n") {
				t.Errorf("%q has no line %d", statement, problem.Line)
			}
		}
	})
}

func wantProblem(t *testing.T, problems []sqllint.Problem, want string) {
	t.Helper()
	if len(problems) != 1 {
		t.Errorf("problems %v, want one", problems)
	}
	for _, problem := range problems {
		if !strings.Contains(problem.Text, want) {
			t.Errorf("problem %q does not speak of %q", problem.Text, want)
		}
	}
}
