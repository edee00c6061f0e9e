package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// addLimitFlag bounds how much a list answers.
func addLimitFlag(cmd *cobra.Command) *int {
	limit := new(int)
	cmd.Flags().IntVar(limit, "limit", 50, "how many at most")
	return limit
}

// readPages asks for pages until there are enough items or no more of them, and answers the token of what was left out.
// The function asks for one page and keeps its items.
func readPages(limit int, page func(size int32, token string) (items int, next string, err error)) (string, error) {
	if limit < 1 {
		return "", usagef("--limit has to be at least 1")
	}
	token := ""
	for have := 0; have < limit; {
		items, next, err := page(int32(min(pageSize, limit-have)), token)
		if err != nil || next == "" {
			return "", err
		}
		have, token = have+items, next
	}
	return token, nil
}

// list writes a table, or that there is nothing, and whether there is more.
func (p *printer) list(nothing string, heading []string, rows [][]string, next string, limit int) {
	if len(rows) == 0 {
		fmt.Fprintln(p, nothing)
		return
	}
	p.table(heading, rows)
	if next != "" {
		fmt.Fprintf(p, "\nThere are more: --limit %d\n", limit*4)
	}
}

// ifChanged gives the value of a flag that means something when it is false or zero as well, or nil where it is not set.
func ifChanged[T any](cmd *cobra.Command, flag string, value *T) *T {
	if cmd.Flags().Changed(flag) {
		return value
	}
	return nil
}
