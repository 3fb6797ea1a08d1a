// Package pgtest starts a PostgreSQL server of its own for a test: in a folder that is
// removed afterwards, on a socket and on loopback.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"episodes/internal/pg"
)

// Server is a running server.
type Server struct {
	Dir    string // what it keeps, and its socket
	Port   int
	Config []string // more lines of its configuration; see Start
	bin    string
	cmd    *exec.Cmd
}

// programs finds the folder of the server's programs, which Debian keeps out of the path.
func programs() (string, error) {
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil || len(found) == 0 {
		return "", errors.New("no PostgreSQL server is installed here (Debian: apt-get install postgresql)")
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), nil
}

// New makes and starts a server, with lines for its configuration. The superuser is
// "owner", who needs no password on the socket. It ends with Stop.
func New(config ...string) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	s, err := (&Server{Config: config, bin: bin}).newSibling()
	if err != nil {
		return nil, err
	}
	if out, err := s.command("initdb", "--pgdata", s.data(), "--username", "owner", "--auth-local", "trust", "--auth-host", "scram-sha-256", "--encoding", "UTF8", "--no-locale", "--no-sync").CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("initdb: %w: %s", err, out), os.RemoveAll(s.Dir))
	}
	if err := s.Start(); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (s *Server) log() string { return filepath.Join(s.Dir, "log") }

func (s *Server) data() string { return filepath.Join(s.Dir, "data") }

// own gives a folder to the user who runs the server: not root, which it refuses.
func (s *Server) own(dir string) error {
	if os.Getuid() != 0 {
		return nil
	}
	uid, gid, err := servant()
	if err != nil {
		return err
	}
	return os.Chown(dir, uid, gid)
}

// servant is the user who runs the server for root.
func servant() (uid, gid int, err error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, lookup := user.Lookup(name)
		if err = lookup; err != nil {
			continue
		}
		uid, err1 := strconv.Atoi(u.Uid)
		gid, err2 := strconv.Atoi(u.Gid)
		return uid, gid, errors.Join(err1, err2)
	}
	return 0, 0, err
}

// command is a program of the server, run by who owns its folder.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.Dir
	as(cmd)
	return cmd
}

// Start starts the server and waits until it answers. It does not flush to disk: a killed
// server loses nothing by that, since the machine goes on and keeps what was written.
func (s *Server) Start() error {
	if s.Port == 0 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		s.Port = l.Addr().(*net.TCPAddr).Port
		if err := l.Close(); err != nil {
			return err
		}
	}
	args := []string{"-D", s.data(), "-k", s.Dir, "-p", strconv.Itoa(s.Port), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200"}
	for _, c := range s.Config {
		args = append(args, "-c", c)
	}
	s.cmd = s.command("postgres", args...)
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("the server does not answer: %w\n%s", err, text)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Kill ends the server as a crash does.
func (s *Server) Kill() error {
	if s.cmd == nil || s.cmd.Process == nil {
		return nil // it was never started
	}
	if err := s.cmd.Process.Signal(quit); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	_ = s.cmd.Wait() // it was killed
	return nil
}

// Stop ends the server and removes what it kept.
func (s *Server) Stop() error { return errors.Join(s.Kill(), os.RemoveAll(s.Dir)) }

// URL is a database of the server over its socket, as the owner.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres:///%s?host=%s&port=%d&user=owner", database, s.Dir, s.Port)
}

var (
	once   sync.Once
	shared *Server
	failed error
	number int
	mu     sync.Mutex
)

// Database makes an empty database on a server that the tests of a package share, and
// returns its URL. Where no server is installed the test is skipped. Main stops the server.
func Database(t testing.TB) string {
	t.Helper()
	return database(t, "template1")
}

// Copy makes a database with all that another one holds, which nobody may be connected to.
func Copy(t testing.TB, of string) string {
	t.Helper()
	u, err := url.Parse(of)
	if err != nil {
		t.Fatal(err)
	}
	return database(t, strings.TrimPrefix(u.Path, "/"))
}

func database(t testing.TB, template string) string {
	t.Helper()
	once.Do(func() { shared, failed = New() })
	if failed != nil {
		t.Skip(failed)
	}
	mu.Lock()
	number++
	name := fmt.Sprintf("test%d", number)
	mu.Unlock()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, shared.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "create database "+name+" template "+template); err != nil {
		t.Fatal(err)
	}
	return shared.URL(name)
}

// Store is Database with the tables of a store.
func Store(t testing.TB) string {
	t.Helper()
	store := Database(t)
	db, err := pg.Parse(store)
	if err == nil {
		err = db.Init(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// Main is for TestMain: it runs the tests, stops the server they shared, and ends.
func Main(m interface{ Run() int }) {
	code := m.Run()
	if shared != nil {
		if err := shared.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}
