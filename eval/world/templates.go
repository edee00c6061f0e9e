package world

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/ledger/sqlstore"
)

// templates are this process's databases that worlds copy: one on each server, with the schema of this program and no rows.
// Nobody else uses them, so that none has another program's schema.
type templates struct {
	mu      sync.Mutex
	servers map[string]*template // by the server's URL
}

// templatesOf is the key of a context's templates.
type templatesOf struct{}

// WithTemplates answers a context in which worlds on PostgreSQL copy a database instead of migrating one each, which takes
// most of the time of a short scenario. The function drops what was made for it, and is called when every world is closed.
//
// A process that is killed cannot drop anything. Its databases bear the name of a session that ended with it, and the next
// process that copies databases on the server drops those whose session is gone.
func WithTemplates(ctx context.Context) (context.Context, func() error) {
	t := &templates{servers: map[string]*template{}}
	return context.WithValue(ctx, templatesOf{}, t), func() error { return t.drop(ctx) }
}

// copyOf makes a database of the schema by the context's templates. Without any it answers no URL: the world migrates.
func copyOf(ctx context.Context, serverURL string) (databaseURL string, drop func() error, err error) {
	t, given := ctx.Value(templatesOf{}).(*templates)
	if !given {
		return "", nil, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	on := t.servers[serverURL]
	if on == nil {
		if on, err = newTemplate(ctx, serverURL); err != nil {
			return "", nil, fmt.Errorf("make the database that worlds copy: %w", err)
		}
		t.servers[serverURL] = on
	}
	on.copies++
	name := fmt.Sprintf("%s_%d", on.session, on.copies)
	if databaseURL, err = databaseAt(serverURL, name); err != nil {
		return "", nil, err
	}
	if err := on.execute(ctx, "CREATE DATABASE "+name+" TEMPLATE "+on.name()); err != nil {
		return "", nil, fmt.Errorf("copy a database for the evaluation: %w", err)
	}
	return databaseURL, func() error {
		t.mu.Lock()
		defer t.mu.Unlock()
		return on.execute(context.WithoutCancel(ctx), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	}, nil
}

func (t *templates) drop(ctx context.Context) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, on := range t.servers {
		err = errors.Join(err, on.close(context.WithoutCancel(ctx)))
	}
	clear(t.servers)
	return err
}

// template is the database that is copied on one server.
type template struct {
	serverURL string
	// session is what the connection calls itself for as long as the databases are needed, and what their names begin with.
	session string
	conn    *pgx.Conn
	copies  int
}

func (t *template) name() string { return t.session + "_template" }

// sessionPrefix begins the names of sessions and, with that, of their databases.
const sessionPrefix = "eval_copies_"

// newTemplate connects, drops what is left of processes that are gone, and makes the database that is copied. Nobody can
// connect to that any more: PostgreSQL copies a database only while nobody does.
func newTemplate(ctx context.Context, serverURL string) (t *template, err error) {
	t = &template{serverURL: serverURL, session: sessionPrefix + strings.ToLower(rand.Text())}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.close(context.WithoutCancel(ctx)))
		}
	}()
	at, err := databaseAt(serverURL, t.name())
	if err != nil {
		return t, err
	}
	if err := t.connect(ctx); err != nil {
		return t, err
	}
	if err := t.sweep(ctx); err != nil {
		return t, err
	}
	if err := t.execute(ctx, "CREATE DATABASE "+t.name()); err != nil {
		return t, err
	}
	if _, err := sqlstore.Migrate(ctx, at); err != nil {
		return t, err
	}
	return t, t.execute(ctx, "ALTER DATABASE "+t.name()+" WITH ALLOW_CONNECTIONS false")
}

// connect opens the session by whose name others see that the databases are in use.
func (t *template) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, dropTimeout)
	defer cancel()
	config, err := pgx.ParseConfig(t.serverURL)
	if err != nil {
		return err
	}
	config.RuntimeParams["application_name"] = t.session
	t.conn, err = pgx.ConnectConfig(ctx, config)
	return err
}

// execute runs one statement that names nothing from outside, if need be on a new connection: the server may have ended the
// one before, which has nothing to do for as long as a scenario takes.
func (t *template) execute(ctx context.Context, statement string) error {
	ctx, cancel := context.WithTimeout(ctx, dropTimeout)
	defer cancel()
	if t.conn == nil || t.conn.Ping(ctx) != nil {
		if err := t.connect(ctx); err != nil {
			return err
		}
	}
	_, err := t.conn.Exec(ctx, statement)
	return err
}

// leftover are the user's own databases whose session is gone, and to which nobody is connected. The session's name is the
// database's up to its last underscore.
const leftover = `SELECT datname FROM pg_database d
WHERE datname LIKE 'eval\_copies\_%' AND datdba = (SELECT oid FROM pg_roles WHERE rolname = current_user) AND NOT EXISTS (
	SELECT FROM pg_stat_activity a WHERE a.datname = d.datname OR a.application_name = regexp_replace(d.datname, '_[^_]*$', ''))`

// sweep drops what processes have left that were killed. Two that do so at once do it once.
func (t *template) sweep(ctx context.Context) error {
	rows, err := t.conn.Query(ctx, leftover)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := t.execute(ctx, "DROP DATABASE IF EXISTS "+pgx.Identifier{name}.Sanitize()); err != nil {
			return fmt.Errorf("drop what an earlier evaluation has left: %w", err)
		}
	}
	return nil
}

// close drops the database that was copied, and ends the session.
func (t *template) close(ctx context.Context) error {
	if t.conn == nil {
		return nil
	}
	err := t.execute(ctx, "DROP DATABASE IF EXISTS "+t.name()+" WITH (FORCE)")
	return errors.Join(err, t.conn.Close(ctx))
}
