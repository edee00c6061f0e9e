package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// counters are what a server's metrics say of its transactions.
type counters struct {
	retries, transactions, commands float64
}

// readCounters reads a server's metrics.
func readCounters(ctx context.Context, adminAddress string) (counters, error) {
	body, err := get(ctx, "http://"+adminAddress+"/metrics")
	if err != nil {
		return counters{}, fmt.Errorf("the server's metrics: %w", err)
	}
	defer body.Close()
	return parseCounters(body)
}

// parseCounters reads what is needed of Prometheus's text format.
func parseCounters(r io.Reader) (c counters, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), " ")
		name, _, _ = strings.Cut(name, "{")
		var into *float64
		switch name {
		case "opledger_transaction_retries_total":
			into = &c.retries
		case "opledger_transaction_commands_count":
			into = &c.transactions
		case "opledger_transaction_commands_sum":
			into = &c.commands
		default:
			continue
		}
		value, err := strconv.ParseFloat(rest[strings.LastIndex(rest, " ")+1:], 64)
		if err != nil {
			return c, fmt.Errorf("the metric %s: %w", name, err)
		}
		*into += value
	}
	return c, lines.Err()
}

func (c counters) minus(before counters) counters {
	return counters{c.retries - before.retries, c.transactions - before.transactions, c.commands - before.commands}
}

// saveProfile records the server's use of the CPU for so long.
func saveProfile(ctx context.Context, adminAddress string, duration time.Duration, path string) error {
	body, err := get(ctx, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", adminAddress, max(1, int(duration.Seconds()))))
	if err != nil {
		return fmt.Errorf("the server's profile: %w", err)
	}
	defer body.Close()
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, body); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}

func get(ctx context.Context, address string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		res.Body.Close()
		return nil, fmt.Errorf("%s answered %s", address, res.Status)
	}
	return res.Body, nil
}
