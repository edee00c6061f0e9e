package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// rowForm are the columns of a row.
const rowForm = "%7s  %-25s  %8s  %16s  %8s  %8s  %12s  %12s  %11s\n"

// WriteText writes a report for people.
func (r *Report) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%d CPUs, %s/%s, %s; %d rounds of %s each; medians. Server, clients and database share the CPUs.\n",
		r.Machine.CPUs, r.Machine.OS, r.Machine.Arch, r.Machine.Go, r.Rounds, r.Duration)
	if r.Machine.Busy() {
		fmt.Fprintf(w, "The machine was busy before the run (load %.1f). Then even the ratios are not to be trusted: who runs in more\n"+
			"processes, as the table's connections do, gets a greater share of the CPUs, and each change of process costs the ledger's\ncallers more.\n", r.Machine.Load)
	}
	for _, e := range r.Engines {
		fmt.Fprintf(w, "\n%s  (%s)\n", e.Engine, settingsText(e.Settings))
		fmt.Fprintf(w, rowForm, "at once", "unit", "units/s", "slowest..fastest", "p50 ms", "p99 ms", "of the table", "retries/unit", "commands/tx")
		for i, row := range e.Rows {
			if i > 0 && row.Concurrency != e.Rows[i-1].Concurrency {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, rowForm, fmt.Sprint(row.Concurrency), row.Unit, fmt.Sprintf("%.0f", row.Rate),
				fmt.Sprintf("%.0f..%.0f", row.Slowest, row.Fastest), fmt.Sprintf("%.2f", row.P50), fmt.Sprintf("%.2f", row.P99),
				fmt.Sprintf("%.2f", row.Ratio), optional(row.RetriesPerUnit, "%.4f"), optional(row.CommandsPerTransaction, "%.1f"))
		}
	}
	_, err := fmt.Fprintf(w, "\n%.0f s in all. A duplicate is one call; the other units are two transactions or calls, with a begin three.\n", r.Seconds)
	return err
}

func optional(v *float64, format string) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(format, *v)
}

func settingsText(settings map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		parts = append(parts, name+" "+settings[name])
	}
	return strings.Join(parts, ", ")
}
