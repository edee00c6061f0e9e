package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/ledger/migrate"
)

// step is one step of the schema as it is told.
type step struct {
	Version   int64  `json:"version"`
	Name      string `json:"name"`
	Applied   bool   `json:"applied"`
	AppliedAt string `json:"applied_at,omitempty"`
}

func stepsOf(list []migrate.Step) []step {
	steps := make([]step, 0, len(list))
	for _, s := range list {
		told := step{Version: s.Version, Name: s.Name, Applied: s.Applied}
		if !s.AppliedAt.IsZero() {
			told.AppliedAt = s.AppliedAt.UTC().Format(time.RFC3339)
		}
		steps = append(steps, told)
	}
	return steps
}

func newMigrate() *cobra.Command {
	return family("migrate", "See the database's schema, and bring it up to date", newMigrateStatus(), newMigrateUp())
}

func newMigrateStatus() *cobra.Command {
	var databaseURL string
	cmd := &cobra.Command{
		Use: "status", Short: "List the schema's steps and which of them are applied", Args: cobra.NoArgs,
		Long: "Lists the schema's steps and which of them are applied. The exit status is 1 where one is not.\nA SQLite file must not be open in a server.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := parseDatabase(databaseURL)
			if err != nil {
				return err
			}
			list, err := d.migrationStatus(cmd.Context())
			if err != nil {
				return err
			}
			steps, pending := stepsOf(list), 0
			var rows [][]string
			for _, s := range steps {
				when := s.AppliedAt
				if !s.Applied {
					pending++
					when = "not applied"
				}
				rows = append(rows, []string{fmt.Sprint(s.Version), s.Name, when})
			}
			err = answer(cmd, map[string]any{"database": d.String(), "pending": pending, "steps": steps}, func(p *printer) {
				p.table([]string{"STEP", "NAME", "APPLIED"}, rows)
				if pending > 0 {
					fmt.Fprintf(p, "\n%d steps are not applied: opledger migrate up\n", pending)
				}
			})
			if err == nil && pending > 0 {
				return errSaid
			}
			return err
		},
	}
	addDatabaseFlag(cmd, &databaseURL)
	return cmd
}

func newMigrateUp() *cobra.Command {
	var databaseURL string
	cmd := &cobra.Command{
		Use: "up", Short: "Apply what is not applied yet", Args: cobra.NoArgs,
		Long: "Applies the steps of the schema that are not applied yet. A server does the same when it starts, unless it is told not to.\n" +
			"Each step is one statement that can be run again. A SQLite file must not be open in a server.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := parseDatabase(databaseURL)
			if err != nil {
				return err
			}
			list, err := d.migrateUp(cmd.Context())
			if err != nil {
				return err
			}
			steps := stepsOf(list)
			return answer(cmd, map[string]any{"database": d.String(), "applied": steps}, func(p *printer) {
				for _, s := range steps {
					fmt.Fprintf(p, "applied %s\n", s.Name)
				}
				fmt.Fprintf(p, "The schema of %s is up to date.\n", d)
			})
		},
	}
	addDatabaseFlag(cmd, &databaseURL)
	return cmd
}

func addDatabaseFlag(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVar(into, "database-url", "", databaseUsage)
	allowEnvironment(cmd.Flags(), "database-url")
	addJSONFlag(cmd)
}
