package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// startTimeout bounds one start. A start takes well under a second; crash recovery on a busy
	// machine takes a few.
	startTimeout = 60 * time.Second
	// pollEvery is how often a starting server is asked whether it answers.
	pollEvery = 20 * time.Millisecond
	// portTries is how often a start is tried on another port: PostgreSQL cannot choose a free port by
	// itself, and between our choice and its start another process may take it.
	portTries = 5
)

// defaultSettings suit tests. They are quick and lose nothing when the server is killed, only when the
// machine is: fsync is off, while synchronous_commit stays on so that a commit has reached the kernel.
var defaultSettings = map[string]string{
	"fsync":              "off",
	"full_page_writes":   "off",
	"max_connections":    "300", // many packages and their pools share one server
	"shared_buffers":     "64MB",
	"checkpoint_timeout": "1h",
	"jit":                "off", // compiling a plan costs more than any test's query
	"timezone":           "UTC",
	"log_timezone":       "UTC",
	// Predicate locks of SERIALIZABLE: with PostgreSQL's defaults a batch's locks are widened to whole
	// pages and tables, and transactions fail that touch nothing of each other.
	"max_pred_locks_per_transaction": "2048",
	"max_pred_locks_per_page":        "32",
}

// Option changes how a server is started.
type Option func(settings map[string]string)

// Setting sets one of PostgreSQL's settings, over the package's own defaults. What the package itself
// relies on (address, port, authentication) cannot be set.
func Setting(name, value string) Option {
	return func(settings map[string]string) { settings[name] = value }
}

// Server is a PostgreSQL server. Its methods are not safe for use by several goroutines at once.
type Server struct {
	url      string // of the database "postgres", as a superuser
	dir      string // everything of this server; "" for a server that was not started here
	programs string
	account  account
	settings map[string]string
	port     int
	reaper   *reaper
	own      bool // one test's own, which it may kill

	process *exec.Cmd
	exited  chan struct{} // closed when process has ended
}

// Launch starts a server in a directory of its own. [Server.Stop] must be called; should the process die
// before that, the server is stopped and its directory removed all the same. Tests call [Start] instead.
func Launch(ctx context.Context, options ...Option) (*Server, error) {
	programs, err := findPrograms()
	if err != nil {
		return nil, err
	}
	acct, err := serverAccount()
	if err != nil {
		return nil, err
	}
	dir, err := acct.makeDir()
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL's directory: %w", err)
	}
	s := &Server{dir: dir, programs: programs, account: acct, settings: maps.Clone(defaultSettings)}
	for _, option := range options {
		option(s.settings)
	}
	if s.reaper, err = startReaper(acct, dir); err != nil {
		return nil, errors.Join(fmt.Errorf("PostgreSQL's reaper: %w", err), os.RemoveAll(dir))
	}
	password := rand.Text() // other users of the machine can reach the loopback port too
	if err := s.initialize(ctx, password); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	for try := 1; ; try++ {
		if s.port, err = freePort(); err != nil {
			return nil, errors.Join(err, s.Stop())
		}
		s.url = (&url.URL{
			Scheme: "postgres", User: url.UserPassword("postgres", password),
			Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)), Path: "/postgres", RawQuery: "sslmode=disable",
		}).String()
		if err = s.start(ctx); err == nil {
			return s, nil
		}
		if try == portTries || !strings.Contains(s.log(), "Address already in use") {
			return nil, errors.Join(err, s.Stop())
		}
	}
}

// URL is the address of the server's maintenance database, with a user who may do everything.
// Tests want [Server.NewDatabase].
func (s *Server) URL() string { return s.url }

// Stop ends the server and removes its directory. For a server that was not started here it does nothing.
func (s *Server) Stop() error {
	if s.dir == "" {
		return nil
	}
	return errors.Join(s.quit(), s.reaper.release())
}

// initialize makes the data directory.
func (s *Server) initialize(ctx context.Context, password string) error {
	passwordFile := filepath.Join(s.dir, "password")
	if err := os.WriteFile(passwordFile, []byte(password), 0o600); err != nil {
		return err
	}
	if c := s.account.credential; c != nil {
		if err := os.Chown(passwordFile, int(c.Uid), int(c.Gid)); err != nil {
			return err
		}
	}
	initdb := s.command(ctx, "initdb", "--pgdata", s.dataDir(), "--username", "postgres", "--pwfile", passwordFile,
		"--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

// start runs the postmaster and returns when it answers.
func (s *Server) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	arguments := []string{"-D", s.dataDir()}
	settings := maps.Clone(s.settings)
	settings["listen_addresses"] = "127.0.0.1"
	settings["port"] = strconv.Itoa(s.port)
	settings["unix_socket_directories"] = ""
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		arguments = append(arguments, "-c", name+"="+settings[name])
	}
	logFile, err := os.OpenFile(s.logPath(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer logFile.Close()

	process := s.command(context.WithoutCancel(ctx), "postgres", arguments...)
	process.Stdout, process.Stderr = logFile, logFile
	if err := process.Start(); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = process.Wait() // its status says nothing that the log does not say better
	}()
	s.process, s.exited = process, exited

	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		connectErr := s.ping(ctx)
		if connectErr == nil {
			return nil
		}
		select {
		case <-exited:
			return fmt.Errorf("postgres ended at its start\n%s", s.log())
		case <-ctx.Done():
			return fmt.Errorf("postgres did not answer: %w\n%s", connectErr, s.log())
		case <-ticker.C:
		}
	}
}

// quit ends the postmaster and all its backends at once, without a checkpoint, and waits for it.
func (s *Server) quit() error {
	if s.process == nil {
		return nil
	}
	if err := s.process.Process.Signal(syscall.SIGQUIT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop postgres: %w", err)
	}
	<-s.exited
	s.process = nil
	return nil
}

func (s *Server) ping(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.url)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// command is one of PostgreSQL's programs, run as the account and shielded from our environment:
// PGPORT, PGDATA and their like would change what it does.
func (s *Server) command(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.programs, name), arguments...)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + s.programs + ":/usr/local/bin:/usr/bin:/bin", "HOME=" + s.dir, "LC_ALL=C"}
	cmd.SysProcAttr = s.account.attributes()
	return cmd
}

func (s *Server) dataDir() string { return filepath.Join(s.dir, "data") }
func (s *Server) logPath() string { return filepath.Join(s.dir, "log") }

func (s *Server) log() string {
	text, err := os.ReadFile(s.logPath())
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// freePort finds a TCP port on loopback that nobody listens on at this moment.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
