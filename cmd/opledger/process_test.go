package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// actAsProgram makes the test binary be the program itself, so that tests run real processes without a second build.
const actAsProgram = "OPLEDGER_TEST_ACT_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(actAsProgram) != "" {
		main()
		return
	}
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "OPLEDGER_") && !strings.HasPrefix(name, "OPLEDGER_TEST_") {
			os.Unsetenv(name) // what the developer has set is not what is tested
		}
	}
	os.Exit(m.Run())
}

// program prepares a process of the program with the stated additions to its environment.
func program(t *testing.T, args []string, environment ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(append(os.Environ(), actAsProgram+"=1", "XDG_DATA_HOME="+filepath.Join(t.TempDir(), "data")), environment...)
	return cmd
}

// running is a server process.
type running struct {
	cmd            *exec.Cmd
	records        chan map[string]any // its log, until it ends
	address, admin string
}

// serveProcess starts "opledger serve" on free ports and waits until it takes calls.
func serveProcess(t *testing.T, args []string, environment ...string) *running {
	t.Helper()
	r := startServe(t, args, environment...)
	record := r.await(t, messageServing)
	r.address, _ = record["address"].(string)
	r.admin, _ = record["admin_address"].(string)
	return r
}

func startServe(t *testing.T, args []string, environment ...string) *running {
	t.Helper()
	environment = append([]string{"OPLEDGER_LISTEN=127.0.0.1:0", "OPLEDGER_ADMIN_LISTEN=127.0.0.1:0", "OPLEDGER_LOG_FORMAT=json"}, environment...)
	r := &running{cmd: program(t, append([]string{"serve"}, args...), environment...), records: make(chan map[string]any, 1000)}
	stderr, err := r.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(r.records)
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			record := map[string]any{}
			if json.Unmarshal(lines.Bytes(), &record) != nil {
				record["msg"] = lines.Text()
			}
			r.records <- record
		}
	}()
	t.Cleanup(func() {
		if r.cmd.ProcessState == nil {
			_ = r.cmd.Process.Kill()
			_ = r.wait()
		}
	})
	return r
}

// await reads the log up to a message.
func (r *running) await(t *testing.T, message string) map[string]any {
	t.Helper()
	var seen []string
	for record := range r.records {
		if text, _ := record["msg"].(string); strings.Contains(text, message) {
			return record
		}
		seen = append(seen, fmt.Sprint(record))
	}
	t.Fatalf("the server ended without saying %q; it said\n%s", message, strings.Join(seen, "\n"))
	return nil
}

// wait waits for the process's end, its log read to the end first.
func (r *running) wait() error {
	for range r.records {
	}
	return r.cmd.Wait()
}

// stop ends the server in order.
func (r *running) stop(t *testing.T) {
	t.Helper()
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := r.wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// result is what a command line came to.
type result struct {
	status   int
	out, err string
}

// do runs a command line in this process.
func do(t *testing.T, args ...string) result {
	t.Helper()
	return doWith(t, "", args...)
}

func doWith(t *testing.T, in string, args ...string) result {
	t.Helper()
	var out, failed bytes.Buffer
	status := run(t.Context(), args, streams{in: strings.NewReader(in), out: &out, err: &failed})
	return result{status, out.String(), failed.String()}
}

// at runs a command line against the server.
func (r *running) at(t *testing.T, args ...string) result {
	t.Helper()
	return do(t, append(args, "--server", r.address)...)
}

// ok runs a command line against the server that must succeed.
func (r *running) ok(t *testing.T, args ...string) string {
	t.Helper()
	got := r.at(t, args...)
	if got.status != exitOK {
		t.Fatalf("opledger %s: status %d\n%s%s", strings.Join(args, " "), got.status, got.out, got.err)
	}
	return got.out
}

// json runs a command line against the server and reads its answer.
func (r *running) json(t *testing.T, args ...string) map[string]any {
	t.Helper()
	return parse(t, r.ok(t, append(args, "--json")...))
}

func parse(t *testing.T, text string) map[string]any {
	t.Helper()
	m := map[string]any{}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return m
}

// field follows names through objects.
func field(m map[string]any, path string) any {
	var v any = m
	for _, name := range strings.Split(path, ".") {
		inner, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = inner[name]
	}
	return v
}

func text(m map[string]any, path string) string {
	s, _ := field(m, path).(string)
	return s
}

// has checks that a text contains each of the parts.
func has(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %q:\n%s", what, part, text)
		}
	}
}

// tool is the path of an example.
func tool(name string) string { return filepath.Join("..", "..", "examples", "tools", name+".yaml") }

// lines hands on the lines of a command that goes on by itself.
func lines(t *testing.T, ctx context.Context, args ...string) (out <-chan string, end <-chan result) {
	t.Helper()
	reader, writer := io.Pipe()
	texts, ended := make(chan string, 100), make(chan result, 1)
	go func() {
		defer close(texts)
		scanner := bufio.NewScanner(reader)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			texts <- scanner.Text()
		}
	}()
	go func() {
		var failed bytes.Buffer
		status := run(ctx, args, streams{in: strings.NewReader(""), out: writer, err: &failed})
		_ = writer.Close()
		ended <- result{status: status, err: failed.String()}
	}()
	return texts, ended
}
