package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// dropTimeout bounds the removal of a database after the run, whose context may have ended.
const dropTimeout = 30 * time.Second

// openPostgres makes two databases on the server, one for the table and one for the ledger.
func openPostgres(ctx context.Context, o Options) (*arena, error) {
	a := &arena{name: "PostgreSQL", prefix: uuid.NewString()[:8]}
	forTable, err := databaseOf(o.PostgresURL, "opledger_bench_table_"+a.prefix)
	if err != nil {
		return nil, err
	}
	forLedger, err := databaseOf(o.PostgresURL, "opledger_bench_ledger_"+a.prefix)
	if err != nil {
		return nil, err
	}
	a.drop = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), dropTimeout)
		defer cancel()
		var faults []error
		for _, d := range []database{forTable, forLedger} {
			faults = append(faults, execute(ctx, o.PostgresURL, "DROP DATABASE IF EXISTS "+d.name+" WITH (FORCE)"))
		}
		return errors.Join(faults...)
	}
	err = errors.Join(execute(ctx, o.PostgresURL, "CREATE DATABASE "+forTable.name), execute(ctx, o.PostgresURL, "CREATE DATABASE "+forLedger.name))
	if err == nil {
		var t *postgresTable
		if t, err = openPostgresTable(ctx, forTable.url); err == nil {
			a.table = t
			err = a.start(ctx, o, forLedger.url)
		}
	}
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

// database is a database on a server.
type database struct{ name, url string }

func databaseOf(serverURL, name string) (database, error) {
	u, err := url.Parse(serverURL)
	if err != nil {
		return database{}, errors.New("the PostgreSQL server's address cannot be read") // it may hold a password
	}
	u.Path = "/" + name
	return database{name, u.String()}, nil
}

func execute(ctx context.Context, serverURL, statement string) error {
	conn, err := pgx.Connect(ctx, serverURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err = conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}
