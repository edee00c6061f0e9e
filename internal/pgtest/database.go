package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// databaseTimeout bounds the making or dropping of one database, which takes some ten milliseconds.
const databaseTimeout = 30 * time.Second

// NewDatabase makes an empty database, dropped at the test's end, and returns its URL.
func (s *Server) NewDatabase(tb testing.TB) string {
	tb.Helper()
	return NewDatabaseAt(tb, s.url)
}

// NewDatabaseAt makes an empty database on the server at serverURL, dropped at the test's end, and returns
// its URL. The server may be PostgreSQL or CockroachDB.
func NewDatabaseAt(tb testing.TB, serverURL string) string {
	tb.Helper()
	name := "test_" + strings.ToLower(rand.Text())
	target, err := url.Parse(serverURL)
	if err != nil {
		tb.Fatalf("the server's URL: %v", err)
	}
	target.Path = "/" + name

	ctx, cancel := context.WithTimeout(tb.Context(), databaseTimeout)
	defer cancel()
	if err := execute(ctx, serverURL, "CREATE DATABASE "+name); err != nil {
		tb.Fatalf("make a database: %v", err)
	}
	tb.Cleanup(func() {
		// The test's own context has ended by now.
		ctx, cancel := context.WithTimeout(context.Background(), databaseTimeout)
		defer cancel()
		if err := drop(ctx, serverURL, name); err != nil {
			tb.Errorf("drop a database: %v", err)
		}
	})
	return target.String()
}

// NewSchema makes an empty schema in the shared server's maintenance database, dropped at the test's end, and
// returns a URL whose connections find and make all tables there. It takes a millisecond where a database
// takes a tenth of a second, and serves tests that need no more than tables of their own.
func NewSchema(tb testing.TB) string {
	tb.Helper()
	serverURL := Shared(tb).url
	name := "test_" + strings.ToLower(rand.Text())
	target, err := url.Parse(serverURL)
	if err != nil {
		tb.Fatalf("the server's URL: %v", err)
	}
	query := target.Query()
	query.Set("search_path", name)
	target.RawQuery = query.Encode()

	ctx, cancel := context.WithTimeout(tb.Context(), databaseTimeout)
	defer cancel()
	if err := execute(ctx, serverURL, "CREATE SCHEMA "+name); err != nil {
		tb.Fatalf("make a schema: %v", err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), databaseTimeout)
		defer cancel()
		if err := execute(ctx, serverURL, "DROP SCHEMA "+name+" CASCADE"); err != nil {
			tb.Errorf("drop a schema: %v", err)
		}
	})
	return target.String()
}

func execute(ctx context.Context, serverURL, statement string) error {
	conn, err := pgx.Connect(ctx, serverURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// drop removes a database even while somebody is still connected to it.
func drop(ctx context.Context, serverURL, name string) error {
	conn, err := pgx.Connect(ctx, serverURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var version string
	if err := conn.QueryRow(ctx, "SELECT version()").Scan(&version); err != nil {
		return err
	}
	statement := fmt.Sprintf("DROP DATABASE %s WITH (FORCE)", name)
	if strings.HasPrefix(version, "CockroachDB") {
		statement = fmt.Sprintf("DROP DATABASE %s CASCADE", name)
	}
	_, err = conn.Exec(ctx, statement)
	return err
}
