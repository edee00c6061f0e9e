package provider

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/opledger/opledger/internal/childproc"
)

// SettingsVariable holds, as JSON, the settings of a provider's process.
const SettingsVariable = "OPLEDGER_EVAL_PROVIDER"

// Main is the life of a provider's process: it takes its settings from the environment, says its URL on out, and serves
// until the context ends.
func Main(ctx context.Context, out io.Writer) error {
	settings := Settings{Profile: Stated(true)}
	if text := os.Getenv(SettingsVariable); text != "" {
		settings = Settings{}
		if err := json.Unmarshal([]byte(text), &settings); err != nil {
			return fmt.Errorf("%s says what provider it is: %w", SettingsVariable, err)
		}
	}
	if settings.Listen == "" {
		settings.Listen = "127.0.0.1:0"
	}
	s, err := openService(settings)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", settings.Listen)
	if err != nil {
		return errors.Join(err, s.provider.Close())
	}
	if _, err := fmt.Fprintln(out, "http://"+listener.Addr().String()); err != nil {
		return errors.Join(err, listener.Close(), s.provider.Close())
	}
	return s.serve(ctx, listener)
}

// Process is a provider that runs in a process of its own.
type Process struct {
	*childproc.Process
	Control
	executable string
	arguments  []string
	settings   Settings
}

// Start starts a program whose arguments make it call Main, with the settings. It ends with the context, and on Linux with
// this process.
func Start(ctx context.Context, executable string, arguments []string, settings Settings) (*Process, error) {
	text, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	out, in := io.Pipe()
	child, err := childproc.Start(ctx, childproc.Command{
		Executable: executable, Arguments: arguments, Environment: []string{SettingsVariable + "=" + string(text)}, Out: in,
	})
	if err != nil {
		return nil, fmt.Errorf("start the provider: %w", err)
	}
	go func() {
		<-child.Done()
		_ = in.Close()
	}()
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		return nil, errors.Join(errors.New("the provider did not start"), child.Wait())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	p := &Process{Process: child, Control: Control{URL: lines.Text()}, executable: executable, arguments: arguments, settings: settings}
	p.settings.Listen = p.URL[len("http://"):]
	return p, nil
}

// Restart starts it once more where it was, on its journal, after it was killed.
func (p *Process) Restart(ctx context.Context) (*Process, error) {
	return Start(ctx, p.executable, p.arguments, p.settings)
}
