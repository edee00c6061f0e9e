package childproc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// startTimeout bounds a server's start, migrations included, on a busy machine.
const startTimeout = 60 * time.Second

// Server is a running "opledger serve".
type Server struct {
	*Process
	Address      string // where calls are taken
	AdminAddress string // where metrics are given
}

// StartServer runs "opledger serve" on free loopback ports and returns once it takes calls.
func StartServer(ctx context.Context, executable, databaseURL string, arguments ...string) (*Server, error) {
	all := append([]string{
		"serve", "--database-url", databaseURL, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log-format", "json",
	}, arguments...)
	log, logEnd := io.Pipe()
	p, err := Start(ctx, Command{Executable: executable, Arguments: all, Out: io.Discard, Err: logEnd})
	if err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	go func() {
		<-p.Done()
		_ = logEnd.Close()
	}()
	serving := make(chan logLine, 1)
	go readLog(log, serving)
	select {
	case line := <-serving:
		return &Server{Process: p, Address: line.Address, AdminAddress: line.AdminAddress}, nil
	case <-p.Done():
		return nil, errors.Join(errors.New("the server ended at its start"), p.Wait())
	case <-time.After(startTimeout):
		p.Kill()
		return nil, errors.Join(fmt.Errorf("the server did not start within %s", startTimeout), p.Wait())
	case <-ctx.Done():
		p.Kill()
		return nil, ctx.Err()
	}
}

// logLine is what is read of a line of a server's log.
type logLine struct {
	Message      string `json:"msg"`
	Address      string `json:"address"`
	AdminAddress string `json:"admin_address"`
}

// readLog reads a server's log to its end and tells of the line by which it says that it takes calls.
func readLog(log io.Reader, serving chan<- logLine) {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line logLine
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == "serving" && line.Address != "" {
			select {
			case serving <- line:
			default:
			}
		}
	}
	_, _ = io.Copy(io.Discard, log) // a line too long to scan must not block the server
}
