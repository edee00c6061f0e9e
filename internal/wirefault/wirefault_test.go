package wirefault_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/internal/wirefault"
)

// modes are all the ways in which pgx speaks the protocol.
var modes = map[string]pgx.QueryExecMode{
	"cache statement": pgx.QueryExecModeCacheStatement,
	"cache describe":  pgx.QueryExecModeCacheDescribe,
	"describe exec":   pgx.QueryExecModeDescribeExec,
	"exec":            pgx.QueryExecModeExec,
	"simple protocol": pgx.QueryExecModeSimpleProtocol,
}

func eachMode(t *testing.T, test func(t *testing.T, mode pgx.QueryExecMode)) {
	for name, mode := range modes {
		t.Run(name, func(t *testing.T) { test(t, mode) })
	}
}

// world is a schema with one empty table, a proxy before it, and a connection past the proxy to see the truth.
type world struct {
	*wirefault.Proxy
	direct *pgx.Conn
}

func newWorld(t *testing.T, options ...wirefault.Option) world {
	t.Helper()
	schema := pgtest.NewSchema(t)
	direct := connect(t, schema, pgx.QueryExecModeCacheStatement)
	if _, err := direct.Exec(t.Context(), "CREATE TABLE entries (id INT PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	return world{wirefault.Start(t, schema, options...), direct}
}

func connect(t *testing.T, url string, mode pgx.QueryExecMode) *pgx.Conn {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	config.DefaultQueryExecMode = mode
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// connect connects through the proxy.
func (w world) connect(t *testing.T, mode pgx.QueryExecMode) *pgx.Conn {
	t.Helper()
	return connect(t, w.URL(), mode)
}

// rows is the number of rows that are committed.
func (w world) rows(t *testing.T) int {
	t.Helper()
	var n int
	if err := w.direct.QueryRow(t.Context(), "SELECT count(*) FROM entries").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func (w world) wantRows(t *testing.T, want int) {
	t.Helper()
	if got := w.rows(t); got != want {
		t.Errorf("%d rows are committed, want %d", got, want)
	}
}

const insertEntry = "INSERT INTO entries (id) VALUES ($1)"

func begin(t *testing.T, conn *pgx.Conn) pgx.Tx {
	t.Helper()
	tx, err := conn.BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.Serializable})
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

func insert(t *testing.T, tx pgx.Tx, id int) {
	t.Helper()
	if _, err := tx.Exec(t.Context(), insertEntry, id); err != nil {
		t.Fatal(err)
	}
}

func wantState(t *testing.T, err error, want string) {
	t.Helper()
	var pgError *pgconn.PgError
	if !errors.As(err, &pgError) || pgError.Code != want {
		t.Fatalf("error %v, want SQLSTATE %s", err, want)
	}
}

// wantBroken wants an error of the connection, with no word from the server.
func wantBroken(t *testing.T, conn *pgx.Conn, err error) {
	t.Helper()
	var pgError *pgconn.PgError
	if err == nil || errors.As(err, &pgError) {
		t.Fatalf("error %v, want a broken connection", err)
	}
	if !conn.IsClosed() {
		t.Error("the client holds its connection to be open")
	}
}

func wantHits(t *testing.T, injection *wirefault.Injection, want int) {
	t.Helper()
	if got := injection.Hits(); got != want {
		t.Errorf("the rule acted on %d statements, want %d", got, want)
	}
}

// wantUsable runs a whole transaction, as a pool would on a connection that was given back.
func wantUsable(t *testing.T, conn *pgx.Conn, id int) {
	t.Helper()
	tx := begin(t, conn)
	insert(t, tx, id)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatalf("the connection is not usable after the fault: %v", err)
	}
}

func await(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("waited in vain until %s", what)
	}
}
