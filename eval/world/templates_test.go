package world_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/internal/pgtest"
)

// databases are those of a server that worlds copy and that are copies.
func databases(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), `SELECT datname FROM pg_database WHERE datname LIKE 'eval\_copies\_%'`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// connect opens a session of that name.
func connect(t *testing.T, at, name string) *pgx.Conn {
	t.Helper()
	config, err := pgx.ParseConfig(at)
	if err != nil {
		t.Fatal(err)
	}
	config.RuntimeParams["application_name"] = name
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// TestWorldsThatCopyOneDatabase know nothing of each other, and leave nothing.
func TestWorldsThatCopyOneDatabase(t *testing.T) {
	at := pgtest.NewDatabase(t)
	conn := connect(t, at, "test")
	before := databases(t, conn)
	ctx, drop := world.WithTemplates(t.Context())
	var states []string
	var worlds []*world.World
	for range 2 {
		w, err := world.Open(ctx, world.Options{Engine: world.PostgreSQL, DatabaseURL: at, Seed: 7, Defect: func(err error) { t.Errorf("defect: %v", err) }})
		if err != nil {
			t.Fatal(err)
		}
		worlds = append(worlds, w)
		state, _, _ := play(t, w) // the same proposal, which the other's rows would answer
		states = append(states, state.String())
	}
	if states[0] != states[1] || states[0] != "STATE_UNKNOWN_OUTCOME" {
		t.Errorf("one after the other they came to %v", states)
	}
	if made := len(databases(t, conn)) - len(before); made != 3 {
		t.Errorf("%d databases were made: want one that is copied, and a copy for each of two worlds", made)
	}
	for _, w := range worlds {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := drop(); err != nil {
		t.Error(err)
	}
	for _, name := range databases(t, conn) {
		if !slices.Contains(before, name) {
			t.Errorf("%s is left", name)
		}
	}
}

// TestWhatAKilledProcessLeft is dropped by the next one. What a living one needs is not.
func TestWhatAKilledProcessLeft(t *testing.T) {
	const dead, living = "eval_copies_testofdead", "eval_copies_testofliving"
	at := pgtest.NewDatabase(t)
	conn := connect(t, at, living)
	run := func(statement string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	left, needed := []string{dead + "_template", dead + "_1"}, []string{living + "_template", living + "_1"}
	for _, name := range slices.Concat(left, needed) {
		run("CREATE DATABASE " + name)
		defer run("DROP DATABASE IF EXISTS " + name)
	}
	ctx, drop := world.WithTemplates(t.Context())
	w, err := world.Open(ctx, world.Options{Engine: world.PostgreSQL, DatabaseURL: at})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if err := drop(); err != nil {
			t.Error(err)
		}
	}()
	there := databases(t, conn)
	for _, name := range left {
		if slices.Contains(there, name) {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range needed {
		if !slices.Contains(there, name) {
			t.Errorf("%s was dropped", name)
		}
	}
}
